import type { Credentials } from '@ballot-beacon/contract/session';
import { type EventObject, fromCallback, setup } from 'xstate';
import type { Alert } from '../../shell/alerts.ts';

/** The server's answer to an attempt to sign in. */
export type SignInOutcome =
  | { type: 'LOGIN' }
  /** `isNoMatch`: the details, the voter ID or the token are not those of any voter. */
  | { type: 'ERROR'; alerts: readonly Alert[]; isNoMatch?: boolean }
  | { type: 'AMBIGUOUS'; alerts: readonly Alert[] }
  | { type: 'TOKEN'; alerts: readonly Alert[] };

export type LoginFormEvent =
  | { type: 'SUBMIT'; credentials: Credentials }
  | SignInOutcome
  | { type: 'REVERT' }
  | { type: 'LOGOUT' };

export interface LoginFormServices {
  /** Tries to sign in; never rejects. */
  signIn(credentials: Credentials): Promise<SignInOutcome>;
  announceLogin(): void;
  showAlerts(alerts: readonly Alert[]): void;
  countFailure(): void;
  closeAlerts(): void;
  resetCaptcha(): void;
  /** The box is out of sight beside the extra field, so a new answer is found without the voter. */
  resetCaptchaUnseen(): void;
}

/**
 * ```
 *  hidden ◀────LOGIN──── submitting ◀──SUBMIT── visible ◀── LOGOUT (from hidden)
 *                         │ ERROR ▶ error ──SUBMIT▶ submitting
 *                         │ AMBIGUOUS ▶ ambiguous ──SUBMIT▶ ambiguousSubmitting
 *                         │                 ▲ REVERT ▶ visible     │ LOGIN ▶ hidden
 *                         │                                        │ ERROR ▶ ambiguousError ──SUBMIT, REVERT
 *                         │                                        │ AMBIGUOUS ▶ ambiguous
 *                         │                                        ▼ TOKEN
 *                         └ TOKEN ▶ token ──SUBMIT▶ tokenSubmitting
 *                                     ▲ REVERT ▶ visible   │ LOGIN ▶ hidden
 *                                                          │ ERROR ▶ tokenError ──SUBMIT, REVERT
 *                                                          │ AMBIGUOUS ▶ ambiguous, TOKEN ▶ token
 * ```
 * A second AMBIGUOUS leads back to ambiguous, a second TOKEN to token. Leaving ambiguous, ambiguousError, token or
 * tokenError closes the alerts; the captcha resets on entering error,
 * ambiguousError and tokenError (product spec §4, Login form), and wherever another person may be next: on REVERT and
 * on LOGIN.
 */
export function createLoginFormMachine(services: LoginFormServices) {
  const submit = {
    src: 'signIn',
    input: ({ event }: { event: LoginFormEvent }) => {
      if (event.type !== 'SUBMIT') throw new Error(`Nothing to submit in ${event.type}`);
      return event.credentials;
    },
  } as const;
  // The answer that was sent is used up: the next person at this form needs a new one.
  const login = { target: 'hidden', actions: ['announceLogin', 'resetCaptcha'] } as const;
  const revert = { target: 'visible', actions: 'resetCaptchaUnseen' } as const;

  return setup({
    types: {
      input: {} as { isSignedIn: boolean },
      context: {} as { isSignedIn: boolean },
      events: {} as LoginFormEvent,
    },
    actors: {
      signIn: fromCallback<EventObject, Credentials>(({ input, sendBack }) => {
        let isAwaited = true;
        services.signIn(input).then((outcome) => isAwaited && sendBack(outcome));
        return () => {
          isAwaited = false;
        };
      }),
    },
    actions: {
      showAlerts: ({ event }) => {
        if ('alerts' in event) services.showAlerts(event.alerts);
      },
      countFailure: ({ event }) => {
        if (event.type === 'ERROR' && event.isNoMatch) services.countFailure();
      },
      closeAlerts: () => services.closeAlerts(),
      resetCaptcha: () => services.resetCaptcha(),
      resetCaptchaUnseen: () => services.resetCaptchaUnseen(),
      announceLogin: () => {
        services.closeAlerts();
        services.announceLogin();
      },
    },
    guards: { isSignedIn: ({ context }) => context.isSignedIn },
  }).createMachine({
    id: 'loginForm',
    context: ({ input }) => input,
    initial: 'start',
    states: {
      start: { always: [{ guard: 'isSignedIn', target: 'hidden' }, { target: 'visible' }] },
      hidden: { on: { LOGOUT: 'visible' } },
      visible: { on: { SUBMIT: 'submitting' } },
      submitting: {
        invoke: submit,
        on: { LOGIN: login, ERROR: 'error', AMBIGUOUS: 'ambiguous', TOKEN: 'token' },
      },
      error: {
        entry: ['showAlerts', 'countFailure', 'resetCaptcha'],
        on: { SUBMIT: 'submitting' },
      },

      ambiguous: {
        entry: 'showAlerts',
        exit: 'closeAlerts',
        on: { SUBMIT: 'ambiguousSubmitting', REVERT: revert },
      },
      ambiguousSubmitting: {
        invoke: submit,
        on: {
          LOGIN: login,
          ERROR: 'ambiguousError',
          AMBIGUOUS: { target: 'ambiguous', actions: 'resetCaptchaUnseen' },
          TOKEN: 'token',
        },
      },
      ambiguousError: {
        entry: ['showAlerts', 'countFailure', 'resetCaptchaUnseen'],
        exit: 'closeAlerts',
        on: { SUBMIT: 'ambiguousSubmitting', REVERT: revert },
      },

      token: {
        entry: 'showAlerts',
        exit: 'closeAlerts',
        on: { SUBMIT: 'tokenSubmitting', REVERT: revert },
      },
      tokenSubmitting: {
        invoke: submit,
        on: {
          LOGIN: login,
          ERROR: 'tokenError',
          AMBIGUOUS: { target: 'ambiguous', actions: 'resetCaptchaUnseen' },
          TOKEN: { target: 'token', actions: 'resetCaptchaUnseen' },
        },
      },
      tokenError: {
        entry: ['showAlerts', 'countFailure', 'resetCaptchaUnseen'],
        exit: 'closeAlerts',
        on: { SUBMIT: 'tokenSubmitting', REVERT: revert },
      },
    },
  });
}
