import type { Language } from '@ballot-beacon/contract/languages';
import type { Texts } from '@ballot-beacon/contract/translate';
import { assign, fromPromise, setup } from 'xstate';

export interface LanguageTexts {
  readonly language: Language;
  readonly texts: Texts;
  /** False while no native reviewer has been through the language. */
  readonly isReviewed: boolean;
}

export type LoadedTexts = Omit<LanguageTexts, 'language'>;

interface Input extends LanguageTexts {
  /** False for a page that came with what it says first. */
  readonly isWhole: boolean;
}

export interface TranslationsServices {
  /** Fetches a language's texts; null when they cannot be had. */
  load(language: Language): Promise<LoadedTexts | null>;
  /** The page is in the language that the visitor chose. */
  onChange(language: Language): void;
  /** A download failed: an analytics event and a log line, nothing a voter sees (product spec §4). */
  onFailure(language: Language): void;
}

interface Context extends Input {
  readonly wanted: Language;
  /** Whether the visitor chose the page's language here, if only by confirming it. */
  readonly hasChosen: boolean;
}

type Event =
  | { type: 'SELECT_LANGUAGE'; language: Language }
  | ({ type: 'TEXTS_READY' } & LanguageTexts);

/**
 * ```
 *  init ──▶ complete ──SELECT_LANGUAGE──▶ loading ⟲ SELECT_LANGUAGE (the later choice wins)
 *               ◀───────── texts came, or failed and the old ones stay ──
 * ```
 * Choosing the language that the page is in fetches nothing, and counts as a choice. The first language comes with the page, so init passes at once.
 * TEXTS_READY brings what the page came without; of another language than is shown it brings nothing.
 */
export function createTranslationsMachine(services: TranslationsServices) {
  return setup({
    types: {
      context: {} as Context,
      input: {} as Input,
      events: {} as Event,
    },
    actors: {
      load: fromPromise<LoadedTexts | null, Language>(({ input }) => services.load(input)),
    },
    guards: {
      isOther: ({ context, event }) =>
        event.type === 'SELECT_LANGUAGE' && event.language !== context.language,
      isShown: ({ context, event }) => event.language === context.language,
    },
    actions: {
      want: assign({ wanted: ({ event }) => event.language }),
      complete: assign(({ event }) =>
        event.type === 'TEXTS_READY'
          ? { texts: event.texts, isReviewed: event.isReviewed, isWhole: true }
          : {},
      ),
      keepChoice: assign({ hasChosen: true }),
      announceChoice: ({ context }) => services.onChange(context.language),
    },
  }).createMachine({
    id: 'translations',
    context: ({ input }) => ({ ...input, wanted: input.language, hasChosen: false }),
    on: { TEXTS_READY: { guard: 'isShown', actions: 'complete' } },
    initial: 'init',
    states: {
      init: { always: 'complete' },
      complete: {
        on: {
          SELECT_LANGUAGE: [
            { guard: 'isOther', target: 'loading', actions: 'want' },
            { actions: ['keepChoice', 'announceChoice'] },
          ],
        },
      },
      loading: {
        on: { SELECT_LANGUAGE: { target: 'loading', reenter: true, actions: 'want' } },
        invoke: {
          src: 'load',
          input: ({ context }) => context.wanted,
          onDone: [
            {
              guard: ({ event }) => event.output !== null,
              target: 'complete',
              actions: [
                assign(({ context, event }) => ({
                  language: context.wanted,
                  isWhole: true,
                  ...event.output,
                })),
                'keepChoice',
                'announceChoice',
              ],
            },
            { target: 'complete', actions: ({ context }) => services.onFailure(context.wanted) },
          ],
          onError: {
            target: 'complete',
            actions: ({ context }) => services.onFailure(context.wanted),
          },
        },
      },
    },
  });
}
