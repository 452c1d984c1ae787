import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import type { OfficeDeadline } from './fix-deadline.ts';
import type { Defect } from './rule.ts';

/** A deadline that an office set itself, over the rule of its state. */
export interface SetDeadline extends OfficeDeadline {
  readonly electionId: number;
  readonly defect: Defect;
  /** Why, in the office's words: the decision, order or law it rests on. */
  readonly reason: string;
  readonly setBy: string;
}

export interface KeptDeadline extends SetDeadline {
  readonly setAt: Date;
}

/** All that an office has set, by election and defect. */
export async function listOfficeDeadlines(db: Db, accountId: AccountId): Promise<KeptDeadline[]> {
  const { rows } = await sql<{
    election_id: number;
    defect: Defect;
    ends_on: string;
    ends_at: string;
    reason: string;
    set_by: string;
    set_at: Date;
  }>`select election_id, defect, ends_on, ends_at, reason, set_by, set_at from office_deadlines
    where account_id = ${accountId} order by election_id, defect`.execute(db);
  return rows.map((row) => ({
    electionId: row.election_id,
    defect: row.defect,
    endsOn: row.ends_on,
    endsAt: row.ends_at,
    reason: row.reason,
    setBy: row.set_by,
    setAt: row.set_at,
  }));
}

export async function setOfficeDeadline(
  tx: Tx,
  accountId: AccountId,
  set: SetDeadline,
): Promise<void> {
  const { electionId, defect, endsOn, endsAt, reason, setBy } = set;
  await sql`
    insert into office_deadlines (account_id, election_id, defect, ends_on, ends_at, reason, set_by)
    values (${accountId}, ${electionId}, ${defect}, ${endsOn}, ${endsAt}, ${reason}, ${setBy})
    on conflict (election_id, defect) do update set ends_on = excluded.ends_on, ends_at = excluded.ends_at,
      reason = excluded.reason, set_by = excluded.set_by, set_at = now()`.execute(tx);
}

/** From then on the rule of the state applies again. */
export async function removeOfficeDeadline(
  tx: Tx,
  electionId: number,
  defect: Defect,
): Promise<void> {
  await sql`delete from office_deadlines
    where election_id = ${electionId} and defect = ${defect}`.execute(tx);
}
