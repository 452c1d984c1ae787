import type { Language } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import { describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import { createTranslationsMachine } from './translations.machine.ts';

function start() {
  const answers = new Map<Language, (texts: Texts | null | Error) => void>();
  const services = {
    load: vi.fn(
      (language: Language) =>
        new Promise<Texts | null>((resolve, reject) =>
          answers.set(language, (texts) =>
            texts instanceof Error ? reject(texts) : resolve(texts),
          ),
        ),
    ),
    onChange: vi.fn(),
    onFailure: vi.fn(),
  };
  const translations = createActor(createTranslationsMachine(services), {
    input: { language: 'english', texts: { hello: 'Hello' } },
  }).start();
  return { translations, services, answer: answers };
}

describe('the translations', () => {
  it('come with the page: init passes to complete at once', () => {
    const { translations, services } = start();
    expect(translations.getSnapshot().value).toBe('complete');
    expect(services.load).not.toHaveBeenCalled();
  });

  it('are loaded when a language is chosen, and complete when they are there', async () => {
    const { translations, services, answer } = start();
    translations.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    expect(translations.getSnapshot().value).toBe('loading');
    expect(translations.getSnapshot().context.texts).toEqual({ hello: 'Hello' });
    answer.get('spanish')?.({ hello: 'Hola' });
    await vi.waitFor(() => expect(translations.getSnapshot().value).toBe('complete'));
    expect(translations.getSnapshot().context).toMatchObject({
      language: 'spanish',
      texts: { hello: 'Hola' },
    });
    expect(services.onChange).toHaveBeenCalledExactlyOnceWith('spanish');
  });

  it('can be loaded again and again', async () => {
    const { translations, answer } = start();
    for (const language of ['spanish', 'french', 'spanish'] as const) {
      translations.send({ type: 'SELECT_LANGUAGE', language });
      answer.get(language)?.({ hello: language });
      await vi.waitFor(() => expect(translations.getSnapshot().value).toBe('complete'));
      expect(translations.getSnapshot().context.language).toBe(language);
    }
  });

  it.each([
    ['answered with nothing', null],
    ['broken', new Error('no network')],
  ])(
    'stay as they were when the download is %s: one event, nothing a voter sees',
    async (_, end) => {
      const { translations, services, answer } = start();
      translations.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
      answer.get('spanish')?.(end);
      await vi.waitFor(() => expect(translations.getSnapshot().value).toBe('complete'));
      expect(translations.getSnapshot().context).toMatchObject({
        language: 'english',
        texts: { hello: 'Hello' },
      });
      expect(services.onFailure).toHaveBeenCalledExactlyOnceWith('spanish');
      expect(services.onChange).not.toHaveBeenCalled();
    },
  );

  it('follow the later of two choices, whichever answer comes first', async () => {
    const { translations, services, answer } = start();
    translations.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    translations.send({ type: 'SELECT_LANGUAGE', language: 'french' });
    answer.get('french')?.({ hello: 'Bonjour' });
    answer.get('spanish')?.({ hello: 'Hola' });
    await vi.waitFor(() => expect(translations.getSnapshot().value).toBe('complete'));
    expect(translations.getSnapshot().context.language).toBe('french');
    expect(services.onChange).toHaveBeenCalledExactlyOnceWith('french');
  });

  it('are not loaded for the language that is shown already', () => {
    const { translations, services } = start();
    translations.send({ type: 'SELECT_LANGUAGE', language: 'english' });
    expect(translations.getSnapshot().value).toBe('complete');
    expect(services.load).not.toHaveBeenCalled();
  });
});
