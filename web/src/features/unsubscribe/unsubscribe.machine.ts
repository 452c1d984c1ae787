import type { UnsubscribeRequest } from '@ballot-beacon/contract/voter-information';
import { assign, fromPromise, setup } from 'xstate';

/** What the mailed link says; null when it came without a key or an address. */
export type MailedLink = UnsubscribeRequest | null;

export interface UnsubscribeServices {
  /** Resolves to null when the address is removed, else to what the server said against it; never rejects. */
  unsubscribe(link: UnsubscribeRequest): Promise<Refused | null>;
}

export interface Refused {
  /** The server's own words for what is wrong with the link; null for any other failure. */
  readonly detail: string | null;
}

/**
 * ```
 *  idle ──SUBMIT──▶ loading ──removed──▶ success
 *   │                 │ refused
 *   └─ no key or ───▶ error ──SUBMIT (only with a key and an address)──▶ loading
 *      address
 * ```
 * Nothing is sent before the voter presses the button: mail scanners follow links.
 */
export function createUnsubscribeMachine(services: UnsubscribeServices) {
  return setup({
    types: {
      input: {} as { link: MailedLink },
      context: {} as { link: MailedLink; detail: string | null },
      events: {} as { type: 'SUBMIT' },
    },
    actors: {
      unsubscribe: fromPromise<Refused | null, MailedLink>(({ input }) =>
        input ? services.unsubscribe(input) : Promise.resolve({ detail: null }),
      ),
    },
    guards: { hasLink: ({ context }) => context.link !== null },
  }).createMachine({
    id: 'unsubscribe',
    context: ({ input }) => ({ link: input.link, detail: null }),
    initial: 'start',
    states: {
      start: { always: [{ guard: 'hasLink', target: 'idle' }, { target: 'error' }] },
      idle: { on: { SUBMIT: 'loading' } },
      loading: {
        invoke: {
          src: 'unsubscribe',
          input: ({ context }) => context.link,
          onDone: [
            { guard: ({ event }) => event.output === null, target: 'success' },
            {
              target: 'error',
              actions: assign({ detail: ({ event }) => event.output?.detail ?? null }),
            },
          ],
        },
      },
      success: {},
      error: { on: { SUBMIT: { guard: 'hasLink', target: 'loading' } } },
    },
  });
}
