import type { TestDatabase } from './database.ts';
import { CompiledQuery } from './sql.ts';

/** A column that a row must have and the database does not fill in. */
interface Column {
  readonly name: string;
  readonly type: string;
  readonly label: string | null;
}

export interface Table {
  readonly name: string;
  readonly hasAccount: boolean;
  readonly required: readonly Column[];
}

/**
 * Puts a row of each of these offices into every table of the schema, so that a new table is covered without a change
 * here. A table of no office gets one row. What a row says is no matter, so nothing but its office is right: constraints
 * and triggers are gone afterwards.
 */
export async function fillEveryTable(
  db: TestDatabase,
  accounts: readonly [number, ...number[]],
): Promise<Table[]> {
  const run = <Row>(text: string) => db.database.system.executeQuery<Row>(CompiledQuery.raw(text));
  const { rows: tables } = await run<Table>(`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'account_id') as "hasAccount",
      coalesce((select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null),
          'label', (select enumlabel from pg_enum where enumtypid = atttypid order by enumsortorder limit 1)))
        from pg_attribute a where attrelid = c.oid and attnum > 0 and not attisdropped and attnotnull
          and not atthasdef and attidentity = '' and attname <> 'account_id'), '[]') as required
    from pg_class c where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by relname`);
  await run(`do $$ declare one record; begin
    for one in select conrelid::regclass as of, conname from pg_constraint
      where contype in ('c', 'f') and connamespace = 'public'::regnamespace and conparentid = 0
      order by contype desc
    loop execute format('alter table %s drop constraint %I', one.of, one.conname); end loop;
    alter table accounts alter column account_id drop identity;
    for one in select oid::regclass as of from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
    loop execute format('alter table %s disable trigger user', one.of); end loop;
  end $$`);
  for (const table of tables)
    for (const account of table.hasAccount ? accounts : accounts.slice(0, 1))
      await run(insertInto(table, account));
  return [...tables];
}

export function insertInto({ name, hasAccount, required }: Table, account: number): string {
  const own: Column[] = hasAccount ? [{ name: 'account_id', type: 'integer', label: null }] : [];
  const columns = [...own, ...required];
  const names = columns.map((column) => `"${column.name}"`).join(', ');
  const values = columns.map((column) => valueFor(column, account)).join(', ');
  return `insert into "${name}" (${names}) values (${values})`;
}

function valueFor({ type, label }: Column, account: number): string {
  if (label !== null) return `'${label}'`;
  if (/^(smallint|integer|bigint|numeric|real|double precision)$/.test(type)) return `${account}`;
  if (/^(text|character varying)$/.test(type)) return `'of ${account}'`;
  if (/^(date|time|timestamp)/.test(type)) return 'now()';
  if (type === 'bytea') return `'\\x0${account}'`;
  if (type === 'boolean') return 'true';
  if (type === 'uuid') return 'gen_random_uuid()';
  if (/^jsonb?$/.test(type)) return `'{}'`;
  if (type.endsWith('[]')) return `'{}'`;
  throw new Error(`Say here what a column of type ${type} can be filled with.`);
}
