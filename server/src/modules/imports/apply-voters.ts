import { birthRange, type Day } from './dates.ts';
import { hashTokens, judgeDays } from './dictionaries.ts';
import type { Counts } from './report.ts';
import type { StagedFile } from './staged-sql.ts';
import type { Connection, ImportId } from './store.ts';
import { judgedVoters, voterColumns, voterWarnings } from './voters-sql.ts';

/** What rows of a file did. */
export interface Applied {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly passedOver: number;
  readonly events: number;
  readonly before: Counts;
  readonly after: Counts;
  readonly warnings: readonly { message: string; count: number }[];
  /** SQL of `row_no`, `problem` of the refused rows, while the transaction lasts. */
  readonly refusedRows: { readonly query: string; readonly values: readonly unknown[] };
}

export interface ApplyTask {
  readonly file: StagedFile;
  readonly accountId: number;
  readonly importId: ImportId;
  /** In the account's calendar. */
  readonly today: Day;
  /** Rows in the staging table. */
  readonly staged: number;
}

/**
 * Takes the staged rows onto the roll, set-wise: new voters in, changed ones changed in the columns that the file
 * has, unchanged ones untouched. Contact preferences are the voter's own and stay out of it.
 */
export async function applyVoters(connection: Connection, task: ApplyTask): Promise<Applied> {
  const { file, accountId, importId, staged } = task;
  await judgeDays(connection, file, ['birthdate'], birthRange(task.today));
  await hashTokens(connection, file, accountId);
  const before = await countVoters(connection, accountId);
  const names = voterColumns(file).map(({ name }) => name);
  const isFirst = Object.values(before).every((count) => count === 0);

  const counts = isFirst ? await loadFirst() : await loadChanges();
  return {
    ...counts,
    passedOver: 0,
    events: 0,
    before,
    after: await countVoters(connection, accountId),
    warnings: await countWarnings(connection, file),
  };

  async function loadFirst() {
    const { rowCount } = await connection.query(
      `insert into voters (account_id, registration_id, ${names.join(', ')}, last_import_id)
      select $1, registration_id, ${names.join(', ')}, $2 from (${judgedVoters(file)}) judged
      where problem is null`,
      [accountId, importId],
    );
    const added = rowCount ?? 0;
    const query = `select row_no, problem from (${judgedVoters(file)}) judged where problem is not null`;
    const refused = staged - added;
    return { added, changed: 0, unchanged: 0, refused, refusedRows: { query, values: [] } };
  }

  async function loadChanges() {
    const differs = names.map((name) => `v.${name} is distinct from judged.${name}`).join(' or ');
    await connection.query(
      `create temp table changes on commit drop as
      select judged.*, v.voter_id from (${judgedVoters(file)}) judged
      left join voters v on v.account_id = ${Number(accountId)} and v.registration_id = judged.registration_id
      where problem is not null or v.voter_id is null or ${differs}`,
    );
    const changed = await connection.query(
      `update voters v set ${names.map((name) => `${name} = c.${name}`).join(', ')}, last_import_id = $1
      from changes c where v.voter_id = c.voter_id and c.problem is null`,
      [importId],
    );
    const added = await connection.query(
      `insert into voters (account_id, registration_id, ${names.join(', ')}, last_import_id)
      select $1, registration_id, ${names.join(', ')}, $2 from changes
      where voter_id is null and problem is null`,
      [accountId, importId],
    );
    const { rows } = await connection.query<{ refused: number }>(
      'select count(*) as refused from changes where problem is not null',
    );
    const counts = {
      added: added.rowCount ?? 0,
      changed: changed.rowCount ?? 0,
      refused: rows[0]?.refused ?? 0,
    };
    const query = 'select row_no, problem from changes where problem is not null';
    const unchanged = staged - counts.added - counts.changed - counts.refused;
    return { ...counts, unchanged, refusedRows: { query, values: [] } };
  }
}

async function countVoters(connection: Connection, accountId: number): Promise<Counts> {
  const { rows } = await connection.query<{ active: number; inactive: number }>(
    `select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as inactive
    from voters where account_id = $1`,
    [accountId],
  );
  return { active: rows[0]?.active ?? 0, inactive: rows[0]?.inactive ?? 0 };
}

async function countWarnings(
  connection: Connection,
  file: StagedFile,
): Promise<{ message: string; count: number }[]> {
  const warnings = voterWarnings(file);
  if (warnings.length === 0) return [];
  const counts = warnings.map(({ condition }) => `count(*) filter (where ${condition})`);
  const { rows } = await connection.query<{ counts: number[] }>(
    `select array[${counts.join(', ')}]::integer[] as counts from staged s`,
  );
  return warnings
    .map(({ message }, place) => ({ message, count: rows[0]?.counts[place] ?? 0 }))
    .filter(({ count }) => count > 0);
}
