import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';
import type { AccountId } from '../accounts/index.ts';

/** What connections of a move are called, to tell them from those of processes. */
export const moverName = 'beacon-move';

const lockPatience = '2s';
const pauseMs = 250;
const mostTries = 240;

/** Every table that has rows of an account, those that others refer to first. */
export async function listAccountTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; needs: string[] }>`
    select c.relname as name, coalesce((select json_agg(t.relname) from pg_constraint k join pg_class t on t.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '[]') as needs
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'moved_accounts'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id')
    order by c.relname`.execute(db);
  const ordered: string[] = [];
  const place = ({ name, needs }: (typeof rows)[number]): void => {
    if (ordered.includes(name)) return;
    for (const needed of rows.filter((one) => needs.includes(one.name))) place(needed);
    ordered.push(name);
  };
  for (const row of rows) place(row);
  return ordered;
}

/** Other processes that use the owner's login, which row-level security does not bind: they could still write an account's rows. */
export async function countOwners(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity a join pg_roles r on r.oid = a.usesysid
    where a.datname = current_database() and a.backend_type = 'client backend'
      and r.oid = (select relowner from pg_class where oid = 'voters'::regclass)
      and a.application_name <> ${moverName}`.execute(db);
  return rows[0]?.count ?? 0;
}

export async function beginMove(db: Db, accountId: AccountId, at: Date): Promise<void> {
  await sql`insert into moved_accounts (account_id, began_at) values (${accountId}, ${at})
    on conflict (account_id) do nothing`.execute(db);
}

export async function finishMove(db: Db, accountId: AccountId, at: Date): Promise<void> {
  await sql`
    -- sequential scan: one row for each office that moved
    update moved_accounts set moved_at = ${at} where account_id = ${accountId}`.execute(db);
}

/** Lets no worker claim the account's messages any more; those with a provider get their outcome. */
export async function stopClaims(db: Db, accountId: AccountId): Promise<void> {
  await addPolicy(db, 'messages', `${policyOf(accountId)}_claims`, {
    kind: 'update',
    rule: `${others(accountId)} or state = 'sending'`,
    check: 'true',
  });
}

/** Messages of the account that are with a provider. */
export async function countSending(db: Db, accountId: AccountId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from messages where account_id = ${accountId} and state = 'sending'`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Closes a table's rows of the account to every login but the owner's. It waits for every transaction that uses the table, so what is
 * read afterwards is the last word.
 */
export async function closeTable(db: Db, table: string, accountId: AccountId): Promise<void> {
  await addPolicy(db, table, policyOf(accountId), {
    ...{ kind: 'all', rule: others(accountId), check: others(accountId) },
  });
}

/** Takes away what closed the account in these tables. */
export async function openTables(
  db: Db,
  tables: readonly string[],
  accountId: AccountId,
): Promise<void> {
  await patiently(db, `drop policy if exists ${policyOf(accountId)}_claims on messages`);
  for (const table of tables)
    await patiently(db, `drop policy if exists ${policyOf(accountId)} on "${table}"`);
}

/** Opens the account again, which did not move. */
export async function reopen(
  db: Db,
  tables: readonly string[],
  accountId: AccountId,
): Promise<void> {
  await openTables(db, tables, accountId);
  await sql`
    -- sequential scan: one row for each office that moved
    delete from moved_accounts where account_id = ${accountId}`.execute(db);
}

const policyOf = (accountId: AccountId) => `moved_${accountId}`;
const others = (accountId: AccountId) => `account_id is distinct from ${accountId}`;

async function addPolicy(
  db: Db,
  table: string,
  name: string,
  { kind, rule, check }: { readonly kind: string; readonly rule: string; readonly check: string },
): Promise<void> {
  const { rows } = await sql`select from pg_policies
    where schemaname = 'public' and tablename = ${table} and policyname = ${name}`.execute(db);
  if (rows.length > 0) return;
  await patiently(
    db,
    `create policy ${name} on "${table}" as restrictive for ${kind} using (${rule}) with check (${check})`,
  );
}

/** A change of the schema that gives up its place in line before others have waited long, and tries again. */
async function patiently(db: Db, statement: string): Promise<void> {
  for (let left = mostTries; ; left -= 1) {
    try {
      await db.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(lockPatience)}`.execute(tx);
        await sql.raw(statement).execute(tx);
      });
      return;
    } catch (error) {
      const mayPass = /^(55P03|40P01)$/.test(String((error as { code?: unknown }).code));
      if (!mayPass || left <= 1) throw error;
      await wait(pauseMs);
    }
  }
}
