import { call } from '../api/client.ts';
import { createTabChannel } from './tab-channel.ts';

/** The provider's own address for signing out of it, too; null where there is none. */
type ProviderAddress = string | null;

const signOuts = createTabChannel<ProviderAddress>('beacon-office-sign-out');

/** Ends the session, here and in the other tabs. @throws {CallError} and the person is still signed in */
export async function signOut(): Promise<ProviderAddress> {
  const { provider_sign_out: address } = await call('deleteOfficeSession', {});
  signOuts.send(address);
  return address;
}

/** Calls back whenever another tab signed out. @returns how to stop */
export const onSignOut = signOuts.listen;
