import twilio from 'twilio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPhoneOffice, type PhoneOffice, phone } from '../../../../../testing/phone-office.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openSilentDelivery } from '../delivery/local-delivery.ts';

let office: PhoneOffice;
beforeEach(async () => {
  office = await openPhoneOffice(twilio.getExpectedTwilioSignature, openSilentDelivery);
});
afterEach(() => office.close());

async function countWaiting(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(
    office.county.database.system,
  );
  return rows.length;
}

/** Lets the texts wait for one lock in this order, so that each has come before the first is handled. */
async function textAtOnce(bodies: readonly string[]): Promise<void> {
  const texts: Promise<void>[] = [];
  await office.county.database.transaction(async (tx) => {
    await sql`select from contact_channels where channel = 'sms' for update`.execute(tx);
    for (const body of bodies) {
      texts.push(office.text(body));
      await expect.poll(countWaiting, { interval: 10, timeout: 10_000 }).toBe(texts.length);
    }
  });
  await Promise.all(texts);
}

test.each([
  ['STOP', 'YES', 'opted-out', true],
  ['YES', 'STOP', 'opted-out', true],
  ['STOP', 'START', 'pending', false],
  ['START', 'STOP', 'opted-out', true],
] as const)(
  'of a number that texts %s and %s at one moment the page says what is so: %s',
  async (first, second, status, isStopped) => {
    await office.askForTexts();
    await textAtOnce([first, second]);
    expect(await office.sms()).toMatchObject({ sms_status: status });
    const { rows } = await sql`select from suppressions`.execute(office.county.database.system);
    expect(rows.length > 0).toBe(isStopped);
  },
);

const other = '+13525550002';

test('more voters than the process has connections for text and call at one moment, and each is answered', async () => {
  for (const [voter, address] of [
    ['V001', phone],
    ['V002', other],
  ] as const)
    await office.save(voter, {
      sms: { address, isOptedIn: true, status: 'unproven' },
      voice: { pendingAddress: address, isOptedIn: true },
    });
  const call = (From: string) =>
    office.callTwilio('/api/provider/twilio/voice', {
      ...{ CallSid: office.nextId('CA'), From, To: '+15555550100' },
    });
  const [, , ...calls] = await Promise.all([
    ...[phone, other].map((from) => office.text('YES', from)),
    ...[phone, other].map((from) => call(from)),
  ]);
  for (const answer of calls) expect(answer?.body).toContain('Your number is confirmed');
  for (const voter of ['V001', 'V002'])
    expect(await office.channelsOf(voter)).toMatchObject({
      sms: { status: 'proven' },
      voice: { status: 'proven' },
    });
});
