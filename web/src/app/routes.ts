import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';

/** Where the app lives; all its paths are below it. */
export const base = '/voter';

export type Screen = 'login' | 'dashboard' | 'not-found';

const screens: Readonly<Record<string, Screen>> = {
  '/': 'login',
  '/login': 'login',
  '/dashboard': 'dashboard',
};

const membersOnly: ReadonlySet<Screen> = new Set<Screen>(['dashboard']);

/** @param path below {@link base}, as the router has it: `/dashboard`. */
export function findScreen(path: string): Screen {
  return screens[path.length > 1 ? path.replace(/\/$/, '') : path] ?? 'not-found';
}

/** Where this visitor belongs instead (product spec §2, Routing rules); null to stay. Paths are below {@link base}. */
export function findRedirect(path: string, critical: CriticalData | null): string | null {
  const screen = findScreen(path);
  if (critical) return screen === 'login' ? '/dashboard' : null;
  return membersOnly.has(screen) ? '/' : null;
}

/** An account's address that no account answers: the voter is sent to another ballot locator; null to stay. */
export function findLocator(branding: Branding): string | null {
  return branding.account_id === -1 && branding.has_subdomain ? branding.locator_url : null;
}
