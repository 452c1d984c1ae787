/** Where the app lives; all its paths are below it. */
export const base = '/voter';

/** Where the Log out buttons post to while the page's script has not arrived. */
export const logOutPath = `${base}/log-out`;
/** The query by which the sign-in page, where that leads, knows of it. */
export const loggedOutName = 'logged-out';
export const afterLogOut = `${base}?${loggedOutName}`;

const screens = {
  '/': 'login',
  '/login': 'login',
  '/dashboard': 'dashboard',
  '/preferences': 'preferences',
  '/messages': 'messages',
  '/confirmCheck': 'confirm-check',
  '/confirm-email': 'confirm-email',
  '/privacy': 'privacy',
  '/faq': 'faq',
  '/sms-policy': 'sms-policy',
  '/accessibility': 'accessibility',
  '/unsubscribe': 'unsubscribe',
  '/verify': 'verify',
  '/performance': 'performance',
  '/qr-login': 'qr-login',
  '/letter': 'letter',
} as const;

export type Screen = (typeof screens)[keyof typeof screens] | 'not-found';

/** @param path below {@link base}, as the router has it: `/dashboard`. */
export function findScreen(path: string): Screen {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path;
  return Object.hasOwn(screens, trimmed) ? screens[trimmed as keyof typeof screens] : 'not-found';
}

/** The parts of the query that a signed-out visitor's screen shows, or answers with a redirect. */
const shownNames: Partial<Record<Screen, readonly string[]>> = {
  unsubscribe: ['key', 'email'],
  'confirm-email': ['code'],
};

/**
 * The address whose page all signed-out visitors of an address can share. Whatever else a query names, and whichever path
 * leads nowhere, the page is the same, so that nobody can make the server render it anew by making addresses up.
 *
 * @param path below {@link base}
 * @returns path and search; null where the page shows something of this very address
 */
export function findSharedAddress(
  path: string,
  query: { get(name: string): string | null },
): string | null {
  const screen = findScreen(path);
  if (shownNames[screen]?.some((name) => query.get(name))) return null;
  const [known] = Object.entries(screens).find(([, one]) => one === screen) ?? ['/not-found'];
  const address = `${base}${known.replace(/\/$/, '')}`;
  // Whichever ballot it is of, only the browser uses it; without any, there is nothing to do here.
  return screen === 'qr-login' && query.get('guid') ? `${address}?guid=any` : address;
}
