import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../platform/ids.ts';
import { inOrder, type ListPage, withinPage } from '../../platform/list-page.ts';
import type { Db } from '../../platform/postgres.ts';
import { type Days, withinDays } from '../../platform/within-days.ts';

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
export interface OfficeAuditFilter extends Days, ListPage {
  /** The first words of actions. */
  readonly nouns?: readonly string[] | undefined;
  readonly actor?: string | undefined;
}

/** What was done in the office and to it, without what voters did themselves. @param db bound to the account */
export async function pageOfficeAudit(
  db: Db,
  { nouns, actor, order, before, after, ...days }: OfficeAuditFilter,
  limit: number,
): Promise<RecordedAuditEntry[]> {
  const key = sql`audit_id`;
  const page = { order, before, after };
  const conditions = [
    sql`account_id = current_account_id()`,
    sql`actor not like 'voter:%'`,
    sql`actor not like 'visitor:%'`,
    ...withinPage(key, page),
    ...(nouns === undefined ? [] : [sql`split_part(action, '.', 1) = any (${nouns}::text[])`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...withinDays(sql`at`, days),
  ];
  const { rows } = await sql<RecordedAuditEntry>`
    select audit_id as "auditId", at, actor, action, target, details from audit_log
    where ${sql.join(conditions, sql` and `)}
    order by ${inOrder(key, page)} limit ${limit}`.execute(db);
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
