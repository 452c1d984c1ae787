import { errorCodes } from '@ballot-beacon/contract/problem';
import { call, type Failure, type Refusal } from '../../api/client.ts';
import { type Alert, oopsAlert } from '../../shell/alerts.ts';
import { callWithCaptcha } from '../../shell/call-with-captcha.ts';
import { type Captcha, noCaptcha } from '../../shell/captcha.ts';
import { beginSession } from '../../shell/session-end.ts';
import { tooManyAlert } from '../../shell/too-many-alert.ts';
import type { QrOutcome } from './qr-login.machine.ts';

/** Asks whether the scanned code belongs to a ballot; null when it does. @param locale BCP 47, for times */
export async function checkGuid(guid: string, locale: string): Promise<QrOutcome | null> {
  const outcome = await call('validateQrCode', { params: { guid } });
  return outcome.kind === 'answered' ? null : leaveWith(outcome, locale);
}

export interface QrSignInContext {
  readonly captcha: Captcha;
  /** Called when signing in takes longer than usual. */
  readonly onMoreWork: () => void;
  /** The office to call. */
  readonly county: string;
  readonly phone: string;
  /** BCP 47, for times. */
  readonly locale: string;
}

/** @param code of a ballot's QR code, or of a letter */
export async function askForSession(
  code: string,
  dateOfBirth: string,
  { captcha, onMoreWork }: Pick<QrSignInContext, 'captcha' | 'onMoreWork'>,
) {
  const outcome = await callWithCaptcha(
    captcha,
    (answer) =>
      beginSession(() =>
        call('createQrSession', {
          body: {
            ballot_guid: code,
            date_of_birth: dateOfBirth,
            ...(answer !== null && captcha !== noCaptcha && { recaptcha: answer }),
          },
        }),
      ),
    onMoreWork,
  );
  captcha.reset();
  return outcome;
}

export async function signInByQr(
  guid: string,
  dateOfBirth: string,
  context: QrSignInContext,
): Promise<QrOutcome> {
  const outcome = await askForSession(guid, dateOfBirth, context);
  return outcome.kind === 'answered' ? { type: 'LOGIN' } : readQrTrouble(outcome, context);
}

/** Product spec §8, QR login. */
export function readQrTrouble(
  outcome: Refusal | Failure,
  context: Pick<QrSignInContext, 'county' | 'phone' | 'locale'>,
): QrOutcome {
  if (outcome.kind === 'failed') return leaveWith(outcome, context.locale);
  const { status, detail } = outcome.problem;
  const isMismatch =
    (status === 400 && detail === 'Date of birth did not match') ||
    (status === 422 && detail === 'Failed Validation');
  if (isMismatch) return { type: 'MISMATCH' };
  if (outcome.problem['error-code'] === errorCodes.proofRequired) {
    return { type: 'LEAVE', alerts: [usedUp(context)] };
  }
  return leaveWith(outcome, context.locale);
}

function leaveWith(outcome: Refusal | Failure, locale: string): QrOutcome {
  const alertOf = () => {
    if (outcome.kind === 'failed') return oopsAlert();
    const { status, err_id } = outcome.problem;
    if (status === 429) return tooManyAlert(locale, outcome.retryAfter);
    return status === 404 ? unknownCode : oopsAlert(err_id);
  };
  return { type: 'LEAVE', alerts: [alertOf()] };
}

const unknownCode: Alert = { type: 'notice', messages: [{ key: 'qrLogin.unknownCode' }] };
const usedUp = ({ county, phone }: { county: string; phone: string }): Alert => ({
  type: 'error',
  messages: [
    { key: 'login.tooMany.title', important: true },
    { key: 'qrLogin.usedUp', values: { county, phone } },
  ],
});
