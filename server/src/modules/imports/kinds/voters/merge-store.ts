import { type RawBuilder, sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import {
  analyzeTempTable,
  createTempTable,
  defineTempTable,
  fillTempTable,
  readInBatches,
} from '../../../../platform/temp-tables.ts';
import {
  addVoters,
  deactivateOtherVoters,
  keepReplaced,
  updateVoters,
} from '../../../voters/index.ts';
import { FileRefused } from '../../read/source-file.ts';
import type { Applied, KindTask, Staged } from '../kind.ts';
import { identityFlags } from './identity-store.ts';
import { countLoaded, type Merged } from './loaded-store.ts';
import { fileVoters } from './news-store.ts';
import type { RollSize } from './roll-size.ts';
import { tokenColumn, voterColumns } from './rows.ts';
import { stagedVoters } from './stage-store.ts';

/** What is to be stored of each staged security token that its voter does not have yet, or has under an older key. */
const newTokens = defineTempTable('new_tokens', {
  line: 'bigint',
  token_hash: 'text',
  token_comparison: 'text',
  is_other_token: 'boolean',
});

/** The staged rows beside the roll: refused ones, and what each of the others would change. */
export const voterChanges = defineTempTable('voter_changes', {
  line: 'bigint',
  registration_id: 'text',
  ...voterColumns,
  token_hash: 'text',
  token_comparison: 'text',
  is_other_token: 'boolean',
  row_hash: 'text',
  problem: 'text',
  voter_id: 'bigint',
  is_changed: 'boolean',
  was_active: 'boolean',
  becomes_active: 'boolean',
  has_swapped_names: 'boolean',
  is_other_person: 'boolean',
  has_other_name: 'boolean',
  has_damaged_name: 'boolean',
  has_other_birthdate: 'boolean',
  has_other_zipcode: 'boolean',
  has_other_address: 'boolean',
  has_other_contact: 'boolean',
  loses_protection: 'boolean',
  gains_protection: 'boolean',
});

const refusedVoters = defineTempTable('refused_voters', { line: 'bigint', problem: 'text' });

/**
 * Merges the staged rows into the roll, set-wise: new voters are added, changed ones changed in the columns that the file
 * has, unchanged ones left alone. With a whole roll, the voters it lacks become inactive. Contact preferences are the voter's own
 * and no part of it.
 */
export async function mergeVoters(
  tx: Tx,
  task: KindTask,
  staged: Staged,
): Promise<Applied<RollSize>> {
  const merged = staged.isLoaded
    ? await countLoaded(tx, task, staged)
    : await mergeRows(tx, task, staged);
  const { active = 0, inactive = 0 } = merged.after;
  const activeBefore = merged.before.active ?? 0;
  const { isLoaded } = staged;
  if (!task.isFull || activeBefore === 0) return { ...merged, size: { isLoaded, loss: null } };
  const missing = await deactivateMissing(tx, task, merged.refused);
  const rows = task.findings.read - task.findings.skipped;
  return {
    ...merged,
    left: missing,
    after: { active: active - missing, inactive: inactive + missing },
    size: { isLoaded, loss: { rows, active: activeBefore, missing } },
  };
}

/** @returns how many voters became inactive */
async function deactivateMissing(
  tx: Tx,
  { account, importId, findings }: KindTask,
  refusedInMerge: number,
): Promise<number> {
  const refused = findings.refusals.total + refusedInMerge;
  if (refused > 0) {
    findings.warnings.add(
      'refused, and may be of any voter, so no voter was made inactive for being missing',
      refused,
    );
    return 0;
  }
  const kept = sql<{ registration_id: string }>`select registration_id from ${fileVoters}`;
  const { accountId } = account;
  const missing = await deactivateOtherVoters(tx, { accountId, importId }, kept);
  if (missing > 0) findings.warnings.add('not in the file, and made inactive', missing);
  return missing;
}

async function mergeRows(tx: Tx, task: KindTask, staged: Staged): Promise<Merged> {
  const { account, importId, findings } = task;
  const { accountId } = account;
  // Where no column says otherwise, a voter who comes back to the roll is active again.
  const comesBack = task.isFull && !staged.columns.includes('is_active');
  const columns = Object.keys(voterColumns).filter(
    (name) => staged.columns.includes(name) || (comesBack && name === 'is_active'),
  );
  const hasTokens = staged.columns.includes(tokenColumn) && (await compareTokens(tx, task));
  const before = await countVoters(tx, accountId);
  const rows = selectRows(staged.idLabel, { comesBack, hasTokens });
  // The staged rows are few and their statistics known: each may be looked up.
  await sql`set local enable_nestloop = on`.execute(tx);
  await compareRows(tx, accountId, columns, rows);
  const { changed, refused, active, inactive } = await countChanges(tx);
  if (changed > 0)
    await keepReplaced(
      tx,
      { accountId, importId },
      sql`select voter_id from ${voterChanges} where problem is null and is_changed`,
    );
  await updateVoters(
    tx,
    importId,
    columns,
    sql`select * from ${voterChanges} where problem is null`,
  );
  const added = await addVoters(
    tx,
    { accountId, importId },
    columns,
    sql`select * from ${voterChanges} where voter_id is null and problem is null`,
  );
  if (refused > 0)
    await fillTempTable(
      tx,
      refusedVoters,
      sql`select line, problem from ${voterChanges} where problem is not null`,
    );
  // Neither refused nor passed over, and yet not staged: they are as they were the last time.
  const known = findings.read - findings.skipped - findings.refusals.total - staged.rows;
  return {
    added,
    changed,
    refused,
    superseded: 0,
    events: 0,
    before,
    unchanged: known + staged.rows - added - changed - refused,
    after: { active: before.active + active, inactive: before.inactive + inactive },
    refusedRows: refused > 0 ? refusedVoters : null,
  };
}

/** The staged rows with what is new of their token, and a problem where an earlier row is of the same voter. */
function selectRows(
  idLabel: string,
  { comesBack, hasTokens }: { readonly comesBack: boolean; readonly hasTokens: boolean },
): RawBuilder<unknown> {
  const columns = Object.keys(voterColumns).map((name) =>
    comesBack && name === 'is_active' ? 'true as is_active' : `s.${name}`,
  );
  // Ordered by ID, repeats are neighbors, and the index on it grows at its end.
  return sql`
    select s.line, s.registration_id, s.row_hash, ${sql.raw(columns.join(', '))},
      ${sql.raw(hasTokens ? 't.token_hash, t.token_comparison, t.is_other_token' : noToken)},
      case when s.registration_id = lag(s.registration_id) over (order by s.registration_id collate "C", s.line)
        then ${sql.lit(`this ${idLabel} also appears earlier in the file`)} end as problem
    from ${stagedVoters} s ${hasTokens ? sql`left join ${newTokens} t on t.line = s.line` : sql``}`;
}

const noToken =
  'null::text as token_hash, null::text as token_comparison, null::boolean as is_other_token';

/** Fills {@link voterChanges}. @param columns that the file has */
async function compareRows(
  tx: Tx,
  accountId: AccountId,
  columns: readonly string[],
  rows: RawBuilder<unknown>,
): Promise<void> {
  const differs = [
    ...columns.map((name) => `v.${name} is distinct from r.${name}`),
    'r.is_other_token',
  ];
  const becomesActive = columns.includes('is_active')
    ? 'r.is_active'
    : 'coalesce(v.is_active, true)';
  await fillTempTable(
    tx,
    voterChanges,
    sql`
    select r.*, v.voter_id, v.voter_id is not null and (${sql.raw(differs.join(' or '))}) as is_changed,
      v.is_active as was_active, ${sql.raw(becomesActive)} as becomes_active, ${sql.raw(identityFlags(columns))}
    from (${rows}) r
    left join voters v on v.account_id = ${sql.lit(Number(accountId))} and v.registration_id = r.registration_id`,
  );
}

interface ChangeCounts {
  readonly changed: number;
  readonly refused: number;
  /** By how many more there will be. */
  readonly active: number;
  readonly inactive: number;
}

async function countChanges(tx: Tx): Promise<ChangeCounts> {
  const { rows } = await sql<ChangeCounts>`
    select count(*) filter (where problem is null and is_changed) as changed,
      count(*) filter (where problem is not null) as refused,
      count(*) filter (where problem is null and becomes_active)
        - count(*) filter (where problem is null and was_active) as active,
      count(*) filter (where problem is null and not becomes_active)
        - count(*) filter (where problem is null and not was_active) as inactive
    from ${voterChanges}`.execute(tx);
  return rows[0] ?? { changed: 0, refused: 0, active: 0, inactive: 0 };
}

async function countVoters(
  tx: Tx,
  accountId: AccountId,
): Promise<{ active: number; inactive: number }> {
  const { rows } = await sql<{ active: number; inactive: number }>`
    select count(*) filter (where is_active) as active, count(*) filter (where not is_active) as inactive
    from voters where account_id = ${accountId}`.execute(tx);
  return { active: rows[0]?.active ?? 0, inactive: rows[0]?.inactive ?? 0 };
}

/**
 * Fills {@link newTokens}. An empty token leaves the voter's as it is, and so does the same one.
 * @returns whether there are any
 * @throws {FileRefused} for a token where no key is set
 */
async function compareTokens(tx: Tx, { account, tokenKeys }: KindTask): Promise<boolean> {
  await createTempTable(tx, newTokens);
  const { accountId: account_id } = account;
  let hasNew = false;
  const tokens = sql<StagedToken>`
    select s.line, s.registration_id, s.security_token as token, v.token_comparison as known from ${stagedVoters} s
    left join voters v on v.account_id = ${sql.lit(Number(account_id))} and v.registration_id = s.registration_id
    where s.security_token is not null`;
  for await (const batch of readInBatches(tx, tokens)) {
    if (!tokenKeys?.newest) throw new FileRefused(noTokenKey);
    const rows = batch.flatMap(({ line, registration_id, token, known }) => {
      const owner = { account_id, registration_id };
      const stored = tokenKeys.store(owner, token);
      if (stored.comparison === known) return [];
      const isOther = known === null || !tokenKeys.isStored(owner, token, known);
      return [{ line, ...stored, isOther }];
    });
    if (rows.length === 0) continue;
    hasNew = true;
    await sql`insert into ${newTokens} select * from unnest(${rows.map(({ line }) => line)}::bigint[],
      ${rows.map(({ hash }) => hash)}::text[], ${rows.map(({ comparison }) => comparison)}::text[],
      ${rows.map(({ isOther }) => isOther)}::boolean[])`.execute(tx);
  }
  if (hasNew) await analyzeTempTable(tx, newTokens);
  return hasNew;
}

interface StagedToken {
  readonly line: number;
  readonly registration_id: string;
  readonly token: string;
  /** Of the voter's token; null where there is none. */
  readonly known: string | null;
}

const noTokenKey =
  'This file has security tokens, and there is no key to store them with. Ask your administrator to set BEACON_TOKEN_KEYS.';
