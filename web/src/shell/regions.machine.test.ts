import type { Texts } from '@ballot-beacon/contract/translate';
import { describe, expect, it } from 'vitest';
import { createActor } from 'xstate';
import type { Alert } from './alerts.ts';
import { globalAlertMachine } from './global-alert.machine.ts';
import { languageMenuMachine } from './language-menu.machine.ts';
import { createTranslationsMachine } from './translations.machine.ts';

const alerts: readonly Alert[] = [{ type: 'notice', messages: [{ key: 'app.oops' }] }];

describe('the global alert', () => {
  const startOpened = () => {
    const actor = createActor(globalAlertMachine).start();
    expect(actor.getSnapshot().value).toBe('closed');
    actor.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts });
    expect(actor.getSnapshot().value).toBe('opened');
    return actor;
  };

  it('shows newer alerts in place of those before', () => {
    const actor = startOpened();
    const newer: readonly Alert[] = [{ type: 'success', messages: [{ key: 'app.loading' }] }];
    actor.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: newer });
    expect(actor.getSnapshot().context.alerts).toBe(newer);
  });

  it('opens with its alerts, closes on CLOSE_ALL and LOGOUT, and keeps nothing', () => {
    for (const type of ['CLOSE_ALL', 'LOGOUT'] as const) {
      const actor = startOpened();
      actor.send({ type });
      expect(actor.getSnapshot().value).toBe('closed');
      expect(actor.getSnapshot().context.alerts).toEqual([]);
    }
  });

  it('explains a log-out that the voter did not request', () => {
    const actor = startOpened();
    actor.send({ type: 'LOGOUT', alerts });
    expect(actor.getSnapshot().value).toBe('opened');
    expect(actor.getSnapshot().context.alerts).toBe(alerts);
  });

  it('stays closed on CLOSE_ALL and on an empty update', () => {
    const actor = createActor(globalAlertMachine).start();
    actor.send({ type: 'CLOSE_ALL' });
    actor.send({ type: 'UPDATE_GLOBAL_ALERTS', alerts: [] });
    expect(actor.getSnapshot().value).toBe('closed');
  });
});

describe('the language menu', () => {
  it('opens by its toggle alone', () => {
    const actor = createActor(languageMenuMachine).start();
    for (const type of ['CLOSE', 'SELECT_LANGUAGE', 'LOGIN'] as const) {
      actor.send({ type });
      expect(actor.getSnapshot().value).toBe('closed');
    }
    actor.send({ type: 'TOGGLE' });
    expect(actor.getSnapshot().value).toBe('opened');
  });

  it('closes by its toggle, a choice, a login, and by leaving it', () => {
    for (const type of ['TOGGLE', 'SELECT_LANGUAGE', 'LOGIN', 'CLOSE'] as const) {
      const actor = createActor(languageMenuMachine).start();
      actor.send({ type: 'TOGGLE' });
      actor.send({ type });
      expect(actor.getSnapshot().value, type).toBe('closed');
    }
  });
});

describe('the translations', () => {
  it('are complete from the start, as the page brings them', () => {
    const { actor } = start(async () => inWords({}));
    expect(actor.getSnapshot().value).toBe('complete');
    expect(actor.getSnapshot().context.language).toBe('english');
  });

  it('change when the texts of another language have come', async () => {
    const { actor, log } = start(async () => inWords({ 'app.name': 'Faro' }));
    actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    expect(actor.getSnapshot().value).toBe('loading');
    expect(actor.getSnapshot().context.language).toBe('english');
    await expect.poll(() => actor.getSnapshot().value).toBe('complete');
    expect(actor.getSnapshot().context).toMatchObject({
      language: 'spanish',
      texts: { 'app.name': 'Faro' },
      isReviewed: false,
      hasChosen: true,
    });
    expect(log).toEqual(['changed to spanish']);
  });

  it('stay as they are when a download fails, however it fails', async () => {
    for (const load of [async () => null, () => Promise.reject(new Error('offline'))]) {
      const { actor, log } = start(load);
      actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
      await expect.poll(() => actor.getSnapshot().value).toBe('complete');
      expect(actor.getSnapshot().context).toMatchObject({
        language: 'english',
        texts: {},
        hasChosen: false,
      });
      expect(log).toEqual(['failed for spanish']);
      // The visitor may try again.
      actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
      expect(actor.getSnapshot().value).toBe('loading');
    }
  });

  it('follow the later of two quick choices', async () => {
    const { actor, log } = start(async (language) => inWords({ 'app.name': language }));
    actor.send({ type: 'SELECT_LANGUAGE', language: 'arabic' });
    actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    await expect.poll(() => actor.getSnapshot().value).toBe('complete');
    expect(actor.getSnapshot().context.language).toBe('spanish');
    expect(log).toEqual(['changed to spanish']);
  });

  it('fetch nothing for the language that is already there, and keep it as the choice', () => {
    const { actor, log } = start(async () => inWords({}));
    expect(actor.getSnapshot().context.hasChosen).toBe(false);
    actor.send({ type: 'SELECT_LANGUAGE', language: 'english' });
    expect(actor.getSnapshot().value).toBe('complete');
    expect(actor.getSnapshot().context.hasChosen).toBe(true);
    expect(log).toEqual(['changed to english']);
  });

  it('are completed by what the page came without, and by nothing of another language', async () => {
    const { actor } = start(async () => inWords({ 'app.name': 'Faro' }));
    const rest = { type: 'TEXTS_READY', language: 'english', ...inWords({ a: 'A' }) } as const;
    actor.send(rest);
    expect(actor.getSnapshot().context).toMatchObject({ texts: { a: 'A' }, isWhole: true });
    expect(actor.getSnapshot().context.hasChosen).toBe(false);
    actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    actor.send({ ...rest, texts: { a: 'B' } });
    expect(actor.getSnapshot().context.texts).toEqual({ a: 'B' });
    await expect.poll(() => actor.getSnapshot().value).toBe('complete');
    actor.send(rest);
    expect(actor.getSnapshot().context).toMatchObject({
      language: 'spanish',
      texts: { 'app.name': 'Faro' },
    });
  });

  it('of a language that was chosen are all there', async () => {
    const { actor } = start(async () => inWords({}));
    actor.send({ type: 'SELECT_LANGUAGE', language: 'spanish' });
    await expect.poll(() => actor.getSnapshot().context.isWhole).toBe(true);
  });

  const inWords = (texts: Texts) => ({ texts, isReviewed: false });

  function start(load: Parameters<typeof createTranslationsMachine>[0]['load']) {
    const log: string[] = [];
    const machine = createTranslationsMachine({
      load,
      onChange: (language) => log.push(`changed to ${language}`),
      onFailure: (language) => log.push(`failed for ${language}`),
    });
    const input = { language: 'english', texts: {}, isReviewed: true, isWhole: false } as const;
    const actor = createActor(machine, { input }).start();
    return { actor, log };
  }
});
