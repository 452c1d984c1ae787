import { afterEach, expect, test } from 'vitest';
import { createMessageCounty, type MessageCounty } from '../../../../../testing/messages.ts';
import { sql } from '../../../../../testing/sql.ts';
import { openWorkerDatabase } from '../../../../../testing/worker-database.ts';
import type { Database } from '../../../platform/postgres.ts';
import type { Outcome, Provider } from '../channels/provider.ts';
import { listOutbox } from '../outbox/store.ts';
import { createSenders } from '../senders/senders.ts';
import { countParts } from '../texts/segments.ts';
import { deliverDue, resolveLost } from './deliver.ts';
import { createDelivery } from './local-delivery.ts';
import type { DeliveryParts } from './parts.ts';

/** What left, as its provider counts it. */
interface Departure {
  readonly at: number;
  readonly parts: number;
  readonly to: string;
}

let county: MessageCounty;
const databases: Database[] = [];
afterEach(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
  await county.drop();
});

const numberOf = (voter: string): string => `+1352555${voter.slice(1).padStart(4, '0')}`;
const votersOf = (count: number) => Array.from({ length: count }, (_, index) => `V${index + 1}`);

async function open(
  count: number,
  settings: Readonly<Record<string, unknown>>,
  language = 'english',
): Promise<readonly string[]> {
  const voters = votersOf(count);
  county = await createMessageCounty(voters, { now: '2026-10-05T15:00:00Z', settings });
  // Texts of one part, and of two.
  for (const [index, voter] of voters.entries())
    await county.optIn(voter, {
      sms: numberOf(voter),
      language: index % 3 === 2 ? language : 'english',
    });
  return voters;
}

const mailed = (voters: readonly string[]) =>
  county.importBallots(
    voters.map((voter) => ({ voter, status: 'Outbound', mailed: '2026-10-05' }) as const),
  );

const accepted: Outcome = { kind: 'accepted', providerMessageId: null };

/** A worker of its own process, with a connection of its own. @param pace visits a second that the page serves; 0: any */
async function openWorker(
  departures: Departure[],
  visitsPerSecond = 0,
  answer: () => Outcome = () => accepted,
): Promise<DeliveryParts> {
  const database = await openWorkerDatabase(county.database);
  databases.push(database);
  const record = (channel: 'sms' | 'email'): Provider => ({
    ...{ name: 'recorder', channel, batchSize: 20, reportsReceipts: false },
    afterLoss: 'idempotent',
    async send(messages) {
      const at = county.clock.now().getTime();
      for (const { body, to } of messages)
        departures.push({ at, parts: channel === 'sms' ? countParts(body) : 1, to });
      return messages.map(answer);
    },
  });
  const siteLimits = { ...county.config.siteLimits, visitsPerSecond };
  return createDelivery(
    { ...county, database, config: { ...county.config, siteLimits } },
    { sms: [record('sms')], email: [record('email')] },
    createSenders,
  );
}

/** Lets all workers work at once, until nothing may leave any more at this moment. */
async function work(workers: readonly DeliveryParts[], channel: 'sms' | 'email' = 'sms') {
  const nowMs = county.clock.now().getTime();
  for (;;) {
    const turns = await Promise.all(workers.map((parts) => deliverDue(parts, channel)));
    const isBusy = turns.some(({ roomAt }) => roomAt !== null && roomAt - nowMs <= 20);
    if (turns.every(({ claimed }) => claimed === 0) && !isBusy) return;
  }
}

function mostWithin(departures: readonly Departure[], ms: number): number {
  const sums = departures.map(({ at: first }) =>
    departures
      .filter(({ at }) => at >= first && at < first + ms)
      .reduce((sum, { parts }) => sum + parts, 0),
  );
  return Math.max(...sums);
}

test('three workers at once send no more parts in any second than the number may, and all of them leave', async () => {
  const voters = await open(60, { sending_limits: { sms: { per_second: 20 } } }, 'arabic');
  await mailed(voters);
  const departures: Departure[] = [];
  const workers = [];
  for (let worker = 0; worker < 3; worker += 1) workers.push(await openWorker(departures));
  const begun = county.clock.now().getTime();
  while (departures.length < voters.length) {
    await work(workers);
    county.clock.advance(50);
    expect(county.clock.now().getTime() - begun).toBeLessThan(60_000);
  }
  expect(mostWithin(departures, 1_000)).toBeLessThanOrEqual(20);
  const parts = departures.reduce((sum, one) => sum + one.parts, 0);
  expect(parts).toBeGreaterThan(voters.length);
  const seconds = ((departures.at(-1)?.at ?? 0) - begun) / 1_000;
  expect(parts / seconds).toBeGreaterThan(0.9 * 20);
  expect(new Set(departures.map(({ to }) => to)).size).toBe(voters.length);
  const rows = await listOutbox(county.database.system, county.account.accountId, null);
  expect(rows.every(({ state, attempts }) => state === 'sent' && attempts === 1)).toBe(true);
});

test('a message whose outcome was lost waits for its sender as what it is, and never as a new one', async () => {
  await open(2, { sending_limits: { sms: { per_second: 1 } } });
  await mailed(['V1']);
  const departures: Departure[] = [];
  let outcome: Outcome = { kind: 'unknown', code: 'TIMEOUT' };
  const worker = await openWorker(departures, 0, () => outcome);
  await work([worker]);
  outcome = accepted;
  await mailed(['V2']);
  county.clock.advance(60_000);
  await work([worker]);
  await resolveLost(worker, 'sms');
  expect(departures.map(({ to }) => to)).toEqual(['V1', 'V2'].map(numberOf));
  county.clock.advance(1_001);
  expect((await deliverDue(worker, 'sms')).claimed).toBe(0);
  await resolveLost(worker, 'sms');
  expect(departures.map(({ to }) => to)).toEqual(['V1', 'V2', 'V1'].map(numberOf));
  const rows = await listOutbox(county.database.system, county.account.accountId, null);
  expect(rows.map(({ state, attempts }) => `${state} ${attempts}`).sort()).toEqual([
    'sent 1',
    'sent 2',
  ]);
});

test('a clock that ran an hour ahead and is set right again stops nobody', async () => {
  const voters = await open(40, { sending_limits: { sms: { per_second: 20, per_day: 1_000 } } });
  await mailed(voters);
  const departures: Departure[] = [];
  const workers = [await openWorker(departures), await openWorker(departures)];
  county.clock.advance(3_600_000);
  for (let slice = 0; slice < 10; slice += 1) {
    await work(workers);
    county.clock.advance(100);
  }
  expect(departures.length).toBeLessThanOrEqual(20);
  const right = county.clock.now().getTime() - 3_600_000;
  county.clock.set(new Date(right).toISOString());
  const ahead = departures.splice(0).length;
  while (departures.length < voters.length - ahead) {
    await work(workers);
    county.clock.advance(50);
    expect(county.clock.now().getTime() - right).toBeLessThan(20_000);
  }
  expect(mostWithin(departures, 1_000)).toBeLessThanOrEqual(20);
});

test('a day’s load leaves room for what is urgent, which leaves at once, and the rest goes on the day after', async () => {
  const voters = await open(30, { sending_limits: { sms: { per_day: 20 } } });
  await mailed(voters);
  const departures: Departure[] = [];
  const worker = await openWorker(departures);
  // A short code's own second is never used up within these days.
  const drain = async () => {
    for (let second = 0; second < 5; second += 1) {
      await work([worker]);
      county.clock.advance(1_000);
    }
  };
  await drain();
  const parts = () => departures.reduce((sum, one) => sum + one.parts, 0);
  expect(parts()).toBe(19);
  const before = departures.length;
  await county.importBallots([
    { voter: 'V30', status: 'Undeliverable', mailed: '2026-10-05', returned: '2026-10-05' },
  ]);
  await drain();
  expect(departures.slice(before).map(({ to }) => to)).toEqual([numberOf('V30')]);
  expect(parts()).toBe(20);
  county.clock.set('2026-10-06T15:00:00Z');
  await drain();
  expect(departures).toHaveLength(before + 1);
  // The worker knows when to look again.
  const { roomAt } = await deliverDue(worker, 'sms');
  expect(roomAt).toBeGreaterThan(county.clock.now().getTime());
  county.clock.set('2026-10-06T15:15:00Z');
  await drain();
  expect(departures.length).toBeGreaterThan(before + 1);
  expect(mostWithin(departures, 24 * 3_600_000)).toBeLessThanOrEqual(20);
});

test('a text that is too long for what is left does not close its number to a shorter text that is urgent', async () => {
  await open(3, { sending_limits: { sms: { per_day: 4 } } }, 'arabic');
  await mailed(['V1', 'V2', 'V3']);
  const departures: Departure[] = [];
  const worker = await openWorker(departures);
  const drain = async () => {
    for (let second = 0; second < 5; second += 1) {
      await work([worker]);
      county.clock.advance(1_000);
    }
    return departures.splice(0).map(({ to }) => to);
  };
  expect(await drain()).toEqual(['V1', 'V2'].map(numberOf));
  await county.importBallots([
    { voter: 'V1', status: 'Undeliverable', mailed: '2026-10-05', returned: '2026-10-05' },
  ]);
  expect(await drain()).toEqual([numberOf('V1')]);
});

test('an urgent message is claimed at once while a toll-free number is busy with a load', async () => {
  const voters = await open(40, { sending_limits: { sms: { kind: 'toll-free' } } });
  await mailed(voters);
  const departures: Departure[] = [];
  const worker = await openWorker(departures);
  for (let tick = 0; tick < 20; tick += 1) {
    await work([worker]);
    county.clock.advance(100);
  }
  const urgentAt = county.clock.now().getTime();
  await county.importBallots([
    {
      ...{ voter: 'V40', status: 'RejectedCurable', reason: 'No signature' },
      ...{ mailed: '2026-10-05', returned: '2026-10-05' },
    },
  ]);
  const before = departures.length;
  for (let tick = 0; tick < 60 && departures.length === before; tick += 1) {
    await work([worker]);
    county.clock.advance(100);
  }
  expect(departures.slice(before).map(({ to }) => to)).toEqual([numberOf('V40')]);
  expect((departures.at(-1)?.at ?? 0) - urgentAt).toBeLessThan(10_000);
});

test('a number at its limit does not stop the messages of another office', async () => {
  const voters = await open(10, { sending_limits: { sms: { per_day: 1 } } });
  await mailed(voters);
  const departures: Departure[] = [];
  const worker = await openWorker(departures);
  await work([worker]);
  const before = departures.length;
  expect(before).toBeLessThanOrEqual(1);
  await sql`with lake as (insert into accounts (subdomain, name, county, state, time_zone, settings)
      select 'lake', 'Lake', 'Lake', state, time_zone,
        settings || '{"short_code": "41576", "sending_limits": {"sms": {"per_day": 5}}}' from accounts returning account_id)
    insert into messages (account_id, kind, channel, address, language, cause, deliver_after)
    select account_id, 'change', 'sms', '+15555559999', 'english', 'lake', ${county.clock.now()} from lake`.execute(
    county.database.system,
  );
  await work([worker]);
  expect(departures.slice(before).map(({ to }) => to)).toEqual(['+15555559999']);
});

test('news of all offices leave no faster than the site can serve the voters they bring, and what is urgent leaves at once', async () => {
  const voters = await open(30, { sending_limits: { sms: { per_second: 1_000 } } });
  await mailed(voters);
  const departures: Departure[] = [];
  // Two visits a second: six messages.
  const workers = [await openWorker(departures, 2), await openWorker(departures, 2)];
  for (let tick = 0; tick < 140; tick += 1) {
    await work(workers);
    // In the next second these are claimed beside news.
    if (tick === 19)
      await county.importBallots(
        ['V27', 'V28', 'V29'].map((voter) => ({
          ...({ voter, status: 'Undeliverable' } as const),
          ...{ mailed: '2026-10-05', returned: '2026-10-05' },
        })),
      );
    if (tick === 10) {
      await county.importBallots([
        { voter: 'V30', status: 'Undeliverable', mailed: '2026-10-05', returned: '2026-10-05' },
      ]);
      const before = departures.length;
      await work(workers);
      expect(departures.slice(before).map(({ to }) => to)).toEqual([numberOf('V30')]);
    }
    county.clock.advance(50);
  }
  const urgent = ['V27', 'V28', 'V29', 'V30'].map(numberOf);
  const news = departures.filter(({ to }) => !urgent.includes(to));
  const bySecond = Map.groupBy(news, ({ at }) => Math.floor(at / 1_000));
  expect([...bySecond.values()].map((messages) => messages.length)).toEqual([5, 5, 5, 5, 5, 1]);
  expect(departures).toHaveLength(30);
});
