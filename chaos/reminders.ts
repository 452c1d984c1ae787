import { setTimeout as wait } from 'node:timers/promises';
import { defects, setOfficeDeadline } from '../server/src/modules/deadlines/index.ts';
import type { AccountId, BallotId } from '../server/src/platform/ids.ts';
import type { Database } from '../server/src/platform/postgres.ts';
import { sql } from '../testing/sql.ts';
import { addBallots, recordFile } from './county.ts';
import type { ProviderStubs } from './providers.ts';

export interface RemindersReport {
  /** Envelopes that were not fixed, whose voters had to be reminded once. */
  readonly open: number;
  /** Envelopes that were fixed meanwhile. */
  readonly fixed: number;
  /** Of the open ones, those whose reminder no provider took. */
  readonly remindersMissing: number;
  /** Envelopes with more than one reminder. */
  readonly remindersTwice: number;
  /** Reminders that a provider took although the fix was on record before the worker claimed them. */
  readonly remindersAfterFix: number;
}

export interface Reminders {
  /** Brings problems with envelopes whose reminders are due at once, and fixes some of them. */
  keepChanging(isOver: () => boolean): Promise<void>;
  /** Has the worker look for due reminders all the time, and not every five minutes. */
  keepLooking(isOver: () => boolean): Promise<void>;
  /** Open envelopes without a reminder. */
  countDue(): Promise<number>;
  compare(): Promise<RemindersReport>;
}

/** With the usual moments, one reminder is due: the one of 48 hours, until five hours from now. */
const hoursLeft = 29;
const hourMs = 3_600_000;
/** A message that a kill left open is looked into later; what its first worker handed over counts from its own claim. */
const handOverMs = 10_000;

export async function createReminders(of: {
  readonly database: Database;
  readonly accountId: AccountId;
  readonly providers: ProviderStubs;
  readonly random: () => number;
}): Promise<Reminders> {
  const { database, accountId, providers, random } = of;
  const db = database.system;
  const until = new Date(Date.now() + hoursLeft * hourMs).toISOString();
  await database.transaction(async (tx) => {
    const { rows } = await sql<{ election_id: number }>`select election_id from elections`.execute(
      tx,
    );
    const electionId = rows[0]?.election_id ?? 0;
    for (const defect of defects)
      await setOfficeDeadline(tx, accountId, {
        ...{ electionId, defect, reason: 'chaos', setBy: 'operator:chaos' },
        ...{ endsOn: until.slice(0, 10), endsAt: until.slice(11, 16) },
      });
  });
  /** When the fix was on record at the latest, in milliseconds. */
  const fixedBy = new Map<BallotId, number>();

  async function findProblems(turn: number): Promise<void> {
    const count = 1 + Math.floor(random() * 4);
    await recordFile(database, accountId, {
      rows: count,
      age: '6 days',
      changes: (importId) =>
        addBallots(accountId, importId, {
          ...{ status: 'rejected-curable', count, number: `problem-${turn}-${importId}` },
        }),
    });
  }

  /** Puts the fix of some envelopes on record, a third of them all in the end. */
  async function fixSome(): Promise<void> {
    const { rows } = await sql<{ ballot_id: BallotId }>`
      select ballot_id from ballots where current_status = 'rejected-curable' and ballot_id % 3 = 0
      order by ballot_id limit ${1 + Math.floor(random() * 3)}`.execute(db);
    const ids = rows.map(({ ballot_id: id }) => id);
    if (ids.length === 0) return;
    try {
      await recordFile(database, accountId, {
        rows: ids.length,
        changes: (importId) => sql`
          with fixed as (update ballots set current_status = 'returned' where ballot_id = any(${ids}::bigint[])
            returning ballot_id, election_id),
          created as (insert into ballot_events (account_id, ballot_id, kind, status, occurred_on, import_id)
            select ${accountId}::integer, ballot_id, 'office', 'returned', current_date, ${importId}::bigint from fixed
            returning ballot_id, event_id)
          select ballot_id, event_id, 'rejected-curable'::text as old_status, 'returned'::text as new_status, election_id,
            current_date as occurred_on
          from created join fixed using (ballot_id)`,
      });
    } finally {
      // Also when the answer to the commit was lost.
      for (const id of ids) fixedBy.set(id, Date.now());
    }
  }

  return {
    async keepChanging(isOver) {
      for (let turn = 1; !isOver(); turn += 1) {
        // The database was killed meanwhile: all of it is there or nothing.
        await (turn % 2 === 0 ? fixSome() : findProblems(turn)).catch(() => wait(100));
        await wait(random() * 400);
      }
    },
    async keepLooking(isOver) {
      while (!isOver()) {
        await sql`select graphile_worker.add_job('remind-voters', job_key => 'remind-voters', max_attempts => 1)`
          .execute(db)
          .catch(() => {});
        await wait(150);
      }
    },
    async countDue() {
      const { rows } = await sql<{ due: number }>`
        select count(*)::integer as due from ballots b where b.current_status = 'rejected-curable'
          and not exists (select from messages m where m.ballot_id = b.ballot_id and m.kind = 'fix-reminder')`.execute(
        db,
      );
      return rows[0]?.due ?? 0;
    },
    async compare() {
      const { rows: envelopes } = await sql<{ ballot_id: BallotId; status: string; made: number }>`
        select b.ballot_id, b.current_status as status, count(m.message_id)::integer as made
        from ballots b left join messages m on m.ballot_id = b.ballot_id and m.kind = 'fix-reminder'
        where b.ballot_number like 'problem-%' group by 1, 2`.execute(db);
      const { rows: reminders } = await sql<{
        ballot_id: BallotId;
        message_id: number;
        claimed_at: Date | null;
        attempts: number;
      }>`select ballot_id, message_id, claimed_at, attempts from messages where kind = 'fix-reminder'`.execute(
        db,
      );
      const takenAt = ({ message_id: id }: { message_id: number }) =>
        providers.takenAt.get(`beacon-${id}`);
      const open = envelopes.filter(({ status }) => status === 'rejected-curable');
      const reached = new Set(
        reminders.filter((one) => takenAt(one) !== undefined).map(({ ballot_id: id }) => id),
      );
      const isOpen = new Set(open.map(({ ballot_id: id }) => id));
      const isAfterFix = (one: (typeof reminders)[number]): boolean => {
        const fixed = fixedBy.get(one.ballot_id);
        const taken = takenAt(one);
        // A fix whose commit a kill undid is on no record.
        if (fixed === undefined || isOpen.has(one.ballot_id)) return false;
        if (taken === undefined || taken <= fixed) return false;
        if (one.attempts > 1) return taken > fixed + handOverMs;
        return (one.claimed_at?.getTime() ?? 0) > fixed;
      };
      return {
        open: open.length,
        fixed: envelopes.length - open.length,
        remindersMissing: open.filter(({ ballot_id: id }) => !reached.has(id)).length,
        remindersTwice: envelopes.filter(({ made }) => made > 1).length,
        remindersAfterFix: reminders.filter(isAfterFix).length,
      };
    },
  };
}
