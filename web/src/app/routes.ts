import type { CriticalData } from '@ballot-beacon/contract/bootstrap';
import type { Branding } from '@ballot-beacon/contract/branding';
import { findScreen, type Screen } from '@ballot-beacon/contract/pages';

const membersOnly: ReadonlySet<Screen> = new Set<Screen>([
  'dashboard',
  'preferences',
  'messages',
  'confirm-check',
  'confirm-email',
]);

/** Whether a screen brings its own frame, as all that anybody may read do: it has no top bar, alerts and footer around it. */
export const isStandalone = (screen: Screen): boolean =>
  !(membersOnly.has(screen) || screen === 'login' || screen === 'not-found');

/**
 * Where this visitor belongs instead (product spec §2, Routing rules); null to stay. Paths are below the app's base.
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
