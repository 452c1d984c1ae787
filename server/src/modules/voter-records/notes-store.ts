import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Actor } from '../audit/index.ts';

export interface KeptNote {
  readonly note_id: number;
  readonly at: Date;
  readonly noted_by: Actor;
  readonly text: string;
}

/** @param db bound to the account as its console is */
export async function addNote(
  db: Db,
  accountId: AccountId,
  { voterId, ...note }: { voterId: VoterId } & Omit<KeptNote, 'note_id'>,
): Promise<KeptNote> {
  const { rows } = await sql<{ note_id: number }>`
    insert into voter_notes (account_id, voter_id, at, noted_by, text)
    values (${accountId}, ${voterId}, ${note.at}, ${note.noted_by}, ${note.text})
    returning note_id`.execute(db);
  const [added] = rows;
  if (!added) throw new Error('The note was not added.');
  return { ...note, ...added };
}

/** A voter's notes, newest first. @param db bound to the account, as its console or a command is */
export async function readNotes(db: Db, voterId: VoterId, limit: number): Promise<KeptNote[]> {
  const { rows } = await sql<KeptNote>`
    select note_id, at, noted_by, text from voter_notes
    where account_id = current_account_id() and voter_id = ${voterId}
    order by note_id desc limit ${limit}`.execute(db);
  return rows;
}

/** For an account whose file has no `message_retention_days`. */
const defaultDays = 730;

/** Deletes notes that are older than what their account keeps of messages. @returns how many */
export async function discardOldNotes(system: Db, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    -- sequential scan: once a day; a clerk writes a few a day, and the age differs by office
    delete from voter_notes n using accounts a
    where a.account_id = n.account_id and n.at < ${now}::timestamptz - make_interval(days =>
      coalesce((a.settings->>'message_retention_days')::integer, ${defaultDays}))`.execute(system);
  return Number(numAffectedRows ?? 0n);
}
