import { call } from '../api/client.ts';

/** Says to the other tabs of this browser that somebody has signed out. */
const channelName = 'beacon-office-sign-out';

/** The provider's own address for signing out of it, too; null where there is none. */
type ProviderAddress = string | null;

/** Ends the session, here and in the other tabs. @throws {CallError} and the person is still signed in */
export async function signOut(): Promise<ProviderAddress> {
  const { provider_sign_out: address } = await call('deleteOfficeSession', {});
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(address);
  channel.close();
  return address;
}

/** Calls back whenever another tab signed out. @returns how to stop */
export function onSignOut(callback: (address: ProviderAddress) => void): () => void {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = ({ data }: MessageEvent<ProviderAddress>) => callback(data);
  return () => channel.close();
}
