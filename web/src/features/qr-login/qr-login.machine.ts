import { assign, type EventObject, fromCallback, fromPromise, setup } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';

export type QrOutcome =
  | { type: 'LOGIN' }
  /** The birth date is not that of the ballot's voter. */
  | { type: 'MISMATCH' }
  /** Anything else: the voter goes on at the first page. */
  | { type: 'LEAVE'; alerts: readonly Alert[] };

export type QrLoginEvent = { type: 'SUBMIT'; dateOfBirth: string } | { type: 'EDIT' } | QrOutcome;

export type QrError = 'empty' | 'mismatch';

export interface QrLoginServices {
  /** Whether the code belongs to a ballot; never rejects. */
  checkGuid(): Promise<QrOutcome | null>;
  /** Never rejects. */
  signIn(dateOfBirth: string): Promise<QrOutcome>;
  enter(): void;
  leave(alerts: readonly Alert[]): void;
}

/**
 * ```
 *  checking ──good──▶ ready ──SUBMIT──▶ submitting ──LOGIN──▶ entered
 *     │               ▲ │ empty            │ MISMATCH
 *     │          EDIT │ ▼                  ▼
 *     │               error ──SUBMIT──▶ (submitting, or error while empty)
 *     └── bad ──▶ left ◀── LEAVE from submitting
 * ```
 * Editing clears the error. A submit while checking does not wait: signing in checks the code too.
 */
export function createQrLoginMachine(services: QrLoginServices) {
  const submit = [
    { guard: 'isEmpty', target: 'error', actions: 'complainOfEmpty' },
    { target: 'submitting' },
  ] as const;
  return setup({
    types: {
      context: {} as { error: QrError | null },
      events: {} as QrLoginEvent,
    },
    actors: {
      checkGuid: fromPromise(() => services.checkGuid()),
      signIn: fromCallback<EventObject, string>(({ input, sendBack }) => {
        let isAwaited = true;
        services.signIn(input).then((outcome) => isAwaited && sendBack(outcome));
        return () => {
          isAwaited = false;
        };
      }),
    },
    guards: {
      isEmpty: ({ event }) => event.type === 'SUBMIT' && event.dateOfBirth.trim() === '',
    },
    actions: {
      complainOfEmpty: assign({ error: 'empty' }),
      complainOfMismatch: assign({ error: 'mismatch' }),
      forgive: assign({ error: null }),
    },
  }).createMachine({
    id: 'qrLogin',
    context: { error: null },
    initial: 'checking',
    states: {
      checking: {
        invoke: {
          src: 'checkGuid',
          onDone: [
            { guard: ({ event }) => event.output === null, target: 'ready' },
            {
              target: 'left',
              actions: ({ event }) =>
                services.leave(event.output?.type === 'LEAVE' ? event.output.alerts : []),
            },
          ],
        },
        on: { SUBMIT: [...submit] },
      },
      ready: { on: { SUBMIT: [...submit] } },
      submitting: {
        entry: 'forgive',
        invoke: {
          src: 'signIn',
          input: ({ event }) => (event.type === 'SUBMIT' ? event.dateOfBirth : ''),
        },
        on: {
          LOGIN: { target: 'entered', actions: () => services.enter() },
          MISMATCH: { target: 'error', actions: 'complainOfMismatch' },
          LEAVE: { target: 'left', actions: ({ event }) => services.leave(event.alerts) },
        },
      },
      error: { on: { SUBMIT: [...submit], EDIT: { target: 'ready', actions: 'forgive' } } },
      entered: {},
      left: {},
    },
  });
}
