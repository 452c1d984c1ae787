import { sql } from 'kysely';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { activityGrainMs, idleTimeoutMs, type Throttle, throttleWindowMs } from './rules.ts';

/**
 * Counts an attempt against each of its keys before it is made, so that a hundred at once are no way around.
 * Locks the keys in one order; two attempts on the same keys wait for each other, never for ever.
 *
 * @returns until when to wait where a limit was already reached; then nothing is counted.
 */
export async function countAttempt(
  db: Db,
  throttles: readonly Throttle[],
  now: Date,
): Promise<Date | undefined> {
  const ordered = [...throttles].sort((a, b) => a.key.compare(b.key));
  const keys = ordered.map((throttle) => throttle.key);
  const limits = ordered.map((throttle) => throttle.limit);
  const windowEnd = new Date(now.getTime() + throttleWindowMs);
  const { rows } = await sql<{ window_ends_at: Date; is_over: boolean }>`
    with counted as (
      insert into throttles as t (throttle_key, failures, window_ends_at)
      select key, 1, ${windowEnd}::timestamptz
      from unnest(${keys}::bytea[]) as attempt(key)
      on conflict (throttle_key) do update set
        failures = case when t.window_ends_at <= ${now} then 1 else t.failures + 1 end,
        window_ends_at = case when t.window_ends_at <= ${now} then excluded.window_ends_at else t.window_ends_at end
      returning throttle_key, failures, window_ends_at)
    select window_ends_at, failures > allowed.most as is_over
    from counted join unnest(${keys}::bytea[], ${limits}::integer[]) as allowed(key, most) on key = throttle_key`.execute(
    db,
  );
  const over = rows.filter((row) => row.is_over).map((row) => row.window_ends_at.getTime());
  if (over.length === 0) return undefined;
  await forgiveAttempt(db, throttles);
  return new Date(Math.max(...over));
}

/** Takes a counted attempt back: it was no failure. */
export async function forgiveAttempt(db: Db, throttles: readonly Throttle[]): Promise<void> {
  const keys = throttles.map((throttle) => throttle.key).sort((a, b) => a.compare(b));
  await sql`
    with locked as (
      select throttle_key from throttles where throttle_key = any(${keys}::bytea[])
      order by throttle_key for update)
    update throttles t set failures = greatest(0, failures - 1)
    from locked where locked.throttle_key = t.throttle_key`.execute(db);
}

/**
 * Uses a CAPTCHA solution up. False when it was used before, unless it had led `person` to a further question and
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

/** Whether a spent solution waits for this person's answer to a further question. */
export async function isCaptchaKeptFor(
  db: Db,
  hash: Buffer,
  person: Buffer,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    select from used_captchas
    where captcha_hash = ${hash} and continues_for = ${person} and expires_at > ${now}`.execute(db);
  return rows.length > 0;
}

/** Lets a spent solution be used once more by the same person, for the question that was asked back. */
export async function keepCaptchaFor(
  db: Db,
  hash: Buffer,
  person: Buffer,
  until: Date,
): Promise<void> {
  await sql`
    update used_captchas set continues_for = ${person}, expires_at = greatest(expires_at, ${until})
    where captcha_hash = ${hash}`.execute(db);
}

export interface NewSession {
  readonly hash: Buffer;
  readonly voterId: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** @returns the public handle. */
export async function insertSession(db: Db, session: NewSession): Promise<string> {
  const { rows } = await sql<{ session_id: string }>`
    insert into sessions (account_id, session_hash, voter_id, created_at, last_active_at, expires_at)
    values (current_account_id(), ${session.hash}, ${session.voterId}, ${session.now}, ${session.now}, ${session.expiresAt})
    returning session_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('The new session has no handle.');
  return row.session_id;
}

export interface LivingSession {
  readonly session_id: string;
  readonly voter_id: VoterId;
  readonly created_at: Date;
}

/** The session of this cookie, if it lives; notes that it is being used, unless nobody did anything. */
export async function useSession(
  db: Db,
  hash: Buffer,
  now: Date,
  isActivity: boolean,
): Promise<LivingSession | undefined> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  const { rows } = await sql<LivingSession & { last_active_at: Date }>`
    select s.session_id, s.voter_id, s.created_at, s.last_active_at
    from sessions s join voters v using (voter_id)
    where s.session_hash = ${hash} and s.expires_at > ${now} and s.last_active_at > ${idleSince}
      and v.is_active and not v.is_confidential`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  if (isActivity && now.getTime() - row.last_active_at.getTime() >= activityGrainMs) {
    await sql`update sessions set last_active_at = ${now} where session_hash = ${hash}`.execute(db);
  }
  return { session_id: row.session_id, voter_id: row.voter_id, created_at: row.created_at };
}

/** The account of a cookie that came to a host without an account of its own. */
export async function findSessionAccount(unscoped: Db, hash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ account_id: number | null }>`
    select find_session_account(${hash}) as account_id`.execute(unscoped);
  return rows[0]?.account_id ?? undefined;
}

/** @returns the voter whose session it was. */
export async function deleteSession(db: Db, hash: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ voter_id: number }>`
    delete from sessions where session_hash = ${hash} returning voter_id`.execute(db);
  return rows[0]?.voter_id;
}

/** Forgets what has run out: windows, solutions, sessions. */
export async function deleteExpired(unscoped: Db, now: Date): Promise<void> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  await sql`delete from throttles where window_ends_at <= ${now}`.execute(unscoped);
  await sql`delete from used_captchas where expires_at <= ${now}`.execute(unscoped);
  await sql`select delete_expired_sessions(${now}, ${idleSince})`.execute(unscoped);
}

/** Signs an office's voters out, or one of them; returns how many sessions there were. */
export async function endSessions(
  system: Db,
  accountId: number,
  voterId?: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where account_id = ${accountId}
      and (${voterId ?? null}::bigint is null or voter_id = ${voterId ?? null})`.execute(system);
  return Number(numAffectedRows ?? 0);
}
