import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../../testing/api.ts';
import { createTestClock } from '../../../../../testing/clock.ts';
import { signInNewVoter } from '../../../../../testing/new-voter.ts';
import { readConfig } from '../../../platform/config.ts';
import type { AccountId } from '../../../platform/ids.ts';
import { createDelivery, deliverAll } from './local-delivery.ts';

let api: TestApi;
let accountId: AccountId;
beforeAll(async () => {
  api = await createTestApi();
  accountId = await addOffice(api.test, { subdomain: 'masked', contact_proof: 'masked' });
});
afterAll(() => api.close());

const minutes = 60_000;

/** A voter asks for a code, and the delivery comes to it so much later. @returns what becomes of the message */
async function leave(afterMs: number): Promise<string | undefined> {
  const { browser, voterId } = await signInNewVoter(api, { accountId, host: 'masked.localhost' });
  const email = `after-${afterMs}@example.org`;
  const saved = await browser.patch('/api/voter/information/me', { email, email_opt_in: true });
  expect(saved.statusCode).toBe(200);
  const asked = await browser.post('/api/voter/contact-code', { channel: 'email' });
  expect(asked.statusCode).toBe(204);
  const { database } = api.test;
  // The database notes when the message is made.
  const clock = createTestClock(new Date(Date.now() + afterMs).toISOString());
  const config = readConfig({ DEFAULT_ACCOUNT: '' });
  await deliverAll(await createDelivery({ database, clock, config }));
  const [message] = await api.query<{ state: string }>(
    `select state from messages where voter_id = $1 and kind = 'contact-code'`,
    [voterId],
  );
  return message?.state;
}

test('a code that could not leave while it was good does not come later', async () => {
  expect(await leave(9 * minutes)).toMatch(/^(sent|delivered)$/);
  expect(await leave(11 * minutes)).toBe('expired');
});
