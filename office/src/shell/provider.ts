import { call } from '../api/client.ts';

/** What this tab alone remembers while it is at the provider. */
const keys = { returnTo: 'office-return-to', isWindow: 'office-sign-in-window' } as const;

/** Pages of the console on the way to the provider and back. */
export const providerPaths = { start: '/office/signing-in', end: '/office/signed-in' } as const;

/** Leaves for the provider's page; the console goes on where it was. @param again the provider must ask anew */
export async function goToProvider(again: boolean): Promise<void> {
  const { pathname, search, hash } = location;
  const { url } = await call('startProviderSignIn', { body: { again } });
  const isOnTheWay = (Object.values(providerPaths) as string[]).includes(pathname);
  if (!isOnTheWay) sessionStorage.setItem(keys.returnTo, pathname + search + hash);
  location.assign(url);
}

/** Opens the provider's page in a window of its own, so that what is typed here stays. @returns whether the browser let it */
export function openProviderWindow(): boolean {
  return window.open(providerPaths.start, '_blank', 'popup,width=540,height=720') !== null;
}

/** At {@link providerPaths}.start: this window is there for the sign-in alone. */
export function markAsWindow(): void {
  sessionStorage.setItem(keys.isWindow, '1');
}

/** After a sign-in: closes a window that was there for it alone. @returns where to go on otherwise */
export function leaveProvider(): string {
  if (sessionStorage.getItem(keys.isWindow) !== null) window.close();
  const returnTo = sessionStorage.getItem(keys.returnTo) ?? '/office/';
  sessionStorage.removeItem(keys.returnTo);
  return returnTo;
}
