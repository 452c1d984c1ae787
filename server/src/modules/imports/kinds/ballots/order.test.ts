import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../../testing/messages.ts';
import { runs } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';

/**
 * However an office's files come: lines in any order, a day's file in parts, files of earlier days again in between. Voters end
 * up seeing the same, and get each true message once.
 */
const voters = ['1', '2', '3', '4'];
const days = ['05', '07', '09', '12', '14'].map((day) => `2026-10-${day}`);

let county: MessageCounty;

beforeAll(async () => {
  county = await createMessageCounty(voters);
  for (const voter of voters) await county.optIn(voter, { email: `voter${voter}@example.org` });
});
afterAll(() => county.drop());

async function startAnew(): Promise<void> {
  const db = county.database.system;
  await sql`alter table ballot_events disable trigger user`.execute(db);
  for (const table of ['messages', 'ballot_events', 'ballots', 'import_gates'])
    await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`delete from imports where format = 'voter-focus-ballots'`.execute(db);
  await sql`alter table ballot_events enable trigger user`.execute(db);
}

/** Messages that would go out since the last call, as `voter status`; then they are sent. */
async function send(): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`
    with sent as (update messages set state = 'sent' where state = 'created' returning voter_id, status)
    select v.registration_id || ' ' || s.status as message from sent s join voters v using (voter_id)
    order by 1`.execute(county.database.system);
  return rows.map(({ message }) => message);
}

async function seen(): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', v.registration_id, b.ballot_number, b.current_status, ev.occurred_on) as line
    from ballots b join voters v using (voter_id)
    left join ballot_events ev on ev.ballot_id = b.ballot_id and ev.event_id = b.current_event_id
    order by 1`.execute(county.database.system);
  return rows.map(({ line }) => line);
}

const shown: Readonly<Record<BallotRow['status'], string>> = {
  Requested: 'requested',
  Outbound: 'sent',
  Accepted: 'accepted',
  Rejected: 'rejected',
  RejectedCurable: 'rejected-curable',
  Undeliverable: 'undeliverable',
};
const statusOf = ({ status, returned }: BallotRow) =>
  status === 'Outbound' && returned !== undefined ? 'returned' : shown[status];

/** A voter's row on each day, undefined before the ballot is asked for. */
type Course = readonly (BallotRow | undefined)[];

const verdicts = ['Accepted', 'Rejected', 'RejectedCurable', 'Undeliverable'] as const;
const courseOf = (voter: string): fc.Arbitrary<Course> =>
  fc
    .record({
      asked: fc.nat(2),
      sent: fc.integer({ min: 1, max: 2 }),
      back: fc.integer({ min: 1, max: 3 }),
      decided: fc.nat(1),
      verdict: fc.constantFrom(...verdicts),
      isCured: fc.boolean(),
    })
    .map(({ asked, sent, back, decided, verdict, isCured }) =>
      days.map((_, place): BallotRow | undefined => {
        if (place < asked) return undefined;
        if (place < asked + sent) return { voter, status: 'Requested' };
        const mailed = days[asked + sent] ?? '';
        if (place < asked + sent + back) return { voter, status: 'Outbound', mailed };
        const returned = days[asked + sent + back] ?? '';
        const isDecided = place >= asked + sent + back + decided;
        if (!isDecided) return { voter, status: 'Outbound', mailed, returned };
        const isAccepted = verdict === 'RejectedCurable' && isCured && place === days.length - 1;
        return { voter, mailed, returned, status: isAccepted ? 'Accepted' : verdict };
      }),
    );

/** A day's file as it comes: its rows in parts, and before each part a file that came earlier, or none. */
interface Coming {
  readonly order: readonly number[];
  readonly cuts: readonly number[];
  readonly repeats: readonly (number | undefined)[];
}
const coming: fc.Arbitrary<Coming> = fc.record({
  order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }),
  cuts: fc.subarray([1, 2, 3]),
  repeats: fc.array(fc.option(fc.nat(20), { nil: undefined }), { minLength: 4, maxLength: 4 }),
});

const plan = fc.record({
  courses: fc.tuple(
    ...(voters.map(courseOf) as [
      fc.Arbitrary<Course>,
      fc.Arbitrary<Course>,
      fc.Arbitrary<Course>,
      fc.Arbitrary<Course>,
    ]),
  ),
  comings: fc.array(coming, { minLength: days.length, maxLength: days.length }),
});

/** Imports one file; nothing else than what its rows say of the day may go out. */
async function importDay(rows: readonly BallotRow[], place: number): Promise<string[]> {
  county.clock.set(`${days[place]}T15:00:00Z`);
  await county.importBallots(rows);
  const messages = await send();
  const true_ = rows.map((row) => `${row.voter} ${statusOf(row)}`);
  for (const message of messages) expect(true_).toContain(message);
  return messages;
}

test('lines in any order, days in parts and old files again leave the same page and the same messages', async () => {
  let repeated = 0;
  await fc.assert(
    fc.asyncProperty(plan, async ({ courses, comings }) => {
      const fileOf = (place: number) => courses.flatMap((course) => course[place] ?? []);
      await startAnew();
      const plain: string[] = [];
      for (const place of days.keys())
        if (fileOf(place).length > 0) plain.push(...(await importDay(fileOf(place), place)));
      const whole = await seen();
      expect(new Set(plain).size).toBe(plain.length);

      await startAnew();
      const mixed: string[] = [];
      const came: (readonly BallotRow[])[] = [];
      for (const [place, { order, cuts, repeats }] of comings.entries()) {
        const rows = order.flatMap((voter) => courses[voter]?.[place] ?? []);
        const places = [0, ...cuts, 4];
        const today: (readonly BallotRow[])[] = [];
        for (const [part, end] of places.slice(1).entries()) {
          const old = came[repeats[part] ?? came.length];
          if (old !== undefined) {
            county.clock.set(`${days[place]}T15:00:00Z`);
            await county.importBallots(old);
            expect(await send()).toEqual([]);
            repeated += 1;
          }
          const rest = rows.slice(places[part], end);
          if (rest.length === 0) continue;
          mixed.push(...(await importDay(rest, place)));
          today.push(rest);
        }
        came.push(...today);
      }
      expect(await seen()).toEqual(whole);
      expect(mixed.toSorted()).toEqual(plain.toSorted());
    }),
    { numRuns: runs(8), endOnFailure: true },
  );
  expect(repeated).toBeGreaterThan(5);
});
