import { sql } from 'kysely';
import type { PersonId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { PersonRow } from './people-store.ts';
import { activityGrainMs, idleTimeoutMs } from './rules.ts';

export interface LivingSession extends PersonRow {
  /** When the person last proved who it is; null where the identity provider does not say. */
  readonly provenAt: Date | null;
  readonly expiresAt: Date;
}

/** A session of the command line opens nothing at the console, and the other way round. */
export type SessionUse = 'console' | 'command-line';

/** @returns false where there is a session of this secret */
export async function insertSession(
  db: Db,
  session: {
    readonly hash: Buffer;
    readonly personId: PersonId;
    readonly now: Date;
    readonly provenAt: Date | null;
    readonly expiresAt: Date;
    readonly usedBy: SessionUse;
  },
): Promise<boolean> {
  const { hash, personId, now, provenAt, expiresAt, usedBy } = session;
  const { numAffectedRows } = await sql`
    insert into office_sessions (account_id, session_hash, person_id, created_at, last_active_at, proven_at, expires_at, used_by)
    values (current_account_id(), ${hash}, ${personId}, ${now}, ${now}, ${provenAt}, ${expiresAt}, ${usedBy})
    on conflict do nothing`.execute(db);
  if (numAffectedRows === 0n) return false;
  await sql`update people set last_seen_at = ${now} where person_id = ${personId}`.execute(db);
  return true;
}

/**
 * The session of this secret, unless it ended; records activity, unless the page called by itself. Roles are read anew
 * each time, so that a role that is taken away is gone with the next request.
 *
 * @param db bound to the account of the host
 */
export async function useSession(
  db: Db,
  hash: Buffer,
  now: Date,
  { usedBy, isActivity }: { readonly usedBy: SessionUse; readonly isActivity: boolean },
): Promise<LivingSession | undefined> {
  const idleSince = new Date(now.getTime() - idleTimeoutMs);
  const { rows } = await sql<LivingSession & { lastActiveAt: Date }>`
    select p.person_id as "personId", p.issuer, p.subject, p.name, s.proven_at as "provenAt",
      s.expires_at as "expiresAt", s.last_active_at as "lastActiveAt",
      array(select r.role from person_roles r where r.person_id = p.person_id order by r.role) as roles
    from office_sessions s join people p using (person_id)
    where s.session_hash = ${hash} and s.used_by = ${usedBy} and s.expires_at > ${now} and s.last_active_at > ${idleSince}
      and p.removed_at is null`.execute(db);
  const [row] = rows;
  if (!row || row.roles.length === 0) return undefined;
  const { lastActiveAt, ...session } = row;
  if (isActivity && now.getTime() - lastActiveAt.getTime() >= activityGrainMs) {
    await sql`update office_sessions set last_active_at = ${now} where session_hash = ${hash}`.execute(
      db,
    );
  }
  return session;
}

export async function deleteSession(db: Db, hash: Buffer): Promise<void> {
  await sql`delete from office_sessions where session_hash = ${hash}`.execute(db);
}

/** Signs a person out everywhere. */
export async function deleteSessionsOf(db: Db, personId: PersonId): Promise<void> {
  await sql`delete from office_sessions where person_id = ${personId}`.execute(db);
}

/** Deletes an office's sessions, invitations and challenges that have run out. @param db bound to the account */
export async function deleteExpired(db: Db, now: Date): Promise<void> {
  await sql`delete from office_sessions
    where account_id = current_account_id() and expires_at <= ${now}`.execute(db);
  await sql`delete from invitations
    where account_id = current_account_id() and expires_at <= ${now}`.execute(db);
  await sql`delete from answered_challenges
    where account_id = current_account_id() and expires_at <= ${now}`.execute(db);
}
