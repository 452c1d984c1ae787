import { expect, test } from 'vitest';
import { findKeptAddress } from './kept-address.ts';

const from = (url: string, referer: string | undefined, host = 'adams.example.org') =>
  findKeptAddress({ url, host, headers: { referer } });
const language = '/voter/qr-login?language=spanish';

test('a language that was chosen on a page goes with the rest of its address', () => {
  expect(from(language, 'https://adams.example.org/voter/qr-login?guid=7')).toBe(
    '/voter/qr-login?guid=7&language=spanish',
  );
  expect(from(language, 'https://adams.example.org/voter/qr-login?language=thai&guid=7')).toBe(
    '/voter/qr-login?language=spanish&guid=7',
  );
});

test.each([
  ['another site', 'https://evil.example.org/voter/qr-login?guid=7'],
  ['another page', 'https://adams.example.org/voter?code=7'],
  ['an address without more', 'https://adams.example.org/voter/qr-login?language=thai'],
  ['something that is no address', 'about:client'],
  ['nowhere', undefined],
])('what comes from %s adds nothing', (_, referer) => {
  expect(from(language, referer)).toBeUndefined();
});

test('an address that says more than a language, or none, stays as it is', () => {
  const referer = 'https://adams.example.org/voter/qr-login?guid=7';
  expect(from('/voter/qr-login?guid=8&language=spanish', referer)).toBeUndefined();
  expect(from('/voter/qr-login', referer)).toBeUndefined();
});

test('that somebody has logged out is said once', () => {
  expect(
    from('/voter?language=spanish', 'https://adams.example.org/voter?logged-out'),
  ).toBeUndefined();
});
