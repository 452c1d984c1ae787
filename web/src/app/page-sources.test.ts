import type { Screen } from '@ballot-beacon/contract/pages';
import { expect, test } from 'vitest';
import { earlySourcesOf, lazySourcesOf } from './page-sources.ts';
import { lazyPartsOf } from './pages.ts';

// A record, so that a new screen has to be named here.
const screens: Record<Screen, true> = {
  login: true,
  dashboard: true,
  preferences: true,
  messages: true,
  'confirm-check': true,
  'confirm-email': true,
  privacy: true,
  faq: true,
  'sms-policy': true,
  accessibility: true,
  unsubscribe: true,
  verify: true,
  performance: true,
  'qr-login': true,
  letter: true,
  'not-found': true,
};

test.each(Object.keys(screens) as Screen[])(
  'the page of %s names the sources of what it renders, for their scripts and styles',
  (screen) => {
    const isLazy = lazyPartsOf(screen, false).length > 0;
    expect(lazySourcesOf(screen, false).length > 0).toBe(isLazy);
  },
);

test('a page’s sources are those of its own feature, and a voter’s page has what only voters see', () => {
  for (const screen of [
    ...(['dashboard', 'preferences', 'messages', 'unsubscribe', 'verify', 'performance'] as const),
    ...(['qr-login', 'confirm-email', 'not-found'] as const),
  ])
    expect(lazySourcesOf(screen, false).join(), screen).toContain(`/${screen}`);
  expect(lazySourcesOf('login', false)).toEqual([]);
  expect(lazySourcesOf('login', true)).toEqual(['src/shell/members.tsx']);
});

test('only a sign-in page with the proof of work has its script run early', () => {
  for (const screen of Object.keys(screens) as Screen[])
    for (const kind of ['altcha', 'recaptcha', 'off'] as const)
      expect(earlySourcesOf(screen, kind).length > 0).toBe(screen === 'login' && kind === 'altcha');
});
