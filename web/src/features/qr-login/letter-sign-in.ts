import { errorCodes } from '@ballot-beacon/contract/problem';
import { plainCode } from '@ballot-beacon/contract/typed-text';
import type { Failure, Refusal } from '../../api/client.ts';
import { type Alert, oopsAlert } from '../../shell/alerts.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import { askForSession, type QrSignInContext } from './qr-sign-in.ts';

/** What to do about a letter's code, as a translation key beside its field, or as an alert. */
export type LetterTrouble =
  | { readonly field: 'code' | 'date_of_birth'; readonly key: string }
  | { readonly alert: Alert };

/** Whether something has the length of a letter's code, whatever its case, spaces and dashes. */
export function looksLikeLetterCode(typed: string): boolean {
  return /^[a-z\d]{16}$/i.test(plainCode(typed));
}

/** @returns null once the voter is signed in */
export async function signInByLetter(
  code: string,
  dateOfBirth: string,
  context: QrSignInContext,
): Promise<LetterTrouble | null> {
  const outcome = await askForSession(code, dateOfBirth, context);
  return outcome.kind === 'answered' ? null : readLetterTrouble(outcome, context);
}

export function readLetterTrouble(
  outcome: Refusal | Failure,
  { county, phone, locale }: Pick<QrSignInContext, 'county' | 'phone' | 'locale'>,
): LetterTrouble {
  if (outcome.kind === 'failed') return { alert: oopsAlert() };
  const { status, err_id } = outcome.problem;
  if (outcome.problem['error-code'] === errorCodes.proofRequired)
    return {
      alert: {
        type: 'error',
        messages: [
          { key: 'login.tooMany.title', important: true },
          { key: 'letter.usedUp', values: { county, phone } },
        ],
      },
    };
  if (status === 404) return { field: 'code', key: 'letter.unknown' };
  if (status === 400) return { field: 'date_of_birth', key: 'letter.mismatch' };
  if (status === 422) return { field: 'date_of_birth', key: 'login.birthdate.invalid' };
  return { alert: status === 429 ? tooManyAlert(locale, outcome.retryAfter) : oopsAlert(err_id) };
}
