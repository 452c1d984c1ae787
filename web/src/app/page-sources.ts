import type { Branding } from '@ballot-beacon/contract/branding';
import type { Screen } from '@ballot-beacon/contract/pages';

const feature = (name: string) => `src/features/${name}/index.tsx`;
const reading = [feature('pages')];

/** The files that pages.ts imports for each screen, as the build's manifest names them. Only the server needs them. */
const sources: Readonly<Partial<Record<Screen, readonly string[]>>> = {
  dashboard: [feature('dashboard'), feature('preferences')],
  preferences: [feature('preferences')],
  messages: [feature('messages')],
  'confirm-email': ['src/features/preferences/confirm-email.tsx'],
  privacy: reading,
  faq: reading,
  'sms-policy': reading,
  accessibility: reading,
  unsubscribe: [feature('unsubscribe')],
  verify: [feature('verify')],
  performance: [feature('performance')],
  'not-found': ['src/app/not-found.tsx'],
  'qr-login': [feature('qr-login')],
  letter: ['src/features/qr-login/letter.tsx'],
};

/** Whose scripts are fetched along with the page. */
export function lazySourcesOf(screen: Screen, isSignedIn: boolean): readonly string[] {
  return [...(isSignedIn ? ['src/shell/members.tsx'] : []), ...(sources[screen] ?? [])];
}

/** Whose scripts run before the page reacts: the voter who checks the box at first sight waits for little else. */
export function earlySourcesOf(
  screen: Screen,
  captcha: Branding['captcha']['kind'],
): readonly string[] {
  return screen === 'login' && captcha === 'altcha' ? ['src/shell/captcha-work.ts'] : [];
}
