import type { OfficeSession } from '@ballot-beacon/contract/office/people';
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { CallError, call } from '../api/client.ts';
import { t } from '../words/index.ts';

/** Signs in with a passkey of this device. @throws {CallError} with a message for the person */
export async function signInWithPasskey(): Promise<OfficeSession> {
  const options = await call('startPasskeySignIn', {});
  const passkey = await asked(
    startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    }),
  );
  return call('createOfficeSession', { body: { passkey: { ...passkey } as never } });
}

/** Accepts an invitation with a new passkey, and signs in. @throws {CallError} with a message for the person */
export async function acceptInvitation(token: string): Promise<OfficeSession> {
  const options = await call('startInvitation', { body: { token } });
  const passkey = await asked(
    startRegistration({
      optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }),
  );
  return call('acceptInvitation', { body: { token, passkey: { ...passkey } as never } });
}

/** A browser says in many ways that the person chose nothing. */
async function asked<T>(question: Promise<T>): Promise<T> {
  try {
    return await question;
  } catch {
    throw new CallError(t('signIn.cancelled'), 0);
  }
}
