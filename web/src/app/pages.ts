import type { Screen } from '@ballot-beacon/contract/pages';
import { lazyPage } from './lazy-page.tsx';

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
export const unsubscribePage = lazyPage(() => import('../features/unsubscribe/index.tsx'));
export const verifyPage = lazyPage(() => import('../features/verify/index.tsx'));
export const qrLoginPage = lazyPage(() => import('../features/qr-login/index.tsx'));
export const notFoundPage = lazyPage(() => import('./not-found.tsx'));
const loadMembers = () => import('../shell/members.tsx');
export const membersTools = lazyPage(async () => ({ default: (await loadMembers()).MembersTools }));
export const membersWatch = lazyPage(async () => ({ default: (await loadMembers()).MembersWatch }));

export const membersNav = lazyPage(async () => ({ default: (await loadMembers()).MembersNav }));

interface LazySource {
  /** The file that is imported, as the build's manifest names it. */
  readonly source: string;
  preload(): Promise<unknown>;
}

const members: LazySource = {
  source: 'src/shell/members.tsx',
  preload: () =>
    Promise.all([membersTools.preload(), membersWatch.preload(), membersNav.preload()]),
};
const preferences: LazySource = {
  source: 'src/features/preferences/index.tsx',
  preload: () => Promise.all([preferencesPage.preload(), preferencesForm.preload()]),
};

const reading: LazySource = {
  source: 'src/features/pages/index.tsx',
  preload: readingPage.preload,
};

/** The lazily loaded sources of each screen that has some: their scripts are fetched along with the page. */
const sources: Readonly<Partial<Record<Screen, readonly LazySource[]>>> = {
  dashboard: [
    { source: 'src/features/dashboard/index.tsx', preload: dashboardPage.preload },
    preferences,
  ],
  preferences: [preferences],
  messages: [{ source: 'src/features/messages/index.tsx', preload: messagesPage.preload }],
  'confirm-email': [
    { source: 'src/features/preferences/confirm-email.tsx', preload: confirmEmailPage.preload },
  ],
  privacy: [reading],
  faq: [reading],
  'sms-policy': [reading],
  accessibility: [reading],
  unsubscribe: [{ source: 'src/features/unsubscribe/index.tsx', preload: unsubscribePage.preload }],
  verify: [{ source: 'src/features/verify/index.tsx', preload: verifyPage.preload }],
  'not-found': [{ source: 'src/app/not-found.tsx', preload: notFoundPage.preload }],
  'qr-login': [{ source: 'src/features/qr-login/index.tsx', preload: qrLoginPage.preload }],
};

/** What must be there before a screen is rendered as a whole. */
export function lazySourcesOf(screen: Screen, isSignedIn: boolean): readonly LazySource[] {
  return [...(isSignedIn ? [members] : []), ...(sources[screen] ?? [])];
}

/** Fetches all that the first screen after signing in may need. */
export function preloadMembersScreens(): Promise<unknown> {
  const ahead = [...lazySourcesOf('dashboard', true)];
  return Promise.all(ahead.map(({ preload }) => preload()));
}
