import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { fromPromise, setup } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';

export type ConfirmOutcome =
  | { readonly type: 'confirmed'; readonly voter: VoterInformation }
  /** The code is not, or no longer, that of the voter's address. */
  | { readonly type: 'refused' }
  /** The alert says why; the code is as good as before. */
  | { readonly type: 'failed'; readonly alert: Alert }
  | { readonly type: 'expired' };

export interface ConfirmEmailServices {
  /** Never rejects. */
  sendCode(): Promise<ConfirmOutcome>;
  announceConfirmed(voter: VoterInformation): void;
  announceLogout(): void;
}

/**
 * ```
 *  sending ──confirmed──▶ done
 *    ▲  ├────refused────▶ refused
 *    │  ├────expired────▶ done (logged out)
 *  RETRY└────failed─────▶ failed
 *    └─────────────────────┘
 * ```
 * The code goes out when the page runs, never when a link is only looked at (decisions, Preferences).
 */
export function createConfirmEmailMachine(services: ConfirmEmailServices) {
  return setup({
    types: { events: {} as { type: 'RETRY' } },
    actors: { send: fromPromise(() => services.sendCode()) },
  }).createMachine({
    id: 'confirmEmail',
    initial: 'sending',
    states: {
      sending: {
        invoke: {
          src: 'send',
          onDone: [
            {
              guard: ({ event }) => event.output.type === 'confirmed',
              target: 'done',
              actions: ({ event }) => {
                if (event.output.type === 'confirmed')
                  services.announceConfirmed(event.output.voter);
              },
            },
            {
              guard: ({ event }) => event.output.type === 'expired',
              target: 'done',
              actions: () => services.announceLogout(),
            },
            { guard: ({ event }) => event.output.type === 'refused', target: 'refused' },
            { target: 'failed' },
          ],
        },
      },
      done: {},
      refused: {},
      failed: { on: { RETRY: 'sending' } },
    },
  });
}
