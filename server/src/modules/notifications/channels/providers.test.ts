import { generateKeyPairSync, type KeyObject } from 'node:crypto';
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

test('a key that cannot sign mail is refused, with which all of it would leave unsigned', () => {
  const read = (key: string) =>
    readChannelSettings(
      (name) => ({ DKIM_DOMAIN: 'a.example', DKIM_SELECTOR: 's1', DKIM_PRIVATE_KEY: key })[name],
    ).DKIM_PRIVATE_KEY;
  const pem = ({ privateKey }: { readonly privateKey: KeyObject }) =>
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const rsa = pem(generateKeyPairSync('rsa', { modulusLength: 2048 }));
  expect(read(rsa)).toBe(rsa);
  const others = [
    pem(generateKeyPairSync('ed25519')),
    pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
  ];
  // As a line of a file of settings has it.
  for (const wrong of [rsa.replaceAll('\n', '\\n'), rsa.slice(0, 900), 's1', ...others])
    expect(() => read(wrong)).toThrow(/DKIM_PRIVATE_KEY: must be an RSA private key/);
});

test('provider settings that lack a part are refused by name, and what is empty is not set', () => {
  const unset = readChannelSettings(() => undefined);
  expect(readChannelSettings(() => '')).toEqual(unset);
  expect(() => readChannelSettings((name) => ({ TWILIO_ACCOUNT_SID: 'AC1' })[name])).toThrow(
    'TWILIO_AUTH_TOKEN',
  );
  expect(() => readChannelSettings((name) => ({ SMTP_URL: 'http://mail' })[name])).toThrow(
    'SMTP_URL',
  );
});
