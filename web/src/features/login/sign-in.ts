import { errorCodes } from '@ballot-beacon/contract/problem';
import type { Credentials } from '@ballot-beacon/contract/session';
import { call, type Refusal } from '../../api/client.ts';
import { type Alert, type AlertMessage, oopsAlert } from '../../shell/alerts.ts';
import type { SignInOutcome } from './login-form.machine.ts';

interface SignInContext {
  /** Where a voter can look up whether the product serves their county; null on an account's own site. */
  readonly availabilityUrl: string | null;
  readonly showTime: (when: Date) => string;
}

/** Tries to sign in and says what the form must do next, with the words of product spec §8, Login. */
export async function signIn(
  credentials: Credentials,
  context: SignInContext,
): Promise<SignInOutcome> {
  const outcome = await call('createSession', { body: credentials });
  if (outcome.kind === 'answered') return { type: 'LOGIN' };
  if (outcome.kind === 'failed') return { type: 'ERROR', alerts: [oopsAlert()] };
  return readRefusal(outcome, context);
}

export function readRefusal(
  { problem, retryAfter }: Refusal,
  context: SignInContext,
): SignInOutcome {
  switch (problem['error-code']) {
    case errorCodes.ambiguousCredentials:
      return { type: 'AMBIGUOUS', alerts: [notice('login.ambiguous.text')] };
    case errorCodes.tokenRequired:
      return { type: 'TOKEN', alerts: [notice('login.tokenRequired.text')] };
    case errorCodes.invalidRecaptcha:
      return { type: 'ERROR', alerts: [error({ key: 'login.invalidRecaptcha.text' })] };
  }
  if (problem.status === 429) {
    const time = context.showTime(new Date(Date.now() + (retryAfter ?? 60 * 60) * 1000));
    return {
      type: 'ERROR',
      alerts: [
        error(
          { key: 'login.tooMany.title', important: true },
          { key: 'login.tooMany.text', values: { time } },
        ),
      ],
    };
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
    return { type: 'ERROR', alerts: [error(...messages)] };
  }
  return { type: 'ERROR', alerts: [oopsAlert(problem.err_id)] };
}

const notice = (key: string): Alert => ({ type: 'notice', messages: [{ key }] });
const error = (...messages: AlertMessage[]): Alert => ({ type: 'error', messages });
