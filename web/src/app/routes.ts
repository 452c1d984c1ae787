import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';

/** Where the app lives; all its paths are below it. */
export const base = '/voter';

const screens = {
  '/': 'login',
  '/login': 'login',
  '/dashboard': 'dashboard',
  '/preferences': 'preferences',
  '/confirmCheck': 'confirm-check',
  '/confirm-email': 'confirm-email',
  '/privacy': 'privacy',
  '/faq': 'faq',
  '/sms-policy': 'sms-policy',
  '/accessibility': 'accessibility',
  '/unsubscribe': 'unsubscribe',
  '/qr-login': 'qr-login',
} as const;

export type Screen = (typeof screens)[keyof typeof screens] | 'not-found';

const membersOnly: ReadonlySet<Screen> = new Set<Screen>([
  'dashboard',
  'preferences',
  'confirm-check',
  'confirm-email',
]);

const standalone: ReadonlySet<Screen> = new Set<Screen>([
  'privacy',
  'faq',
  'sms-policy',
  'accessibility',
  'unsubscribe',
  'qr-login',
]);

/** Whether a screen brings its own frame: it has no top bar, alerts and footer around it. */
export const isStandalone = (screen: Screen): boolean => standalone.has(screen);

/** @param path below {@link base}, as the router has it: `/dashboard`. */
export function findScreen(path: string): Screen {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  return Object.hasOwn(screens, trimmed) ? screens[trimmed as keyof typeof screens] : 'not-found';
}

/**
 * Where this visitor belongs instead (product spec §2, Routing rules); null to stay. Paths are below {@link base}.
 * The code of a confirmation mail outlives a redirect to the login, so that it counts after signing in.
 *
 * @param search with or without its question mark.
 */
export function findRedirect(
  path: string,
  search: string,
  critical: Pick<CriticalData, 'voter' | 'delivery_types'> | null,
): string | null {
  const screen = findScreen(path);
  const code = new URLSearchParams(search).get('code');
  const codeQuery = code ? `?${new URLSearchParams({ code })}` : '';

  if (screen === 'qr-login' && !new URLSearchParams(search).get('guid')) return '/';
  if (!critical)
    return membersOnly.has(screen) ? `/${screen === 'confirm-email' ? codeQuery : ''}` : null;
  if (screen === 'login') return code ? `/confirm-email${codeQuery}` : '/confirmCheck';
  if (screen === 'confirm-check')
    return critical.voter.is_confirmed ? '/dashboard' : '/preferences';
  if (screen === 'confirm-email') return code ? null : '/confirmCheck';
  if (screen === 'preferences' && !offersDelivery(critical)) return '/dashboard';
  return null;
}

function offersDelivery({ delivery_types }: Pick<CriticalData, 'delivery_types'>): boolean {
  return delivery_types._embedded.delivery_type.length > 0;
}

/** An account's address that no account answers: the voter is sent to another ballot locator; null to stay. */
export function findLocator(branding: Branding): string | null {
  return branding.account_id === -1 && branding.has_subdomain ? branding.locator_url : null;
}
