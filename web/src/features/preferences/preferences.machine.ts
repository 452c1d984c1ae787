import type { ValidationMessages } from '@ballot-beacon/contract/problem';
import type { PreferencesPatch, VoterInformation } from '@ballot-beacon/contract/voter-information';
import { type EventObject, fromCallback, setup } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';

/** What to save: what the voter changed, or the one press that ends all updates. */
export type SaveRequest =
  | { readonly type: 'SUBMIT'; readonly patch: PreferencesPatch }
  | { readonly type: 'OPT_OUT_OF_ALL' };

export type SaveOutcome =
  | { type: 'SUCCESS'; voter: VoterInformation; alerts: readonly Alert[] }
  | { type: 'ERROR'; alerts: readonly Alert[]; validationMessages: ValidationMessages }
  /** The server no longer knows the session. */
  | { type: 'EXPIRED' };

export type PreferencesEvent =
  | { type: 'LOGIN' }
  | { type: 'CRITICAL_DATA_READY' }
  | SaveRequest
  | SaveOutcome
  | { type: 'LOGOUT' };

export interface PreferencesServices {
  /** Never rejects. */
  save(request: SaveRequest): Promise<SaveOutcome>;
  announceSaved(voter: VoterInformation): void;
  announceRefused(validationMessages: ValidationMessages): void;
  showAlerts(alerts: readonly Alert[]): void;
  announceLogout(): void;
}

/**
 * ```
 *  hidden ──LOGIN──▶ waiting ──CRITICAL_DATA_READY──▶ form {
 *    ▲                                                  init ──SUBMIT, OPT_OUT_OF_ALL──▶ submitting
 *    │                                                    ◀────────────SUCCESS──────────────┤
 *    │                                                  error ◀───────────ERROR─────────────┤
 *    │                                                    └──SUBMIT, OPT_OUT_OF_ALL──▶      │
 *    │                                                }                                     │
 *    └── LOGOUT from anywhere; EXPIRED (the session is gone) ───────────────────────────────┘
 * ```
 * A second press while submitting is passed over. A voter whose data came with the page starts in the form.
 */
export function createPreferencesMachine(services: PreferencesServices) {
  const submit = { SUBMIT: 'submitting', OPT_OUT_OF_ALL: 'submitting' } as const;
  const announce = ({ event }: { event: SaveOutcome }) => announceOutcome(services, event);
  return setup({
    types: {
      input: {} as { isReady: boolean },
      context: {} as { isReady: boolean },
      events: {} as PreferencesEvent,
    },
    actors: {
      save: fromCallback<EventObject, SaveRequest>(({ input, sendBack }) => {
        let isAwaited = true;
        services.save(input).then((outcome) => isAwaited && sendBack(outcome));
        return () => {
          isAwaited = false;
        };
      }),
    },
    guards: { isReady: ({ context }) => context.isReady },
  }).createMachine({
    id: 'preferences',
    context: ({ input }) => input,
    initial: 'start',
    on: { LOGOUT: '.hidden' },
    states: {
      start: { always: [{ guard: 'isReady', target: 'form' }, { target: 'hidden' }] },
      hidden: { on: { LOGIN: 'waiting' } },
      waiting: { on: { CRITICAL_DATA_READY: 'form' } },
      form: {
        initial: 'init',
        states: {
          init: { on: submit },
          submitting: {
            invoke: {
              src: 'save',
              input: ({ event }) => {
                if (event.type === 'SUBMIT' || event.type === 'OPT_OUT_OF_ALL') return event;
                throw new Error(`Nothing to save in ${event.type}`);
              },
            },
            on: {
              SUCCESS: { target: 'init', actions: announce },
              ERROR: { target: 'error', actions: announce },
              EXPIRED: { target: '#preferences.hidden', actions: announce },
            },
          },
          error: { on: submit },
        },
      },
    },
  });
}

/** What the whole page learns of how a save ended. */
export function announceOutcome(services: PreferencesServices, outcome: SaveOutcome): void {
  if (outcome.type === 'EXPIRED') {
    services.announceLogout();
    return;
  }
  if (outcome.type === 'SUCCESS') services.announceSaved(outcome.voter);
  else services.announceRefused(outcome.validationMessages);
  services.showAlerts(outcome.alerts);
}
