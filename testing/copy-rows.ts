import type { AccountId, VoterId } from '../server/src/platform/ids.ts';
import type { TestDatabase } from './database.ts';
import { CompiledQuery } from './sql.ts';

/** Numbers of copied rows lie so far behind those of the rows that they are copied from, for each copy that was made before. */
const distance = 1_000_000_000;
let copies = 0;

type Db = Pick<TestDatabase, 'database'>;

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Part of a key that all offices share, so that its copy has to be another. */
  readonly isShared: boolean;
}

/** Columns that name what the voters of an office have in common: a voter's copy has the same. */
const ofOffice = ['election_id', 'import_id', 'last_import_id', 'piece_import_id', 'person_id'];

/**
 * Copies every row of an office to another that has none: the same voter IDs, barcodes, addresses, file names and days under
 * other numbers. New tables are copied without a change here.
 */
export async function copyOffice(db: Db, from: AccountId, to: AccountId): Promise<void> {
  const columns = await readColumns(db);
  await copy(db, [...Map.groupBy(columns, ({ table }) => table)], {
    rows: () => `account_id = ${from}`,
    clears: `account_id = ${to}`,
    value: ({ name }) => (name === 'account_id' ? String(to) : undefined),
    renumbers: () => true,
  });
}

/**
 * Gives an office another voter with the same story as one it has: ballots, events, envelopes, scans, messages and all other rows
 * that are a voter's. The other has another voter ID and other barcodes, and another name, so that both can sign in.
 */
export async function copyVoter(db: Db, voterId: VoterId): Promise<void> {
  const columns = await readColumns(db);
  const ballots = `select ballot_id from ballots where voter_id = ${voterId}`;
  const owners = {
    voter_id: String(voterId),
    ballot_id: ballots,
    message_id: `select message_id from messages where voter_id = ${voterId}`,
    tracking_code: `select tracking_code from mail_pieces where ballot_id in (${ballots})`,
  };
  const ownerOf = (table: readonly Column[]) =>
    Object.keys(owners).find((owner) => table.some(({ name }) => name === owner));
  const tables = [...Map.groupBy(columns, ({ table }) => table)];
  await copy(
    db,
    tables.filter(([, table]) => ownerOf(table) !== undefined),
    {
      rows(table) {
        const owner = ownerOf(table) as keyof typeof owners;
        return `${owner} in (${owners[owner]})`;
      },
      value({ name }) {
        if (name === 'registration_id') return `'X' || registration_id`;
        if (name === 'tracking_code') return `'99' || substr(tracking_code, 3)`;
        if (name === 'lastname') return `lastname || ' Twin'`;
        return undefined;
      },
      renumbers: ({ name }) => !ofOffice.includes(name),
    },
  );
}

interface Copying {
  /** Which rows, as a condition. */
  rows(table: readonly Column[]): string;
  /** Which rows leave before, as a condition. */
  readonly clears?: string;
  /** An expression in place of the row's own value. */
  value(column: Column): string | undefined;
  renumbers(column: Column): boolean;
}

async function copy(
  db: Db,
  tables: readonly (readonly [string, readonly Column[]])[],
  { rows, clears, value, renumbers }: Copying,
): Promise<void> {
  const copied = (column: Column): string => {
    const given = value(column);
    if (given !== undefined) return given;
    const isOther = (column.isShared || isNumber(column)) && renumbers(column);
    return (isOther ? another(column) : undefined) ?? `"${column.name}"`;
  };
  copies += 1;
  await db.database.transaction(async (tx) => {
    // Tables in any order, without triggers.
    await tx.executeQuery(CompiledQuery.raw(`set local session_replication_role = replica`));
    for (const [table, columns] of tables) {
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      if (clears)
        await tx.executeQuery(CompiledQuery.raw(`delete from "${table}" where ${clears}`));
      await tx.executeQuery(
        CompiledQuery.raw(`insert into "${table}" (${names}) overriding system value
          select ${columns.map(copied).join(', ')} from "${table}" where ${rows(columns)}`),
      );
    }
  });
}

const isNumber = ({ name, type }: Column) => name.endsWith('_id') && type === 'bigint';

/** An expression of a value that no row has yet. */
function another({ name, type }: Column): string | undefined {
  if (type === 'bigint') return `"${name}" + ${distance * copies}`;
  if (type === 'bytea') return `sha256("${name}" || 'copy ${copies}'::bytea)`;
  if (type === 'uuid') return `md5("${name}" || 'copy ${copies}')::uuid`;
  if (type === 'text') return `"${name}" || ' copy ${copies}'`;
  return undefined;
}

/** Of every table with rows of an office, but the offices themselves; without columns that the database computes. */
async function readColumns(db: Db): Promise<Column[]> {
  const { rows } = await db.database.system.executeQuery<Column>(
    CompiledQuery.raw(`
      select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type,
        exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and a.attnum = i.indkey[0]
          and not exists (select from pg_attribute k where k.attrelid = c.oid and k.attnum = any(i.indkey)
            and (k.attname = 'account_id' or k.attname like '%\\_id' and k.atttypid = 'bigint'::regtype)))
          or format_type(a.atttypid, null) = 'uuid' as "isShared"
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
        and c.relname not in ('accounts', 'moved_accounts')
        and exists (select from pg_attribute o where o.attrelid = c.oid and o.attname = 'account_id')
      order by 1, a.attnum`),
  );
  return rows;
}
