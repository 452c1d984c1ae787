import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import type { ExampleRow, KindTask } from '../kind.ts';
import type { CellFault, ChangedColumn } from './gate-cells.ts';
import { voterChanges } from './merge-store.ts';

/** Values that the file changes of known voters, one a row. */
const changedCells = defineTempTable('changed_cells', {
  voter_id: 'bigint',
  line: 'bigint',
  name: 'text',
  was: 'text',
  now: 'text',
});

/** The columns in which known voters would have another value, and what these values have in common. */
export async function readChangedColumns(
  tx: Tx,
  { account: { accountId }, importId }: KindTask,
): Promise<ChangedColumn[]> {
  await fillTempTable(
    tx,
    changedCells,
    sql`
    select v.voter_id, c.line, x.name, x.was, x.now
    from (
      select voter_id, line from ${voterChanges}
      where problem is null and (has_other_name or is_other_person or has_other_birthdate or has_other_address or has_other_contact)
    ) c join replaced_voters r on r.import_id = ${importId} and r.voter_id = c.voter_id
    join voters v on v.account_id = r.account_id and v.voter_id = r.voter_id
    cross join lateral (values ('lastname', lower(r.was ->> 'lastname'), lower(v.lastname)),
      ('birthdate', r.was ->> 'birthdate', v.birthdate::text), ('address', lower(r.was ->> 'address'), lower(v.address)),
      ('phone', r.was ->> 'phone', v.phone), ('email', lower(r.was ->> 'email'), lower(v.email))) x (name, was, now)
    where r.account_id = ${accountId} and x.was <> '' and x.now <> '' and x.was <> x.now`,
  );
  const { rows } = await sql<ChangedColumn>`
    with repeated as (
      select name, max(count) as count from (
        select name, count(*) as count from ${changedCells} group by name, now having ${isTogether}) n group by 1
    )
    select c.name, count(*)::integer as changed, count(*) filter (where ${isMoved})::integer as moved,
      coalesce(max(r.count), 0)::integer as repeated,
      count(*) filter (where ${isShifted(-1)})::integer as "dayEarlier",
      count(*) filter (where ${isShifted(1)})::integer as "dayLater"
    from ${changedCells} c left join repeated r on r.name = c.name group by 1 order by 1`.execute(
    tx,
  );
  return rows;
}

/** In lines of the file near each other, a few of which had the value before. */
const isTogether = sql<boolean>`max(line) - min(line) < 2 * count(*)`;
/**
 * Cells change places in the same stretch of lines or in the next. Farther away, one voter leaves a common name that another takes.
 * By equality, so that the database may hash them: a wrong file changes them all.
 */
const stretch = (cell: string) => sql.raw(`${cell}.line / 50`);
const isMoved = sql<boolean>`(c.name, c.now, ${stretch('c')}) in (select o.name, o.was, ${stretch('o')} + d.distance
  from ${changedCells} o cross join (values (-1), (0), (1)) d (distance))`;
const isShifted = (days: number) =>
  sql<boolean>`case when c.name = 'birthdate' then c.now::date - c.was::date = ${days} end`;
const isRepeated = (name: string) => sql<boolean>`c.now = (select n.now from ${changedCells} n
  where n.name = ${name} group by 1 having ${isTogether} order by count(*) desc, 1 limit 1)`;

/** The first of such voters, without the values, which are other people's. */
export async function readCellExamples(
  tx: Tx,
  { name }: ChangedColumn,
  code: CellFault,
): Promise<ExampleRow[]> {
  const isOf: Readonly<Record<CellFault, RawBuilder<boolean>>> = {
    'cells-moved': isMoved,
    'cell-copied': isRepeated(name),
    'birthdates-shifted': sql`(${isShifted(-1)} or ${isShifted(1)})`,
  };
  const to = { 'cells-moved': 'that of another voter', 'cell-copied': 'the same as others' };
  const { rows } = await sql<ExampleRow>`
    select v.registration_id as voter, 'known value' as "from",
      ${code === 'birthdates-shifted' ? 'a day before or after' : to[code]}::text as "to", v.line
    from ${changedCells} c join ${voterChanges} v on v.voter_id = c.voter_id
    where c.name = ${name} and ${isOf[code]} order by v.line limit 5`.execute(tx);
  return rows;
}
