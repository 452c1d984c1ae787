import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type BallotRow,
  createMessageCounty,
  type MessageCounty,
} from '../../../../../testing/messages.ts';
import { runs, timeFor } from '../../../../../testing/runs.ts';
import { sql } from '../../../../../testing/sql.ts';
import { createLog } from '../../../platform/log.ts';
import { listOpenFixes } from '../../ballots/index.ts';
import { defects, setOfficeDeadline } from '../../deadlines/index.ts';
import { createDelivery, deliverAll } from '../delivery/local-delivery.ts';
import { remindVoters } from './remind.ts';

vi.setConfig({ testTimeout: timeFor(180_000) });

let county: MessageCounty | undefined;
afterEach(async () => {
  await county?.drop();
  county = undefined;
});

const hourMs = 3_600_000;
/** Hours between two looks of the workers. */
const patience = 4;
/** How old the office's newest file may be without a rhythm of its own. */
const feedMs = 96 * hourMs;

/** The voters whose envelopes have problems; the others make the county large enough for its gate. */
const voters = ['V001', 'V002', 'V003'] as const;
const others = Array.from({ length: 17 }, (_, index) => `W${String(index + 1).padStart(3, '0')}`);

type Word = 'as before' | 'problem' | 'returned' | 'accepted' | 'rejected';
interface Deadline {
  /** Days after the story begins. */
  readonly days: number;
  readonly time: string;
}
interface Happening {
  /** How long passes first; negative: the clock is put back. */
  readonly hours: number;
  /** What the office's next file says, by voter; null: no file comes. */
  readonly file: readonly Word[] | null;
  /** The office moves the deadline. */
  readonly deadline: Deadline | null;
}

const deadlines = fc.record({
  days: fc.integer({ min: 3, max: 9 }),
  // Among them the hours that come twice or never when clocks change.
  time: fc.constantFrom('00:30', '01:30', '02:30', '08:00', '09:30', '17:00', '23:59'),
});
/** Most files say what the last one said. */
const word = fc.oneof(
  { weight: 20, arbitrary: fc.constant<Word>('as before') },
  { weight: 3, arbitrary: fc.constant<Word>('problem') },
  { weight: 2, arbitrary: fc.constantFrom<Word>('returned', 'accepted', 'rejected') },
);
const happenings = fc.array(
  fc.record({
    hours: fc.oneof(
      { weight: 30, arbitrary: fc.integer({ min: 3, max: 20 }) },
      { weight: 2, arbitrary: fc.integer({ min: -24, max: -1 }) },
      { weight: 1, arbitrary: fc.integer({ min: 97, max: 105 }) },
    ),
    file: fc.option(fc.array(word, { minLength: voters.length, maxLength: voters.length }), {
      freq: 2,
    }),
    deadline: fc.oneof(
      { weight: 30, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: deadlines },
    ),
  }),
  { minLength: 12, maxLength: 18, size: 'max' },
);
/** Both begin before a change of clocks that most deadlines come after. */
const seasons = fc.constantFrom(
  { from: '2026-10-27', election: '2026-11-03' },
  { from: '2026-03-03', election: '2026-03-10' },
);
const zones = fc.constantFrom('America/New_York', 'America/Los_Angeles', 'America/Phoenix');

/** What is known of a voter's envelope outside the product. */
interface Envelope {
  word: Exclude<Word, 'as before'>;
  isOpen: boolean;
  /** When the file with the problem was imported. */
  since: number;
  /** The file's messages wait for a second person. */
  isWaiting: boolean;
  problems: number;
}

interface Reminder {
  readonly message_id: number;
  readonly voter: (typeof voters)[number];
  readonly cause: string;
  readonly ballot_id: number;
  readonly state: string;
  readonly channel: string;
  readonly received_at: Date | null;
  readonly deliver_after: Date;
}

test('over files, fixes, reversals, silent feeds, moved deadlines and clock changes, no reminder goes after a fix, after the deadline, or twice, and none is lost', async () => {
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(seasons, zones, deadlines, happenings, async (season, zone, first, story) => {
      await county?.drop();
      county = await createMessageCounty([...voters, ...others, 'X001'], {
        now: `${season.from}T15:00:00Z`,
        settings: { time_zone: zone },
      });
      sent += await live(county, { ...season, zone, first, story });
    }),
    { numRuns: runs(5), endOnFailure: true },
  );
  expect(sent).toBeGreaterThan(10);
});

test('of two reminders that wait for a voter’s evening, the newer goes alone, also when the deadline is moved meanwhile', async () => {
  const zone = 'America/Los_Angeles';
  county = await createMessageCounty([...voters, ...others, 'X001'], {
    now: '2026-10-27T15:00:00Z',
    settings: { time_zone: zone },
  });
  const later = { days: 6, time: '02:30' };
  const story = [13, 15, 5, 14, 7].map((hours) => ({
    ...{ hours, file: voters.map(() => 'as before' as const) },
    deadline: hours === 7 ? later : null,
  }));
  const first = { days: 3, time: '09:30' };
  await live(county, { from: '2026-10-27', election: '2026-11-03', zone, first, story });
});

/** Lets a story happen, and looks after each step at what providers got. @returns how many reminders they got */
async function live(
  county: MessageCounty,
  story: {
    readonly from: string;
    readonly election: string;
    readonly zone: string;
    readonly first: Deadline;
    readonly story: readonly Happening[];
  },
): Promise<number> {
  const { database, clock, account } = county;
  const db = database.system;
  const now = () => clock.now().getTime();
  await sql`update elections set election_date = ${story.election}`.execute(db);
  await county.optIn('V001', { sms: '+13525550101', email: 'one@mail.example' });
  // Texts of this voter wait for the evening, and those of the next fail after the provider took them.
  await county.optIn('V002', { sms: '+13525550102', hours: ['15:00', '20:00'] });
  await county.optIn('V003', { sms: '+12025550106', email: 'three@mail.example' });
  const workers = [await createDelivery(county), await createDelivery(county)];

  const envelopes = new Map<string, Envelope>(
    voters.map((voter) => [
      voter,
      { word: 'returned', isOpen: false, since: 0, isWaiting: false, problems: 0 },
    ]),
  );
  let newestFile = 0;
  let files = 0;
  let deadline = 0;
  /** Once the office has moved the deadline, a reminder may have been made for another last day. */
  let hasMoved = false;
  const seen = new Set<number>();

  const setDeadline = async ({ days, time }: Deadline): Promise<void> => {
    const endsOn = Temporal.PlainDate.from(story.from).add({ days }).toString();
    deadline = Temporal.PlainDateTime.from(`${endsOn}T${time}`).toZonedDateTime(
      story.zone,
    ).epochMilliseconds;
    const { rows } = await sql<{ election_id: number }>`select election_id from elections`.execute(
      db,
    );
    const electionId = rows[0]?.election_id ?? 0;
    await database.transaction(async (tx) => {
      for (const defect of defects)
        await setOfficeDeadline(tx, account.accountId, {
          ...{ electionId, defect, endsOn, endsAt: time, reason: 'test', setBy: 'test' },
        });
    });
  };
  const importWords = async (words: readonly Word[]): Promise<void> => {
    files += 1;
    const said = voters.map((voter, index) => {
      const word = words[index] ?? 'as before';
      return word === 'as before' ? (envelopes.get(voter)?.word ?? 'returned') : word;
    });
    const { state } = await county.importBallots([
      ...voters.map((voter, index) => rowOf(voter, said[index] ?? 'returned', story.from)),
      ...others.map((voter): BallotRow => ({ voter, status: 'Outbound', mailed: story.from })),
      // A file that says nothing new is not imported again, so one row does each time.
      {
        voter: 'X001',
        status: 'Rejected',
        mailed: story.from,
        returned: story.from,
        reason: `No. ${files}`,
      },
    ]);
    if (state !== 'done' && state !== 'messages-held') return;
    newestFile = Math.max(newestFile, now());
    for (const [index, voter] of voters.entries()) {
      const envelope = envelopes.get(voter) as Envelope;
      envelope.word = said[index] ?? 'returned';
      const isOpen = envelope.word === 'problem';
      if (isOpen && !envelope.isOpen) {
        envelope.since = now();
        envelope.isWaiting = state === 'messages-held';
        envelope.problems += 1;
      }
      envelope.isOpen = isOpen;
    }
  };
  const work = async (): Promise<void> => {
    const log = createLog('silent');
    await Promise.all(workers.map(() => remindVoters(database, clock, log)));
    await Promise.all(workers.map(deliverAll));
  };

  const check = async (): Promise<void> => {
    const reminders = await readReminders(county);
    const isFeedLate = now() - newestFile > feedMs;
    const open = await listOpenFixes(db, account);
    const isOfOpen = ({ ballot_id: ballotId, cause }: Reminder) =>
      open.some((fix) => cause.startsWith(`fix:${ballotId}:${fix.problemId}:`));

    const received = reminders.filter(
      (one) => one.received_at !== null && !seen.has(one.message_id),
    );
    for (const [voter, together] of Map.groupBy(received, (one) => one.voter))
      expect(together.length, `${voter}: several at once`).toBe(1);
    for (const one of received) {
      seen.add(one.message_id);
      const envelope = envelopes.get(one.voter) as Envelope;
      expect(envelope.isOpen, `${one.voter}: ${one.cause} after the fix`).toBe(true);
      expect(isOfOpen(one), `${one.voter}: ${one.cause} of an earlier problem`).toBe(true);
      expect(now(), `${one.voter}: ${one.cause} after the deadline`).toBeLessThan(deadline);
      expect(isFeedLate, `${one.voter}: ${one.cause} with a late feed`).toBe(false);
      expect(envelope.isWaiting, `${one.voter}: ${one.cause} of a waiting file`).toBe(false);
    }
    for (const voter of voters) {
      const own = reminders.filter((one) => one.voter === voter);
      const envelope = envelopes.get(voter) as Envelope;
      const problems = [...new Set(own.map(({ cause }) => cause.split(':')[2] ?? ''))];
      expect(problems.length, `${voter}: problems`).toBeLessThanOrEqual(envelope.problems);
      for (const same of Map.groupBy(own, ({ cause }) => cause).values()) {
        const standing = same.filter(({ state }) => !/^failed|^withdrawn/.test(state));
        expect(standing.length, `${voter}: ${same[0]?.cause} twice`).toBeLessThanOrEqual(1);
        expect(new Set(same.map(({ channel }) => channel)).size).toBe(same.length);
      }
      // On the last day, a reminder of this problem has gone or is about to.
      const isDue =
        envelope.isOpen &&
        !envelope.isWaiting &&
        !isFeedLate &&
        !hasMoved &&
        // With less time, half of it may lie in the last day and take the place of the 24 hours.
        envelope.since <= deadline - 60 * hourMs &&
        now() >= deadline - 24 * hourMs &&
        now() < deadline;
      if (!isDue) continue;
      const ofLastDay = own.filter(
        (one) => isOfOpen(one) && /:(24h|last-morning)$/.test(one.cause),
      );
      // Mail may leave at any hour, so nobody with an address is left out.
      const isReached = ofLastDay.some(
        (one) => one.received_at !== null || one.deliver_after.getTime() < deadline,
      );
      expect(isReached || voter === 'V002', `${voter}: nothing on the last day`).toBe(true);
    }
  };

  await setDeadline(story.first);
  await importWords(['returned', 'returned', 'returned']);
  clock.advance(hourMs);
  await importWords(['problem', 'problem', 'problem']);
  for (const { hours, file, deadline: moved } of story.story) {
    // Workers look more often than a voter's hours are long.
    for (let left = hours; left > 0; left -= patience) {
      await work();
      await check();
      clock.advance(Math.min(left, patience) * hourMs);
    }
    if (hours < 0) clock.advance(hours * hourMs);
    if (moved) await setDeadline(moved);
    hasMoved ||= moved !== null;
    if (file) await importWords(file);
    await work();
    await check();
  }
  return seen.size;
}

function rowOf(voter: string, word: Envelope['word'], mailed: string): BallotRow {
  const statuses = {
    problem: 'RejectedCurable',
    returned: 'Outbound',
    accepted: 'Accepted',
    rejected: 'Rejected',
  } as const;
  const reason = word === 'problem' ? { reason: 'No signature' } : {};
  return { voter, status: statuses[word], mailed, returned: mailed, ...reason };
}

async function readReminders({ database }: MessageCounty): Promise<readonly Reminder[]> {
  const { rows } = await sql<Reminder>`
    select m.message_id, v.registration_id as voter, m.cause, m.ballot_id, m.state, m.channel, m.deliver_after, d.received_at
    from messages m join voters v using (voter_id) left join local_deliveries d using (message_id)
    where m.kind = 'fix-reminder' order by m.message_id`.execute(database.system);
  return rows;
}
