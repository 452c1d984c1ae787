import { errorCodes } from '@ballot-beacon/contract/problem';
import type { Credentials } from '@ballot-beacon/contract/session';
import { call, type Refusal } from '../../api/client.ts';
import { type Alert, type AlertMessage, oopsAlert } from '../../shell/alerts.ts';
import { callWithCaptcha } from '../../shell/call-with-captcha.ts';
import type { Captcha } from '../../shell/captcha.ts';
import { beginSession } from '../../shell/session-end.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import type { SignInOutcome } from './login-form.machine.ts';

export interface RefusalContext {
  /** Where a voter can look up whether the product serves their county; null on an account's own site. */
  readonly availabilityUrl: string | null;
  /** BCP 47, for times. */
  readonly locale: string;
  /** The office to call. */
  readonly county: string;
  readonly phone: string;
}

export interface SignInContext extends RefusalContext {
  readonly captcha: Captcha;
  /** Called when signing in takes longer than usual. */
  readonly onMoreWork: () => void;
}

/** Tries to sign in and says what the form must do next, with the words of product spec §8, Login. */
export async function signIn(
  credentials: Credentials,
  context: SignInContext,
): Promise<SignInOutcome> {
  const outcome = await callWithCaptcha(
    context.captcha,
    (answer) =>
      beginSession(() =>
        call('createSession', {
          body: { ...credentials, recaptcha: answer ?? credentials.recaptcha },
        }),
      ),
    context.onMoreWork,
  );
  if (outcome.kind === 'answered') return { type: 'LOGIN' };
  if (outcome.kind === 'failed') return { type: 'ERROR', alerts: [oopsAlert()] };
  return readRefusal(outcome, context);
}

export function readRefusal(
  { problem, retryAfter }: Refusal,
  context: RefusalContext,
): SignInOutcome {
  switch (problem['error-code']) {
    case errorCodes.ambiguousCredentials:
      return { type: 'AMBIGUOUS', alerts: [notice('login.ambiguous.text')] };
    case errorCodes.tokenRequired:
      return { type: 'TOKEN', alerts: [notice('login.tokenRequired.text')] };
    case errorCodes.invalidRecaptcha:
    case errorCodes.moreWork:
      return { type: 'ERROR', alerts: [error({ key: 'login.invalidRecaptcha.text' })] };
    case errorCodes.proofRequired: {
      const { county, phone } = context;
      return {
        type: 'ERROR',
        alerts: [
          error(
            { key: 'login.proof.title', important: true },
            { key: 'login.proof.text', values: { county, phone } },
          ),
        ],
      };
    }
  }
  if (problem.status === 429) {
    return { type: 'ERROR', alerts: [tooManyAlert(context.locale, retryAfter)] };
  }
  if (problem.detail === 'Invalid credentials' || problem.detail === 'Failed Validation') {
    const messages: AlertMessage[] = [
      { key: 'login.invalid.title', important: true },
      { key: 'login.invalid.text' },
      ...Object.values(problem.validation_messages ?? {})
        .flatMap((byRule) => Object.values(byRule))
        .map((text) => ({ text })),
    ];
    if (context.availabilityUrl)
      messages.push({ key: 'login.invalid.availability', href: context.availabilityUrl });
    return {
      type: 'ERROR',
      alerts: [error(...messages)],
      isNoMatch: problem.detail === 'Invalid credentials',
    };
  }
  return { type: 'ERROR', alerts: [oopsAlert(problem.err_id)] };
}

const notice = (key: string): Alert => ({ type: 'notice', messages: [{ key }] });
const error = (...messages: AlertMessage[]): Alert => ({ type: 'error', messages });
