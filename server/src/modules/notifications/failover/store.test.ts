import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addOffice } from '../../../../../testing/api.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../testing/database.ts';
import { sql } from '../../../../../testing/sql.ts';
import {
  demotionGapMs,
  demotionPoints,
  recoveryGapMs,
  recoveryPoints,
  slowAfterMs,
  slowMinimum,
  slowWithinMs,
} from './rules.ts';
import {
  demoteProvider,
  findSlowProviders,
  pauseProvider,
  readHealth,
  recoverProviders,
  registerProviders,
} from './store.ts';

const now = new Date('2026-10-05T15:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await addOffice(db, { subdomain: 'adams' });
});
afterAll(() => db.drop());

const system = () => db.database.system;
const names = ['one', 'two', 'three'];
beforeEach(async () => {
  await sql`truncate providers, messages cascade`.execute(system());
  await registerProviders(system(), 'sms', names, now);
  await registerProviders(system(), 'email', names, now);
});
const weights = async (channel: 'sms' | 'email' = 'sms') =>
  (await readHealth(system(), channel, names)).map(({ weight }) => weight);
const demote = (provider: string, at: Date) => demoteProvider(system(), 'sms', provider, names, at);

describe('a provider that fails', () => {
  test('gives points to the others, at most once in two seconds, and on its own channel alone', async () => {
    await demote('one', now);
    const given = Math.ceil(demotionPoints / 2);
    expect(await weights()).toEqual([100 - demotionPoints, given, given]);
    await demote('one', after(demotionGapMs - 1));
    expect(await weights()).toEqual([100 - demotionPoints, given, given]);
    await demote('one', after(demotionGapMs));
    expect(await weights()).toEqual([100 - 2 * demotionPoints, 2 * given, 2 * given]);
    expect(await weights('email')).toEqual([100, 0, 0]);
  });

  test('gives them at once, although all were looked at a moment ago and were well', async () => {
    await recoverProviders(system(), 'sms', after(recoveryGapMs));
    await demote('one', after(recoveryGapMs));
    expect((await weights())[0]).toBe(100 - demotionPoints);
  });

  test('is preferred or not as the settings say at the last start', async () => {
    await registerProviders(system(), 'sms', ['two', 'one', 'three'], now);
    expect(await weights()).toEqual([100, 0, 0]);
    for (let minute = 1; minute <= 10; minute += 1)
      await recoverProviders(system(), 'sms', after(minute * recoveryGapMs));
    expect(await weights()).toEqual([0, 100, 0]);
    expect(await weights('email')).toEqual([100, 0, 0]);
  });

  test('is left alone until the latest time that it asked for', async () => {
    const until = async () => (await readHealth(system(), 'sms', ['one']))[0]?.pausedUntil;
    for (const [asked, left] of [
      [1_000, 1_000],
      [60_000, 60_000],
      [2_000, 60_000],
    ] as const) {
      await pauseProvider(system(), 'sms', 'one', after(asked));
      expect(await until()).toEqual(after(left));
    }
    expect((await readHealth(system(), 'email', ['one']))[0]?.pausedUntil).toBeNull();
  });

  test('keeps its traffic where there is no other, and has none below zero', async () => {
    await demoteProvider(system(), 'sms', 'one', ['one'], now);
    expect(await weights()).toEqual([100, 0, 0]);
    for (let time = 0; time < 20; time += 1) await demote('one', after(time * demotionGapMs));
    expect(await weights()).toEqual([0, 50, 50]);
  });

  test('gets its points back, once a minute, up to what it has at rest', async () => {
    await demote('one', now);
    await demote('one', after(demotionGapMs));
    const start = demotionGapMs + recoveryGapMs;
    await recoverProviders(system(), 'sms', after(start - 1));
    const low = 100 - 2 * demotionPoints;
    // The others had no fault since the start, so they give back first.
    const more = 2 * Math.ceil(demotionPoints / 2) - recoveryPoints;
    expect(await weights()).toEqual([low, more, more]);
    await recoverProviders(system(), 'sms', after(start));
    expect(await weights()).toEqual([low + recoveryPoints, more, more]);
    await recoverProviders(system(), 'sms', after(start + recoveryGapMs - 1));
    const less = more - recoveryPoints;
    expect(await weights()).toEqual([low + recoveryPoints, less, less]);
    for (let minute = 1; minute < 20; minute += 1)
      await recoverProviders(system(), 'sms', after(start + minute * recoveryGapMs));
    expect(await weights()).toEqual([100, 0, 0]);
    await demoteProvider(system(), 'email', 'one', names, now);
    const ofMail = await weights('email');
    await recoverProviders(system(), 'sms', after(20 * recoveryGapMs));
    expect(await weights('email')).toEqual(ofMail);
  });

  test('is paused on its own channel alone', async () => {
    await pauseProvider(system(), 'sms', 'two', after(5_000));
    const paused = async (channel: 'sms' | 'email') =>
      (await readHealth(system(), channel, names)).map(({ pausedUntil }) => pausedUntil);
    expect(await paused('sms')).toEqual([null, after(5_000), null]);
    expect(await paused('email')).toEqual([null, null, null]);
  });
});

describe('a provider whose receipts are slow', () => {
  /** @param of.silent how many of them have no receipt; the others came at once */
  async function send(of: {
    count: number;
    silent: number;
    provider?: string;
    ago?: number;
    took?: number;
  }) {
    const { count, silent, provider = 'one', ago = slowAfterMs, took = 0 } = of;
    const sentAt = after(-ago);
    await sql`insert into messages (account_id, kind, channel, address, language, cause, deliver_after, provider, state,
        sent_at, finished_at)
      select account_id, 'welcome', 'sms', 'x' || n, 'english', ${provider} || n, ${sentAt}, ${provider},
        case when n <= ${silent} then 'sent' else 'delivered' end::message_state, ${sentAt},
        case when n > ${silent} then ${new Date(sentAt.getTime() + took)}::timestamptz end
      from accounts, generate_series(1, ${count}) n`.execute(system());
  }
  const slow = () => findSlowProviders(system(), 'sms', now);

  test.each([
    [slowMinimum - 1, slowMinimum - 1, []],
    [slowMinimum, 5, []],
    [slowMinimum, 6, ['one']],
    [100, 29, []],
    [100, 30, ['one']],
  ])(
    'has %i messages of four minutes ago, %i of them without one',
    async (count, silent, found) => {
      await send({ count, silent });
      await send({ count: 100, silent: 0, provider: 'two' });
      expect(await slow()).toEqual(found);
    },
  );

  test.each([
    [slowAfterMs - 1, []],
    [slowAfterMs, ['one']],
    [slowWithinMs, ['one']],
    [slowWithinMs + 1, []],
  ])('sent them %i ms ago', async (ago, found) => {
    await send({ count: 50, silent: 50, ago });
    expect(await slow()).toEqual(found);
    expect(await findSlowProviders(system(), 'email', now)).toEqual([]);
  });

  test.each([
    [slowAfterMs, []],
    [slowAfterMs + 1, ['one']],
  ])('has receipts after %i ms', async (took, found) => {
    await send({ count: 50, silent: 0, ago: slowWithinMs, took });
    expect(await slow()).toEqual(found);
  });
});
