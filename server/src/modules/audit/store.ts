import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';

/**
 * Who acted: a person at the command line, a person signed in to the console (issuer and subject), a signed-in voter, a visitor or a network known by a keyed hash only, or
 * the product.
 */
export type Actor =
  | `operator:${string}`
  | `person:${string}`
  | `voter:${number}`
  | `visitor:${string}`
  | `network:${string}`
  | 'system';

export interface AuditEntry {
  /** What was done, as `noun.verb`: `account.apply`, `file.import`. */
  readonly action: string;
  readonly actor: Actor;
  /** What it was done to, by number or name; never a voter's data. */
  readonly target?: string;
  /** Field names, counts and keyed hashes; never a voter's data. */
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface RecordedAuditEntry extends Required<AuditEntry> {
  readonly auditId: number;
  readonly at: Date;
}

/** Adds to the account's record of who did what, in the caller's transaction. */
export async function recordAudit(db: Db, accountId: AccountId, entry: AuditEntry): Promise<void> {
  await insertAudit(accountId, entry).execute(db);
}

/** SQL of {@link recordAudit}, to be a `with` part of the statement that does what is recorded: one is not there without the other. */
export function insertAudit(accountId: AccountId, entry: AuditEntry): RawBuilder<unknown> {
  const { actor, action, target = '', details = {} } = entry;
  return sql`insert into audit_log (account_id, actor, action, target, details)
    values (${accountId}, ${actor}, ${action}, ${target}, ${JSON.stringify(details)})`;
}

/** Newest first; without an account the site's own entries, which belong to no office. */
export async function listAudit(
  db: Db,
  accountId: AccountId | undefined,
  limit: number,
): Promise<RecordedAuditEntry[]> {
  const { rows } = await sql<RecordedAuditEntry>`
    select audit_id as "auditId", at, actor, action, target, details from audit_log
    where ${accountId === undefined ? sql`account_id is null` : sql`account_id = ${accountId}`} order by audit_id desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** What an office's people see of its record. */
export interface OfficeAuditFilter {
  /** The first words of actions. */
  readonly nouns?: readonly string[] | undefined;
  readonly actor?: string | undefined;
  /** The first and the last day in the time zone, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly timeZone: string;
  /** Only older entries than this one. */
  readonly before?: number | undefined;
}

/** What was done in the office and to it, newest first, without what voters did themselves. @param db bound to the account */
export async function pageOfficeAudit(
  db: Db,
  { nouns, actor, from, to, timeZone, before }: OfficeAuditFilter,
  limit: number,
): Promise<RecordedAuditEntry[]> {
  const startOf = (day: string | undefined, more: 0 | 1) =>
    sql`((${day ?? null}::date + ${sql.lit(more)})::timestamp at time zone ${timeZone})`;
  const { rows } = await sql<RecordedAuditEntry>`
    select audit_id as "auditId", at, actor, action, target, details from audit_log
    where account_id = current_account_id() and actor not like 'voter:%' and actor not like 'visitor:%'
      and (${before ?? null}::bigint is null or audit_id < ${before ?? null}::bigint)
      and (${nouns ?? null}::text[] is null or split_part(action, '.', 1) = any (${nouns ?? null}::text[]))
      and (${actor ?? null}::text is null or actor = ${actor ?? null}::text)
      and (${from ?? null}::date is null or at >= ${startOf(from, 0)})
      and (${to ?? null}::date is null or at < ${startOf(to, 1)})
    order by audit_id desc limit ${limit}`.execute(db);
  return rows;
}

/** What `beacon doctor` found, in the site's own record. @param ids such as `dns.spf` */
export async function recordFindings(db: Db, actor: Actor, ids: readonly string[]): Promise<void> {
  await sql`insert into audit_log (account_id, actor, action, target)
    select null, ${actor}, 'security.doctor-finding', id from unnest(${ids}::text[]) id`.execute(
    db,
  );
}

export interface CountedSecurityEvent {
  readonly kind: string;
  readonly accountId: AccountId | null;
  readonly target: string;
  /** Keyed hash. */
  readonly network: string;
  readonly count: number;
}

/** Adds one entry for each, in the account's record or, where none is known, in the site's. */
export async function recordSecurityEvents(
  db: Db,
  events: readonly CountedSecurityEvent[],
): Promise<void> {
  await sql`select record_security_events(${JSON.stringify(events)}::jsonb)`.execute(db);
}
