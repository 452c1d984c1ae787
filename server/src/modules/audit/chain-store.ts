import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

export interface Link {
  readonly position: number;
  /** Hexadecimal. */
  readonly hash: string;
}

/** Until the transaction's end nobody else extends the chain. */
export async function lockChain(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('audit-chain'))`.execute(tx);
}

export async function readHead(db: Db): Promise<Link | undefined> {
  const { rows } = await sql<Link>`
    select position, encode(hash, 'hex') as hash from audit_chain order by position desc limit 1`.execute(
    db,
  );
  return rows[0];
}

/** An entry as it is hashed: number, account, time, actor, action, target, details. */
const hashedFields = sql`array[l.audit_id::text, coalesce(l.account_id::text, ''),
  to_char(l.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), l.actor, l.action, l.target, l.details::text]`;

/** Entries that no link covers yet, in the order of their numbers. */
export async function readUnchained(
  db: Db,
  limit: number,
): Promise<readonly (readonly string[])[]> {
  const { rows } = await sql<{ fields: string[] }>`
    select ${hashedFields} as fields from audit_unchained join audit_log l using (audit_id)
    order by audit_id limit ${limit}`.execute(db);
  return rows.map(({ fields }) => fields);
}

export async function insertLinks(
  db: Db,
  links: readonly (Link & { readonly auditId: string })[],
): Promise<void> {
  const auditIds = links.map(({ auditId }) => auditId);
  await sql`
    insert into audit_chain (position, audit_id, hash)
    select position, audit_id, decode(hash, 'hex')
    from unnest(${links.map(({ position }) => position)}::bigint[], ${auditIds}::bigint[],
      ${links.map(({ hash }) => hash)}::text[]) link (position, audit_id, hash)`.execute(db);
  await sql`delete from audit_unchained where audit_id = any(${auditIds}::bigint[])`.execute(db);
}

export interface ChainedEntry extends Link {
  /** Null where the entry itself is gone. */
  readonly fields: readonly string[] | null;
}

export async function readChain(db: Db, after: number, limit: number): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select c.position, encode(c.hash, 'hex') as hash,
      case when l.audit_id is not null then ${hashedFields} end as fields
    from audit_chain c left join audit_log l using (audit_id)
    where c.position > ${after} order by c.position limit ${limit}`.execute(db);
  return rows;
}

/** Entries in the audit that neither a link covers nor one will. */
export async function countStrays(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    -- sequential scan: an operator who verifies the audit has every entry read
    select count(*) as count from audit_log l
    where not exists (select from audit_chain c where c.audit_id = l.audit_id)
      and not exists (select from audit_unchained u where u.audit_id = l.audit_id)`.execute(db);
  return rows[0]?.count ?? 0;
}

export interface PublishedHead extends Link {
  /** `2026-11-03`, by UTC. */
  readonly day: string;
}

/** @returns whether it is the day's first */
export async function publishHead(
  db: Db,
  { day, position, hash }: PublishedHead,
): Promise<boolean> {
  const { rows } = await sql`
    insert into audit_heads (day, position, hash) values (${day}, ${position}, decode(${hash}, 'hex'))
    on conflict (day) do nothing returning day`.execute(db);
  return rows.length > 0;
}

/** Newest first. */
export async function listHeads(db: Db, limit: number): Promise<PublishedHead[]> {
  const { rows } = await sql<PublishedHead>`
    select day, position, encode(hash, 'hex') as hash from audit_heads order by day desc limit ${limit}`.execute(
    db,
  );
  return rows;
}
