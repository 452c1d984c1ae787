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

export interface TranslationsServices {
  /** Fetches a language's texts; null when they cannot be had. */
  load(language: Language): Promise<LoadedTexts | null>;
  /** The page is in the language that the visitor chose. */
  onChange(language: Language): void;
  /** A download failed: an analytics event and a log line, nothing a voter sees (product spec §4). */
  onFailure(language: Language): void;
}

interface Context extends LanguageTexts {
  readonly wanted: Language;
  /** Whether the visitor chose the page's language here, if only by confirming it. */
  readonly hasChosen: boolean;
}

type Event = { type: 'SELECT_LANGUAGE'; language: Language };

/**
 * ```
 *  init ──▶ complete ──SELECT_LANGUAGE──▶ loading ⟲ SELECT_LANGUAGE (the later choice wins)
 *               ◀───────── texts came, or failed and the old ones stay ──
 * ```
 * Choosing the language that the page is in fetches nothing, and counts as a choice. The first language comes with the page, so init passes at once.
 */
export function createTranslationsMachine(services: TranslationsServices) {
  return setup({
    types: {
      context: {} as Context,
      input: {} as LanguageTexts,
      events: {} as Event,
    },
    actors: {
      load: fromPromise<LoadedTexts | null, Language>(({ input }) => services.load(input)),
    },
    guards: {
      isOther: ({ context, event }) =>
        event.type === 'SELECT_LANGUAGE' && event.language !== context.language,
    },
    actions: {
      want: assign({ wanted: ({ event }) => event.language }),
      keepChoice: assign({ hasChosen: true }),
      announceChoice: ({ context }) => services.onChange(context.language),
    },
  }).createMachine({
    id: 'translations',
    context: ({ input }) => ({ ...input, wanted: input.language, hasChosen: false }),
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
                assign(({ context, event }) => ({ language: context.wanted, ...event.output })),
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
