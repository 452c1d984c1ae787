import { call, type Failure, type Refusal } from '../../api/client.ts';
import { type Alert, oopsAlert } from '../../shell/alerts.ts';
import type { QrOutcome } from './qr-login.machine.ts';

/** Asks whether the scanned code belongs to a ballot; null when it does. */
export async function checkGuid(guid: string): Promise<QrOutcome | null> {
  const outcome = await call('validateQrCode', { params: { guid } });
  if (outcome.kind === 'answered') return null;
  return { type: 'LEAVE', alerts: [outcome.kind === 'failed' ? oopsAlert() : unknownCode] };
}

export async function signInByQr(guid: string, dateOfBirth: string): Promise<QrOutcome> {
  const outcome = await call('createQrSession', {
    body: { ballot_guid: guid, date_of_birth: dateOfBirth },
  });
  return outcome.kind === 'answered' ? { type: 'LOGIN' } : readQrTrouble(outcome);
}

/** Product spec §8, QR login. */
export function readQrTrouble(outcome: Refusal | Failure): QrOutcome {
  if (outcome.kind === 'failed') return { type: 'LEAVE', alerts: [oopsAlert()] };
  const { status, detail, err_id } = outcome.problem;
  const isMismatch =
    (status === 400 && detail === 'Date of birth did not match') ||
    (status === 422 && detail === 'Failed Validation');
  if (isMismatch) return { type: 'MISMATCH' };
  if (status === 429) return { type: 'LEAVE', alerts: [tooMany] };
  return { type: 'LEAVE', alerts: [status === 404 ? unknownCode : oopsAlert(err_id)] };
}

const unknownCode: Alert = { type: 'notice', messages: [{ key: 'qrLogin.unknownCode' }] };
const tooMany: Alert = {
  type: 'error',
  messages: [{ key: 'login.tooMany.title', important: true }, { key: 'qrLogin.tooMany' }],
};
