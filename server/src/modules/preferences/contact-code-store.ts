import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

export interface NewContactCode {
  readonly accountId: AccountId;
  readonly sessionId: string;
  readonly voterId: VoterId;
  readonly channel: Channel;
  readonly address: string;
  readonly expiresAt: Date;
}

export interface KeptContactCode extends NewContactCode {
  readonly id: number;
  readonly tries: number;
}

/** Replaces the session's earlier code. @returns the new code's number, and the earlier code */
export async function addContactCode(
  db: Db,
  code: NewContactCode,
): Promise<{ readonly id: number; readonly earlier: KeptContactCode | undefined }> {
  const { rows: replaced } = await sql<KeptContactCode>`
    delete from contact_codes where session_id = ${code.sessionId}
    returning contact_code_id as id, account_id as "accountId", session_id as "sessionId", voter_id as "voterId",
      channel, address, tries, expires_at as "expiresAt"`.execute(db);
  const { rows } = await sql<{ id: number }>`
    insert into contact_codes (account_id, session_id, voter_id, channel, address, expires_at)
    values (${code.accountId}, ${code.sessionId}, ${code.voterId}, ${code.channel}, ${code.address}, ${code.expiresAt})
    returning contact_code_id as id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The new code has no number.');
  return { id: row.id, earlier: replaced[0] };
}

/** Takes a code back that is not sent: the earlier one, which its voter may have by now, is good as before. */
export async function takeBackContactCode(
  db: Db,
  id: number,
  earlier: KeptContactCode | undefined,
): Promise<void> {
  await sql`delete from contact_codes where contact_code_id = ${id}`.execute(db);
  if (!earlier) return;
  await sql`
    insert into contact_codes (contact_code_id, account_id, session_id, voter_id, channel, address, tries, expires_at)
    overriding system value
    values (${earlier.id}, ${earlier.accountId}, ${earlier.sessionId}, ${earlier.voterId}, ${earlier.channel},
      ${earlier.address}, ${earlier.tries}, ${earlier.expiresAt})`.execute(db);
}

export interface TriedCode {
  readonly id: number;
  readonly channel: Channel;
  readonly address: string;
}

/** Counts a try before it is judged, so that many at once cannot pass the limit; undefined where none is left. */
export async function tryContactCode(
  db: Db,
  sessionId: string,
  mostTries: number,
  now: Date,
): Promise<TriedCode | undefined> {
  const { rows } = await sql<TriedCode>`
    update contact_codes set tries = tries + 1
    where session_id = ${sessionId} and expires_at > ${now} and tries < ${mostTries}
    returning contact_code_id as id, channel, address`.execute(db);
  return rows[0];
}

/** @returns false where another request has used the code up */
export async function useContactCode(db: Db, id: number): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from contact_codes where contact_code_id = ${id}`.execute(db);
  return numAffectedRows === 1n;
}

/** After a change of the addresses no earlier code counts, in whichever session. */
export async function voidContactCodes(db: Db, voterId: VoterId): Promise<void> {
  await sql`delete from contact_codes where voter_id = ${voterId}`.execute(db);
}
