import { hashSlowly, isSlowHashOf } from '../../../../platform/slow-hash.ts';
import { type Connection, type ImportId, readInBatches } from '../../run/import-store.ts';
import type { Counts } from '../../run/report.ts';
import { rowHashColumn, type StagedColumn, tokenColumn } from './rows.ts';

/** What the staged rows of a file did. */
export interface Applied {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Rows refused for what other rows or tables hold. */
  readonly refused: number;
  /** Older rows of a ballot that the file has several of. */
  readonly superseded: number;
  readonly events: number;
  readonly before: Counts;
  readonly after: Counts;
  /** SQL of `line`, `problem` of the refused rows, while the transaction lasts. */
  readonly refusedRows: string;
  /** What the clerk should know of rows that were taken in all the same. */
  readonly warnings?: readonly { readonly message: string; readonly count: number }[];
}

export interface VoterTask {
  readonly accountId: number;
  readonly importId: ImportId;
  /** Staging columns after `line` and `registration_id`. */
  readonly columns: readonly StagedColumn[];
  /** What the office calls the registration ID. */
  readonly idLabel: string;
  /** Rows in the staging table. */
  readonly staged: number;
  /** Rows that were not staged, because they say what they said the last time. */
  readonly known: number;
  /** The file is the whole roll: who is in it is on it. */
  readonly isFull: boolean;
}

/**
 * Takes the staged rows onto the roll, set-wise: new voters in, changed ones changed in the columns that the file
 * has, unchanged ones untouched. Contact preferences are the voter's own and stay out of it.
 */
export async function applyVoters(connection: Connection, task: VoterTask): Promise<Applied> {
  const { accountId, importId, staged, idLabel } = task;
  const hasTokens = task.columns.some(({ name }) => name === tokenColumn);
  const hasActive = task.columns.some(({ name }) => name === 'is_active');
  const hasHashes = task.columns.some(({ name }) => name === rowHashColumn.name);
  const names = task.columns
    .map(({ name }) => name)
    .filter((name) => name !== tokenColumn && name !== rowHashColumn.name);
  // Where no column says otherwise, a voter who comes back to the roll is active again.
  const comesBack = task.isFull && !hasActive;
  if (comesBack) names.push('is_active');
  const tokens = hasTokens && (await hashTokens(connection, accountId));
  const before = await countVoters(connection, accountId);

  // Ordered by ID, repeats are neighbours, and the index on it grows at its end.
  const told = `
    select s.*, ${comesBack ? 'true as is_active,' : ''} ${tokens ? 't.hash' : 'null::text'} as token_hash, ${hasHashes ? '' : 'null::text as row_hash,'}
      case when s.registration_id = lag(s.registration_id) over (order by s.registration_id collate "C", s.line)
        then '${idLabel.replaceAll("'", "''")} is on an earlier line too' end as problem
    from staged s ${tokens ? 'left join tokens t on t.line = s.line' : ''}`;
  // An empty token leaves the voter's as it is.
  const differs = [
    ...names.map((name) => `v.${name} is distinct from told.${name}`),
    'v.token_hash <> told.token_hash or v.token_hash is null and told.token_hash is not null',
  ];
  // The staged rows are few and their statistics known: each may be looked up.
  await connection.query('set local enable_nestloop = on');
  await connection.query(
    `create temp table changes on commit drop as
    select told.*, v.voter_id, v.voter_id is not null and (${differs.join(' or ')}) as is_changed,
      v.is_active as was_active, ${names.includes('is_active') ? 'told.is_active' : 'coalesce(v.is_active, true)'} as becomes_active
    from (${told}) told
    left join voters v on v.account_id = ${Number(accountId)} and v.registration_id = told.registration_id`,
  );
  const { changed, refused, active, inactive } = await countChanges(connection);
  // Where only the hash is new, that alone is written, so that the row is known the next time.
  await connection.query(
    `update voters v set ${names.map((name) => `${name} = c.${name}, `).join('')}
      token_hash = coalesce(c.token_hash, v.token_hash), row_hash = c.row_hash,
      last_import_id = case when c.is_changed then $1 else v.last_import_id end
    from changes c where v.voter_id = c.voter_id and c.problem is null
      and (c.is_changed or c.row_hash <> v.row_hash or c.row_hash is not null and v.row_hash is null)`,
    [importId],
  );
  const columns = names.map((name) => `${name}, `).join('');
  const { rowCount } = await connection.query(
    `insert into voters (account_id, registration_id, ${columns}token_hash, row_hash, last_import_id)
    select $1, registration_id, ${columns}token_hash, row_hash, $2::bigint
    from changes where voter_id is null and problem is null`,
    [accountId, importId],
  );
  const added = rowCount ?? 0;
  return {
    added,
    changed,
    refused,
    superseded: 0,
    events: 0,
    before,
    unchanged: task.known + staged - added - changed - refused,
    after: { active: before.active + active, inactive: before.inactive + inactive },
    refusedRows: 'select line, problem from changes where problem is not null',
  };
}

/** What table `changes` holds; `active` and `inactive` are by how many more there will be. */
async function countChanges(
  connection: Connection,
): Promise<Readonly<Record<'changed' | 'refused' | 'active' | 'inactive', number>>> {
  const { rows } = await connection.query<
    Record<'changed' | 'refused' | 'active' | 'inactive', number>
  >(
    `select count(*) filter (where problem is null and is_changed) as changed,
      count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and becomes_active)
        - count(*) filter (where problem is null and was_active) as active,
      count(*) filter (where problem is null and not becomes_active)
        - count(*) filter (where problem is null and not was_active) as inactive
    from changes`,
  );
  return rows[0] ?? { changed: 0, refused: 0, active: 0, inactive: 0 };
}

/** Makes active voters inactive whom the file lacks. A row that comes back is read anew. */
export async function deactivateMissing(
  connection: Connection,
  accountId: number,
  importId: ImportId,
): Promise<number> {
  const { rowCount } = await connection.query(
    `update voters v set is_active = false, row_hash = null, last_import_id = $2
    where account_id = $1 and is_active
      and not exists (select from seen s where s.registration_id = v.registration_id)`,
    [accountId, importId],
  );
  return rowCount ?? 0;
}

/** What loading the roll itself did, when the account had none. */
export async function countLoaded(
  connection: Connection,
  { accountId, staged }: Pick<VoterTask, 'accountId' | 'staged'>,
): Promise<Applied> {
  // Nobody has counted them yet, and they may sign in at once.
  await connection.query('analyze voters (account_id, registration_id, birthdate, zipcode)');
  return {
    added: staged,
    changed: 0,
    unchanged: 0,
    refused: 0,
    superseded: 0,
    events: 0,
    before: { active: 0, inactive: 0 },
    after: await countVoters(connection, accountId),
    refusedRows: '',
  };
}

export async function hasNoVoters(connection: Connection, accountId: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `select from voters where account_id = $1 limit 1
      -- sequential scan: once per import, and it ends at the account's first row`,
    [accountId],
  );
  return rowCount === 0;
}

async function countVoters(
  connection: Connection,
  accountId: number,
): Promise<{ active: number; inactive: number }> {
  const { rows } = await connection.query<{ active: number; inactive: number }>(
    `select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as inactive
    from voters where account_id = $1`,
    [accountId],
  );
  return { active: rows[0]?.active ?? 0, inactive: rows[0]?.inactive ?? 0 };
}

/**
 * Table `tokens`: the hash of each staged security token. A token that its voter already has keeps its hash, so that
 * the row counts as unchanged.
 * @returns whether the file has any
 */
async function hashTokens(connection: Connection, accountId: number): Promise<boolean> {
  await connection.query('create temp table tokens (line bigint, hash text) on commit drop');
  let hasTokens = false;
  for await (const batch of readInBatches<{ line: number; token: string; hash: string | null }>(
    connection,
    `select s.line, s.security_token as token, v.token_hash as hash from staged s
      left join voters v on v.account_id = ${Number(accountId)} and v.registration_id = s.registration_id
      where s.security_token is not null`,
  )) {
    hasTokens = true;
    const hashes: string[] = [];
    // No more at once than keep libuv's threads busy: each takes some megabytes.
    for (let start = 0; start < batch.length; start += 64) {
      const part = batch.slice(start, start + 64);
      hashes.push(...(await Promise.all(part.map((row) => hashOf(row.token, row.hash)))));
    }
    await connection.query('insert into tokens select * from unnest($1::bigint[], $2::text[])', [
      batch.map((row) => row.line),
      hashes,
    ]);
  }
  if (hasTokens) await connection.query('analyze tokens');
  return hasTokens;
}

async function hashOf(token: string, stored: string | null): Promise<string> {
  const isKnown = stored !== null && (await isSlowHashOf(token, stored));
  return isKnown ? stored : hashSlowly(token);
}
