import { expect, test } from 'vitest';
import { createProviders } from './index.ts';
import { readRetryAfter } from './provider.ts';
import { readChannelSettings } from './settings.ts';

test('a channel has the providers that are set and no other, however few', () => {
  const settings: Record<string, string> = {
    ...{ SMTP_URL: 'smtp://localhost', VOICE_PROVIDER: 'none' },
    ...{ SMS_HTTP_URL: 'http://localhost/sms', SMS_HTTP_TOKEN: 'x'.repeat(16) },
  };
  // Only the local provider, which none of these is, has a database and a clock.
  const unused = {} as never;
  const given = readChannelSettings((name) => settings[name]);
  const providers = createProviders(given, 'https://beacon.example', unused, unused, unused);
  const names = Object.entries(providers).map(([channel, all]) => [
    channel,
    all.map(({ name }) => name),
  ]);
  expect(Object.fromEntries(names)).toEqual({
    ...{ email: ['smtp'], sms: ['http-sms'], voice: ['none'] },
  });
});

test.each([
  ['2', 2_000],
  ['0', 0],
  ['-5', 0],
  ['Wed, 21 Oct 2026 07:28:30 GMT', 30_000],
  ['Wed, 21 Oct 2026 07:27:00 GMT', 0],
  ['soon', null],
  [null, null],
])('a provider that asks us to wait for %j is left alone for %j ms', (header, waitMs) => {
  expect(readRetryAfter(header, Date.parse('2026-10-21T07:28:00Z'))).toBe(waitMs);
});
