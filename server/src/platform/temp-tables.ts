import { type OperationNodeSource, type RawBuilder, sql } from 'kysely';
import type { Tx } from './postgres.ts';

type ColumnType =
  | 'bigint'
  | 'bigint[]'
  | 'integer'
  | 'smallint'
  | 'text'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'event_kind';
type Columns = Readonly<Record<string, ColumnType>>;

/** A table of one transaction, by which one step of set-wise work gives its rows to the next. */
export interface TempTable<C extends Columns = Columns> extends OperationNodeSource {
  readonly name: string;
  readonly columns: C;
}

const defined = new Set<string>();

/**
 * Names a temporary table and its columns; {@link createTempTable} or {@link fillTempTable} makes it. In a `sql` template the
 * constant stands for the table's name.
 * @throws when another one has the name: two in one transaction would be one table
 */
export function defineTempTable<const C extends Columns>(name: string, columns: C): TempTable<C> {
  if (defined.has(name)) throw new Error(`Two temporary tables are called ${name}.`);
  defined.add(name);
  const reference = sql.table(name);
  return { name, columns, toOperationNode: () => reference.toOperationNode() };
}

/** Makes the table, empty. */
export async function createTempTable(tx: Tx, table: TempTable): Promise<void> {
  const columns = Object.entries(table.columns).map(([name, type]) => `${name} ${type}`);
  await sql`create temp table ${table} (${sql.raw(columns.join(', '))}) on commit drop`.execute(tx);
}

/** Makes the table with the rows of a query, which must give each of its columns by name. */
export async function fillTempTable(
  tx: Tx,
  table: TempTable,
  query: RawBuilder<unknown>,
): Promise<void> {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => `${name}::${type} as ${name}`,
  );
  await sql`create temp table ${table} on commit drop as
    select ${sql.raw(columns.join(', '))} from (${query}) filling`.execute(tx);
}

/** Updates the planner's statistics of a table that was just filled. @param columns without them all */
export async function analyzeTempTable<Table extends TempTable>(
  tx: Tx,
  table: Table,
  columns: readonly (keyof Table['columns'] & string)[] = [],
): Promise<void> {
  const some = columns.length > 0 ? `(${columns.join(', ')})` : '';
  await sql`analyze ${table} ${sql.raw(some)}`.execute(tx);
}

const rowsPerBatch = 20_000;

/** Reads a query's rows in batches through a cursor, so that memory does not grow with them. One at a time in a transaction. */
export async function* readInBatches<Row>(
  tx: Tx,
  query: RawBuilder<Row>,
  batchSize = rowsPerBatch,
): AsyncGenerator<Row[]> {
  await sql`declare batches no scroll cursor for ${query}`.execute(tx);
  try {
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from batches`.execute(tx);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) return;
    }
  } finally {
    await sql`close batches`.execute(tx).catch(() => {});
  }
}

/** Renames a table to another table's name, without copying its rows. */
export async function renameTempTable<C extends Columns>(
  tx: Tx,
  table: TempTable<C>,
  to: TempTable<Partial<C> & Columns>,
): Promise<void> {
  await sql`alter table ${table} rename to ${to}`.execute(tx);
}
