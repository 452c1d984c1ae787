import type { Branding } from '@ballot-beacon/contract/branding';
import type { Channel } from '@ballot-beacon/contract/messages';
import { findScreen, findSharedAddress } from '@ballot-beacon/contract/pages';
import { describe, expect, it } from 'vitest';
import { findLocator, findRedirect } from './routes.ts';

function voter(is_confirmed: boolean, ...types: Channel[]) {
  return {
    voter: { is_confirmed },
    delivery_types: {
      _embedded: { delivery_type: types.map((delivery_type) => ({ delivery_type })) },
    },
  } as Parameters<typeof findRedirect>[2];
}

const confirmed = voter(true, 'email');
const unconfirmed = voter(false, 'email');

describe('addresses', () => {
  it.each([
    ['/', 'login'],
    ['/login', 'login'],
    ['/dashboard', 'dashboard'],
    ['/preferences', 'preferences'],
    ['/messages', 'messages'],
    ['/confirmCheck', 'confirm-check'],
    ['/confirm-email', 'confirm-email'],
    ['/privacy', 'privacy'],
    ['/faq', 'faq'],
    ['/sms-policy', 'sms-policy'],
    ['/accessibility', 'accessibility'],
    ['/unsubscribe', 'unsubscribe'],
    ['/verify', 'verify'],
    ['/performance', 'performance'],
    ['/qr-login', 'qr-login'],
    ['/letter', 'letter'],
  ])('/voter%s is the screen %s, with or without a slash at its end', (path, screen) => {
    expect(findScreen(path)).toBe(screen);
    expect(findScreen(`${path}/`.replace('//', '/'))).toBe(screen);
  });

  it.each(['/nowhere', '/dashboard/more', '/toString', '/constructor', '/Dashboard'])(
    '%s is no page',
    (path) => expect(findScreen(path)).toBe('not-found'),
  );
});

describe('a visitor who is not signed in', () => {
  it.each(['/dashboard', '/preferences', '/messages', '/confirmCheck'])(
    'is sent from %s to the root',
    (path) => expect(findRedirect(path, '', null)).toBe('/'),
  );

  it('keeps the code of a confirmation mail on the way to the login', () => {
    expect(findRedirect('/confirm-email', '?code=a%2Fb%26c', null)).toBe('/?code=a%2Fb%26c');
    expect(findRedirect('/confirm-email', '', null)).toBe('/');
  });

  it.each(['/', '/login', '/privacy', '/faq', '/sms-policy', '/unsubscribe', '/qr-login', '/x'])(
    'may read %s',
    (path) => expect(findRedirect(path, '?guid=1', null)).toBeNull(),
  );

  it.each(['', '?guid=', '?code=1'])(
    'without the guid of a ballot is sent from the QR login home',
    (search) => {
      expect(findRedirect('/qr-login', search, null)).toBe('/');
      expect(findRedirect('/qr-login', search, confirmed)).toBe('/');
    },
  );
});

describe('a signed-in voter', () => {
  it.each(['/', '/login'])('is sent from %s to the check of the preferences', (path) =>
    expect(findRedirect(path, '', confirmed)).toBe('/confirmCheck'),
  );

  it('is sent from home with a code to the confirmation of the email', () => {
    expect(findRedirect('/', 'code=a%2Fb%26c', confirmed)).toBe('/confirm-email?code=a%2Fb%26c');
    expect(findRedirect('/confirm-email', '?code=1', confirmed)).toBeNull();
    expect(findRedirect('/confirm-email', '', confirmed)).toBe('/confirmCheck');
  });

  it('a voter who has confirmed goes on to the dashboard', () =>
    expect(findRedirect('/confirmCheck', '', confirmed)).toBe('/dashboard'));

  it('a voter who has not confirmed goes on to the preferences', () =>
    expect(findRedirect('/confirmCheck', '', unconfirmed)).toBe('/preferences'));

  it('whose office offers no way of telling meets no preferences page', () => {
    expect(findRedirect('/preferences', '', voter(false))).toBe('/dashboard');
    expect(findRedirect('/preferences', '', voter(false, 'voice'))).toBeNull();
  });

  it.each(['/dashboard', '/privacy', '/unsubscribe', '/qr-login', '/x'])('may stay at %s', (path) =>
    expect(findRedirect(path, '?guid=1', confirmed)).toBeNull(),
  );
});

it('an address of no county leads to the ballot locator, the bare host does not', () => {
  const unserved = { account_id: -1, has_subdomain: true, locator_url: 'https://locator.example' };
  expect(findLocator(unserved as Branding)).toBe('https://locator.example');
  expect(findLocator({ ...unserved, has_subdomain: false } as Branding)).toBeNull();
  expect(findLocator({ ...unserved, account_id: 7 } as Branding)).toBeNull();
});

it.each([
  ['/', '', '/voter'],
  ['/login/', 'x=1', '/voter'],
  ['/privacy', 'email=a', '/voter/privacy'],
  ['/nowhere', 'x=1', '/voter/not-found'],
  ['/unsubscribe', 'x=1', '/voter/unsubscribe'],
  ['/unsubscribe', 'key=a', null],
  ['/unsubscribe', 'email=a', null],
  ['/confirm-email', 'code=a', null],
  ['/qr-login', 'guid=1', '/voter/qr-login?guid=any'],
  ['/qr-login', '', '/voter/qr-login'],
])('visitors of %s?%s share the page of %s', (path, query, shared) =>
  expect(findSharedAddress(path, new URLSearchParams(query))).toBe(shared),
);
