import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CastMember, cast } from '../../../demo/cast.ts';
import { createTestApi, type TestApi } from '../../../testing/api.ts';
import { testTokenKeys } from '../../../testing/token-keys.ts';
import { loadDemo } from '../load-demo.ts';
import { systemClock } from '../platform/clock.ts';

let api: TestApi;
let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = mkdtempSync(path.join(tmpdir(), 'beacon-logs-'));
  api = await createTestApi({ environment: { DEFAULT_ACCOUNT: 'demo', LOG_LEVEL: 'debug' } });
  await loadDemo(api.test.database, systemClock, { dataDirectory, tokenKeys: testTokenKeys });
}, 60_000);
afterAll(async () => {
  await api.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

test('a full run logs nothing of any voter: no name, phone, email, birth date or voter ID', async () => {
  for (const { account, typed, registrationId, token, signsIn } of Object.values<CastMember>(
    cast,
  )) {
    api.clock.advance(60 * 60_000); // so that no failure counts against the next voter
    const browser = api.browser(`${account}.localhost`);
    const credentials = { ...typed, recaptcha: 'off', ...(token && { token }) };
    await browser.post('/api/voter/session', { ...credentials, lastname: `${typed.lastname}x` });
    await browser.post('/api/voter/session', { ...credentials, birthdate: 'wrong' });
    const answer = await browser.post('/api/voter/session', {
      ...credentials,
      provided_voter_id: registrationId,
    });
    expect(answer.statusCode, registrationId).toBe(signsIn ? 201 : 401);
    if (!signsIn) continue;
    for (const url of [
      'ballot-status-progress/me',
      'archive-ballot',
      'information',
      'no-ballot-status/english',
    ]) {
      expect((await browser.get(`/api/voter/${url}`)).statusCode).toBe(200);
    }
    const email = `${registrationId}@mail.example`;
    const patch = { email, email_opt_in: true, phone_sms: '352-555-0100', sms_opt_in: true };
    expect((await browser.patch('/api/voter/information/me', patch)).statusCode).toBe(200);
    await browser.get(`/voter/unsubscribe?email=${email}&key=x`);
    await browser.post('/api/voter/unsubscribe', { email, key: 'wrong' });
    await browser.delete('/api/voter/session');
  }
  const log = api.logLines.join('');
  expect(api.logLines.length).toBeGreaterThan(300);
  const rows = await api.query<Record<string, string | null>>(
    `select firstname, lastname, registration_id, birthdate::text, to_char(birthdate, 'MM-DD-YYYY') as us_birthdate,
       phone, email, address from voters
     union all
     select '', '', '', null, null, address, pending_address, '' from contact_channels`,
  );
  expect(rows.length).toBeGreaterThan(1900);
  // Whole words, as they are on the roll: "sent" in a log line is no Mr Sent.
  const words = new Set(log.split(/[^\p{L}\p{N}@.+-]+/u));
  const isLogged = (value: string) => (/\s/.test(value) ? log.includes(value) : words.has(value));
  const logged = rows.flatMap((row) =>
    Object.entries(row).filter(([, value]) => value && isLogged(value)),
  );
  expect(logged).toEqual([]);
}, 120_000);
