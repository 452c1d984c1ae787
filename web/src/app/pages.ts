import type { Screen } from '@ballot-beacon/contract/pages';
import { type LazyPage, lazyPage } from './lazy-page.tsx';

const loadPreferences = () => import('../features/preferences/index.tsx');

export const dashboardPage = lazyPage(() => import('../features/dashboard/index.tsx'));
export const preferencesPage = lazyPage(async () => {
  const { PreferencesPage } = await loadPreferences();
  return { default: PreferencesPage };
});
export const preferencesForm = lazyPage(async () => {
  const { PreferencesForm } = await loadPreferences();
  return { default: PreferencesForm };
});
export const confirmEmailPage = lazyPage(async () => {
  const { ConfirmEmailPage } = await import('../features/preferences/confirm-email.tsx');
  return { default: ConfirmEmailPage };
});
export const messagesPage = lazyPage(() => import('../features/messages/index.tsx'));
export const readingPage = lazyPage(() => import('../features/pages/index.tsx'));
/** Screens that are the same for everybody, and take no properties. */
export const plainPages: Readonly<Partial<Record<Screen, LazyPage<object>>>> = {
  unsubscribe: lazyPage(() => import('../features/unsubscribe/index.tsx')),
  verify: lazyPage(() => import('../features/verify/index.tsx')),
  performance: lazyPage(() => import('../features/performance/index.tsx')),
  'qr-login': lazyPage(() => import('../features/qr-login/index.tsx')),
  letter: lazyPage(() => import('../features/qr-login/letter.tsx')),
  'not-found': lazyPage(() => import('./not-found.tsx')),
};
const loadMembers = () => import('../shell/members.tsx');
export const membersTools = lazyPage(async () => ({ default: (await loadMembers()).MembersTools }));
export const membersWatch = lazyPage(async () => ({ default: (await loadMembers()).MembersWatch }));

export const membersNav = lazyPage(async () => ({ default: (await loadMembers()).MembersNav }));

interface Preloaded {
  preload(): Promise<unknown>;
}

const members = [membersTools, membersWatch, membersNav];
const preferences = [preferencesPage, preferencesForm];
const reading = [readingPage];

/** The lazily loaded parts of each other screen that has some; page-sources.ts names the files of all. */
const parts: Readonly<Partial<Record<Screen, readonly Preloaded[]>>> = {
  dashboard: [dashboardPage, ...preferences],
  preferences,
  messages: [messagesPage],
  'confirm-email': [confirmEmailPage],
  privacy: reading,
  faq: reading,
  'sms-policy': reading,
  accessibility: reading,
};

/** What must be there before a screen is rendered as a whole. */
export function lazyPartsOf(screen: Screen, isSignedIn: boolean): readonly Preloaded[] {
  const plain = plainPages[screen];
  return [...(isSignedIn ? members : []), ...(plain ? [plain] : (parts[screen] ?? []))];
}

/** Fetches all that the first screen after signing in may need. */
export function preloadMembersScreens(): Promise<unknown> {
  return Promise.all(lazyPartsOf('dashboard', true).map(({ preload }) => preload()));
}
