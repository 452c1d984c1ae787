import { createServer } from 'node:http';
import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import type { Performance } from '@ballot-beacon/contract/performance';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOffice, addVoter, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { runs } from '../../../../testing/runs.ts';
import type { AccountId } from '../../platform/ids.ts';
import { receiveReceipts } from '../notifications/index.ts';
import { createAvailabilityMeter } from './availability.ts';
import { summarizeMessages } from './rules.ts';

const dayMs = 24 * 60 * 60_000;
let api: TestApi;
let offices = 0;

beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

interface Office {
  readonly host: string;
  readonly accountId: AccountId;
  readonly voterId: number;
}

async function openOffice(): Promise<Office> {
  offices += 1;
  const subdomain = `office${offices}`;
  const accountId = await addOffice(api.test, { subdomain });
  const voterId = await addVoter(api.test, accountId);
  return { host: `${subdomain}.localhost`, accountId, voterId };
}

async function read({ host }: Office): Promise<Performance> {
  const answer = await api.browser(host).get('/api/voter/performance');
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** States of messages that were never due. */
const neverDue = ['withdrawn', 'held', 'superseded', 'expired'] as const;

interface Sent {
  readonly channel: Channel;
  readonly kind: 'status' | 'correction';
  /** Before the last midnight in New York. */
  readonly dueHoursAgo: number;
  readonly tookSeconds: number;
  readonly receipts: readonly ('delivered' | 'failed-permanent')[];
  readonly state: 'sent' | 'created' | (typeof neverDue)[number];
  readonly isConfidential: boolean;
}

const sent: fc.Arbitrary<Sent> = fc.record({
  channel: fc.constantFrom('email', 'sms', 'voice'),
  kind: fc.constantFrom('status', 'status', 'status', 'correction'),
  dueHoursAgo: fc.integer({ min: -20, max: 95 * 24 }).map((hours) => hours + 0.5),
  tookSeconds: fc.constantFrom(0, 1, 10, 11, 3_600),
  receipts: fc.constantFrom<Sent['receipts'][]>([], ['delivered'], ['failed-permanent']),
  state: fc.constantFrom<Sent['state'][]>('sent', 'sent', 'sent', 'sent', 'created', ...neverDue),
  isConfidential: fc.constantFrom(false, false, false, false, true),
});

async function midnight(): Promise<number> {
  const [row] = await api.query<{ at: Date }>(
    `select ($1::timestamptz at time zone 'America/New_York')::date::timestamp at time zone 'America/New_York' as at`,
    [api.clock.now()],
  );
  return row?.at.getTime() ?? 0;
}

/** Puts the messages into the ledger and hands in the providers' receipts as a provider does. */
async function send(office: Office, messages: readonly Sent[]): Promise<void> {
  const end = await midnight();
  const hidden = await addVoter(api.test, office.accountId, { is_confidential: true });
  const ids = await api.query<{ message_id: number }>(
    `insert into messages (account_id, kind, cause, voter_id, channel, address, language, deliver_after, sent_at, state)
     select $1::integer, kind, concat('generated ', n, ' ', $1::integer), voter_id, channel, 'a' || n || '@example.org', 'english', due, sent_at, state::message_state
     from unnest($2::text[], $3::bigint[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[])
       with ordinality as m (kind, voter_id, channel, due, sent_at, state, n)
     returning message_id`,
    [
      office.accountId,
      messages.map((one) => one.kind),
      messages.map((one) => (one.isConfidential ? hidden : office.voterId)),
      messages.map((one) => one.channel),
      messages.map((one) => new Date(end - one.dueHoursAgo * 3_600_000)),
      messages.map((one) =>
        one.state === 'sent'
          ? new Date(end - one.dueHoursAgo * 3_600_000 + one.tookSeconds * 1_000)
          : null,
      ),
      messages.map((one) => one.state),
    ],
  );
  const receipts = messages.flatMap((one, index) =>
    one.state === 'sent'
      ? one.receipts.map((outcome) => ({
          messageId: ids[index]?.message_id ?? 0,
          provider: 'generated',
          outcome,
          code: null,
          address: null,
        }))
      : [],
  );
  await receiveReceipts(api.test.database.system, receipts, api.clock.now());
}

/** The same figures, counted one row after another from the tables of messages and receipts. */
async function recount({ accountId }: Office, days: number) {
  const end = await midnight();
  const rows = await api.query<{
    message_id: number;
    channel: Channel;
    kind: string;
    state: MessageState;
    deliver_after: Date;
    sent_at: Date | null;
    outcomes: string[];
  }>(
    `select m.message_id, m.channel, m.kind, m.state, m.deliver_after, m.sent_at,
       array(select r.outcome from receipts r where r.message_id = m.message_id) as outcomes
     from messages m join voters v using (voter_id) where m.account_id = $1 and not v.is_confidential`,
    [accountId],
  );
  // From midnight to midnight in New York, also over a change of its clocks.
  const [span] = await api.query<{ start: Date }>(
    `select (($1::timestamptz at time zone 'America/New_York') - make_interval(days => $2)) at time zone 'America/New_York' as start`,
    [new Date(end), days],
  );
  const due = rows.filter(
    (row) =>
      !(neverDue as readonly string[]).includes(row.state) &&
      row.deliver_after.getTime() >= (span?.start.getTime() ?? 0) &&
      row.deliver_after.getTime() < end,
  );
  const count = (number: number) => (number > 0 && number < 10 ? null : number - (number % 10));
  const share = (part: number, whole: number) =>
    whole < 10 ? null : Math.floor((100 * part) / whole);
  const isPrompt = (row: (typeof due)[number]) =>
    row.sent_at !== null && row.sent_at.getTime() - row.deliver_after.getTime() <= 10_000;
  const channels = [...new Set(due.map((row) => row.channel))].sort();
  return {
    days,
    messages: count(due.length),
    within_ten_seconds: share(due.filter(isPrompt).length, due.length),
    channels: channels.map((channel) => {
      const of = due.filter((row) => row.channel === channel);
      const having = (outcome: string) => of.filter((row) => row.outcomes.includes(outcome)).length;
      return {
        channel,
        messages: count(of.length),
        delivered: share(having('delivered'), of.length),
        failed: share(having('failed-permanent'), of.length),
      };
    }),
    corrections: count(due.filter((row) => row.kind === 'correction' && row.sent_at).length),
  };
}

describe('the figures', () => {
  const one: Sent = {
    channel: 'email',
    kind: 'status',
    dueHoursAgo: 1,
    tookSeconds: 1,
    receipts: ['delivered'],
    state: 'sent',
    isConfidential: false,
  };

  test('have a message that was due with the first moment of their days, none of the day after, and ten seconds as prompt', async () => {
    const office = await openOffice();
    const at = (dueHoursAgo: number) => Array(10).fill({ ...one, dueHoursAgo, tookSeconds: 10 });
    await send(office, [...at(7 * 24 + 1), ...at(7 * 24), ...at(0)]);
    expect((await read(office)).periods[0]).toMatchObject({
      messages: 10,
      within_ten_seconds: 100,
    });
  });

  test.each([
    [999, 333, 33],
    [1_000, 333, 33.3],
    [9, 9, null],
    [10, 9, 90],
  ])(
    'say of %i messages that %i were prompt as %s percent: no tenth shows a small number',
    (messages, prompt, percent) => {
      const counts = {
        channel: 'sms',
        messages,
        prompt,
        delivered: prompt,
        failed: prompt,
      } as const;
      const shown = summarizeMessages([{ ...counts, corrections: 0 }]);
      expect(shown.within_ten_seconds).toBe(percent);
      expect(shown.channels).toMatchObject([{ delivered: percent, failed: percent }]);
    },
  );

  test('equal a recount of messages and receipts, and never show a count of one to nine', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 60 }), async (messages) => {
        const office = await openOffice();
        await send(office, messages);
        const { periods } = await read(office);
        for (const [index, days] of [7, 90].entries()) {
          const {
            availability: _,
            oldest_data_hours: __,
            ...figures
          } = periods[index] ?? ({} as never);
          expect(figures).toEqual(await recount(office, days));
          for (const shown of [figures.messages, figures.corrections])
            expect(shown === null || shown % 10 === 0).toBe(true);
        }
      }),
      { numRuns: runs(12) },
    );
  });

  test('stay the same for an hour, however many ask, and change then', async () => {
    const office = await openOffice();
    const before = await read(office);
    await send(
      office,
      Array.from({ length: 12 }, () => one),
    );
    expect(await read(office)).toEqual(before);
    expect(before.periods[0]?.messages).toBe(0);
    api.clock.advance(60 * 60_000);
    expect((await read(office)).periods[0]).toMatchObject({
      messages: 10,
      within_ten_seconds: 100,
      channels: [{ channel: 'email', messages: 10, delivered: 100, failed: 0 }],
    });
  });

  test('are counted anew after they could not be counted', async () => {
    api.expectFailures(/"code":"42P01"/);
    const office = await openOffice();
    await api.query('alter table availability_days rename to away');
    const failed = await api.browser(office.host).get('/api/voter/performance');
    await api.query('alter table away rename to availability_days');
    expect(failed.statusCode).toBe(500);
    expect((await read(office)).periods).toHaveLength(2);
  });

  test('count a retried message from when it was first due', async () => {
    const office = await openOffice();
    const end = await midnight();
    const at = (seconds: number) => new Date(end - 3_600_000 + seconds * 1_000);
    for (let n = 0; n < 10; n += 1)
      await api.query(
        `insert into messages (account_id, kind, cause, voter_id, channel, address, language, due_at, deliver_after, sent_at, state)
         values ($1, 'status', $2, $3, 'sms', '+13525550100', 'english', $4, $5, $6, 'sent')`,
        [office.accountId, `retried ${n} ${office.host}`, office.voterId, at(0), at(30), at(31)],
      );
    expect((await read(office)).periods[0]?.within_ten_seconds).toBe(0);
  });

  test('say how old the office’s data got, and how old it is', async () => {
    const office = await openOffice();
    const end = await midnight();
    const imported = async (hoursBefore: number, kind: string, state = 'done') =>
      api.query(
        `insert into imports (account_id, format, file_name, file_sha256, state, operator, started_at, finished_at, rows_read, rows_refused, report)
         values ($1, 'f', 'f', '', $2, 'o', $3, $3, 1, 0, jsonb_build_object('holds', $4::text))`,
        [office.accountId, state, new Date(end - hoursBefore * 3_600_000), kind],
      );
    await imported(20 * 24, 'ballots');
    await imported(9 * 24, 'ballots');
    await imported(3 * 24, 'scans');
    await imported(2 * 24, 'ballots', 'refused');
    await imported(5 * 24, 'ballots', 'corrected');
    await imported(1, 'voters');
    const { periods, data_updated_at: updated } = await read(office);
    expect(periods.map((one) => one.oldest_data_hours)).toEqual([6 * 24, 11 * 24]);
    expect(updated).toBe(new Date(end - 3 * dayMs).toISOString());
  });

  test('are of no host without an office', async () => {
    expect((await api.browser('localhost').get('/api/voter/performance')).statusCode).toBe(404);
  });
});

describe('availability', () => {
  test('does not count a minute in which the server or its database does not answer', async () => {
    const rows = () => api.query('select answered from availability_days order by day');
    const before = await rows();
    api.clock.advance(60_000);
    const server = { address: () => ({ address: '127.0.0.1', port: 1, family: 'IPv4' }) };
    const meter = createAvailabilityMeter({ database: api.database, clock: api.clock }, server);
    expect(await meter()).toBe(false);
    expect(await rows()).toEqual(before);
    // It answers, and says that it is not ready.
    const unready = createServer((_, answer) => answer.writeHead(503).end());
    await new Promise<void>((resolve) => unready.listen(0, '127.0.0.1', resolve));
    expect(
      await createAvailabilityMeter({ database: api.database, clock: api.clock }, unready)(),
    ).toBe(false);
    expect(await rows()).toEqual(before);
    await new Promise((resolve) => unready.close(resolve));
  });

  test('is the share of minutes in which a process answered over HTTP, counted once for all processes', async () => {
    await api.app.listen({ port: 0, host: '127.0.0.1' });
    const meters = [1, 2].map(() =>
      createAvailabilityMeter({ database: api.database, clock: api.clock }, api.app.server),
    );
    const measure = async () => {
      for (const meter of meters) expect(await meter()).toBe(true);
    };
    // To the first minute of a day of UTC, from which on every second minute of half a day is answered.
    api.clock.advance(dayMs - (api.clock.now().getTime() % dayMs));
    const answered = 60;
    for (let n = 0; n < answered; n += 1) {
      await measure();
      await measure();
      api.clock.advance(2 * 60_000);
    }
    // Until that day is over in New York too.
    api.clock.advance(1.5 * dayMs);
    // What today brings is in the figures of tomorrow.
    for (let n = 0; n < 20; n += 1) {
      await measure();
      api.clock.advance(60_000);
    }
    const office = await openOffice();
    const { periods } = await read(office);
    const expected = Math.floor((answered / (24 * 60)) * 10_000) / 100;
    expect(periods.map((one) => one.availability)).toEqual([expected, expected]);
  });
});
