import { expect, test } from 'vitest';
import { createProviders } from './index.ts';
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
