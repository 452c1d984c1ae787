import type { ReturnDeadline } from '@ballot-beacon/contract/ballot-status-progress';
import { sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import { type ElectionKind, isNearElection } from '../deadlines/index.ts';

export type ElectionId = number & { readonly brand: 'ElectionId' };

export interface Election {
  readonly electionId: ElectionId;
  /** As the office writes it; no two of an account differ only by case. */
  readonly number: string;
  readonly name: string;
  /** YYYY-MM-DD */
  readonly electionDate: string;
  readonly isActive: boolean;
  /** Null when the office has not announced it. */
  readonly returnDeadline: ReturnDeadline | null;
  /** What deadlines to fix an envelope depend on; null while the office has not said it. */
  readonly kind: ElectionKind | null;
  /** YYYY-MM-DD */
  readonly certifiedOn: string | null;
  /** YYYY-MM-DD */
  readonly canvassedOn: string | null;
}

type Announced = 'returnDeadline' | 'kind' | 'certifiedOn' | 'canvassedOn';

/** An election to save. What was announced before stays where it is left out. */
type NewElection = Omit<Election, 'electionId' | Announced> & Partial<Pick<Election, Announced>>;

/** Creates the election with this number, or changes it and the way its number is written. */
export async function saveElection(
  tx: Tx,
  accountId: AccountId,
  election: NewElection,
): Promise<ElectionId> {
  const { number, name, electionDate, isActive, returnDeadline } = election;
  await sql`update elections set number = ${number}
    where account_id = ${accountId} and lower(number) = lower(${number})`.execute(tx);
  const { rows } = await sql<{ election_id: ElectionId }>`
    insert into elections (account_id, number, name, election_date, is_active)
    values (${accountId}, ${number}, ${name}, ${electionDate}, ${isActive})
    on conflict (account_id, number) do update set name = excluded.name,
      election_date = excluded.election_date, is_active = excluded.is_active
    returning election_id`.execute(tx);
  const saved = rows[0];
  if (!saved) throw new Error('An election could not be saved.');
  if (returnDeadline !== undefined)
    await sql`update elections set return_deadline = ${returnDeadline && JSON.stringify(returnDeadline)}
      where election_id = ${saved.election_id}`.execute(tx);
  const { kind, certifiedOn, canvassedOn } = election;
  await sql`update elections set kind = coalesce(${kind ?? null}, kind),
      certified_on = coalesce(${certifiedOn ?? null}::date, certified_on),
      canvassed_on = coalesce(${canvassedOn ?? null}::date, canvassed_on)
    where election_id = ${saved.election_id}`.execute(tx);
  return saved.election_id;
}

/** Changes an election to exactly this. The caller has checked that no other election of the account has its number. */
export async function updateElection(tx: Tx, election: Election): Promise<void> {
  const { electionId, number, name, electionDate, isActive, returnDeadline } = election;
  const { kind, certifiedOn, canvassedOn } = election;
  await sql`update elections set number = ${number}, name = ${name}, election_date = ${electionDate},
      is_active = ${isActive}, return_deadline = ${returnDeadline && JSON.stringify(returnDeadline)},
      kind = ${kind}, certified_on = ${certifiedOn}, canvassed_on = ${canvassedOn}
    where election_id = ${electionId}`.execute(tx);
}

/** Newest first. */
export async function listElections(db: Db, accountId: AccountId): Promise<Election[]> {
  const { rows } = await sql<{
    election_id: ElectionId;
    number: string;
    name: string;
    election_date: string;
    is_active: boolean;
    return_deadline: ReturnDeadline | null;
    kind: ElectionKind | null;
    certified_on: string | null;
    canvassed_on: string | null;
  }>`select election_id, number, name, election_date, is_active, return_deadline, kind, certified_on, canvassed_on
    from elections
    where account_id = ${accountId} order by election_date desc, number`.execute(db);
  return rows.map((row) => ({
    electionId: row.election_id,
    number: row.number,
    name: row.name,
    electionDate: row.election_date,
    isActive: row.is_active,
    returnDeadline: row.return_deadline,
    kind: row.kind,
    certifiedOn: row.certified_on,
    canvassedOn: row.canvassed_on,
  }));
}

/** Voters read election day, and what counts from it, on the page of each ballot: with ballots it moves by weeks alone. */
export async function mayMoveTo(
  db: Db,
  { electionId, electionDate }: Pick<Election, 'electionId' | 'electionDate'>,
  day: string,
): Promise<boolean> {
  if (isNearElection(day, electionDate)) return true;
  const { rows } = await sql`
    -- sequential scan: ends at the election's first ballot
    select from ballots where election_id = ${electionId} limit 1`.execute(db);
  return rows.length === 0;
}

/** Gives the election another number. The caller has checked that no election of the account has it. */
export async function renameElection(
  tx: Tx,
  electionId: ElectionId,
  number: string,
): Promise<void> {
  await sql`update elections set number = ${number} where election_id = ${electionId}`.execute(tx);
}

/** Removes an election without ballots. @returns how many ballots it has; 0 when it was removed */
export async function removeElection(tx: Tx, electionId: ElectionId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    -- sequential scan: counts all ballots of an election, once in its life
    select count(*)::int as count from ballots where election_id = ${electionId}`.execute(tx);
  const count = rows[0]?.count ?? 0;
  if (count === 0) {
    await sql`delete from office_deadlines where election_id = ${electionId}`.execute(tx);
    // Letters are printed before there are ballots.
    await sql`
      -- sequential scan: once in the life of an election
      delete from letter_codes where election_id = ${electionId}`.execute(tx);
    await sql`delete from elections where election_id = ${electionId}`.execute(tx);
  }
  return count;
}
