import { sql } from 'kysely';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { insertAudit } from '../audit/index.ts';
import { activityGrainMs, idleTimeoutMs } from './rules.ts';
import type { NamedVoter, WorkLevel } from './throttle-rules.ts';
import type { Welcome } from './throttle-store.ts';

/**
 * Uses up a CAPTCHA solution. False when it was used before, unless it had led `person` to a further question and
 * this is the answer.
 */
export async function spendCaptcha(
  db: Db,
  solution: { readonly hash: Buffer; readonly expiresAt: Date },
  person: Buffer,
): Promise<boolean> {
  const { rows } = await sql`
    insert into used_captchas as used (captcha_hash, expires_at)
    values (${solution.hash}, ${solution.expiresAt})
    on conflict (captcha_hash) do update set continues_for = null
      where used.continues_for = ${person}
    returning captcha_hash`.execute(db);
  return rows.length > 0;
}

/** The work that a spent solution proved, if it waits for this person's answer to a further question. */
export async function findKeptCaptcha(
  db: Db,
  hash: Buffer,
  person: Buffer,
  now: Date,
): Promise<WorkLevel | undefined> {
  const { rows } = await sql<{ work_level: WorkLevel }>`
    select work_level from used_captchas
    where captcha_hash = ${hash} and continues_for = ${person} and expires_at > ${now}`.execute(db);
  return rows[0]?.work_level;
}

/** Allows the same person to use a spent solution once more, for the further question. */
export async function keepCaptchaFor(
  db: Db,
  solution: { readonly hash: Buffer; readonly level: WorkLevel },
  person: Buffer,
  until: Date,
): Promise<void> {
  await sql`
    update used_captchas
    set continues_for = ${person}, expires_at = greatest(expires_at, ${until}), work_level = ${solution.level}
    where captcha_hash = ${solution.hash}`.execute(db);
}

export interface NewSession {
  readonly hash: Buffer;
  readonly voterId: VoterId;
  readonly hasContactProof: boolean;
  readonly letterCodeId: number | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/**
 * Starts a session, and records it in the same statement.
 *
 * @param welcome counts the sign-in in the same statement
 * @returns the public handle.
 */
export async function insertSession(
  db: Db,
  accountId: AccountId,
  session: NewSession,
  welcome?: Welcome,
): Promise<string> {
  const before = welcome ? sql`${welcome},` : sql``;
  const { rows } = await sql<{ session_id: string }>`
    with ${before} recorded as (
      ${insertAudit(accountId, { actor: `voter:${session.voterId}`, action: 'session.create' })})
    insert into sessions (account_id, session_hash, voter_id, has_contact_proof, letter_code_id, created_at, last_active_at,
      expires_at)
    values (current_account_id(), ${session.hash}, ${session.voterId}, ${session.hasContactProof},
      ${session.letterCodeId}, ${session.now}, ${session.now}, ${session.expiresAt})
    returning session_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The new session has no handle.');
  return row.session_id;
}

export interface LivingSession extends NamedVoter {
  readonly session_id: string;
  readonly voter_id: VoterId;
  readonly has_contact_proof: boolean;
  readonly is_confidential: boolean;
  /** `YYYY-MM-DD` */
  readonly birthdate: string | null;
  readonly created_at: Date;
  readonly last_active_at: Date;
}

/**
 * The session of this cookie, unless it ended. A confidential voter has one by a letter's code only.
 *
 * @param isToNote whether there is activity, which the database may not have noted of late
 */
export async function useSession(
  db: Db,
  hash: Buffer,
  now: Date,
  isToNote: boolean,
): Promise<LivingSession | undefined> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  const selectLiving = sql`
    select s.session_id, s.voter_id, s.has_contact_proof, s.created_at, s.last_active_at, v.is_confidential,
      match_name(v.firstname) as firstname, match_name(v.lastname) as lastname, v.zipcode, v.birthdate
    from sessions s join voters v using (voter_id)
    where s.session_hash = ${hash} and s.expires_at > ${now} and s.last_active_at > ${idleSince}
      and v.is_active and (not v.is_confidential or s.letter_code_id is not null)`;
  // In one statement, because every request of a signed-in voter begins with it. An update that updates nothing costs as well, so it is left out where it can be.
  const { rows } = await (isToNote
    ? sql<LivingSession>`
    with living as (${selectLiving}),
    noted as (
      update sessions set last_active_at = ${now}
      where session_hash = ${hash} and last_active_at <= ${new Date(now.getTime() - activityGrainMs)}
        and exists (select from living))
    select * from living`
    : sql<LivingSession>`${selectLiving}`
  ).execute(db);
  return rows[0];
}

/** From now on the session may see and change where the voter's messages go. */
export async function grantContactProof(db: Db, sessionId: string): Promise<void> {
  await sql`update sessions set has_contact_proof = true where session_id = ${sessionId}`.execute(
    db,
  );
}

/** The account of a cookie that came to a host without an account of its own. */
export async function findSessionAccount(
  unscoped: Db,
  hash: Buffer,
): Promise<AccountId | undefined> {
  const { rows } = await sql<{ account_id: AccountId | null }>`
    select find_session_account(${hash}) as account_id`.execute(unscoped);
  return rows[0]?.account_id ?? undefined;
}

/** @returns the voter whose session it was. */
export async function deleteSession(db: Db, hash: Buffer): Promise<VoterId | undefined> {
  const { rows } = await sql<{ voter_id: VoterId }>`
    delete from sessions where session_hash = ${hash} returning voter_id`.execute(db);
  return rows[0]?.voter_id;
}

/** Deletes what has run out: counters, solutions, sessions. */
export async function deleteExpired(unscoped: Db, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  await sql`delete from throttles where kept_until <= ${now}`.execute(unscoped);
  await sql`delete from network_voters where expires_at <= ${now}`.execute(unscoped);
  await sql`delete from used_captchas where expires_at <= ${now}`.execute(unscoped);
  await sql`select delete_expired_sessions(${now}, ${idleSince})`.execute(unscoped);
}

/** How many sessions voters have now. @param db bound to the account */
export async function countSessions(db: Db, now: Date): Promise<number> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  const { rows } = await sql<{ count: number }>`
    -- sequential scan: an administrator looks after an incident; sign-in stays quick without one more index
    select count(*)::int as count from sessions
    where account_id = current_account_id() and expires_at > ${now} and last_active_at > ${idleSince}`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/** Signs an office's voters out, or one of them; returns how many sessions there were. */
export async function endSessions(
  db: Db,
  accountId: AccountId,
  voterId?: VoterId,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where account_id = ${accountId}
      and (${voterId ?? null}::bigint is null or voter_id = ${voterId ?? null})
      -- sequential scan: an operator's command, run by hand; sign-in stays quick without one more index`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0);
}
