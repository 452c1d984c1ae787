import type { Writable } from 'node:stream';
import { type RawBuilder, sql } from 'kysely';
import type { AccountId, ImportId, VoterId } from '../../platform/ids.ts';
import { copyIntoGuarded, type Tx } from '../../platform/postgres.ts';

export interface RollImport {
  readonly accountId: AccountId;
  readonly importId: ImportId;
}

/**
 * The stream that fills the roll of an account without voters, which spares half the work. Each row starts with the account and
 * the import, and then has the columns given.
 */
export function openRollCopy(tx: Tx, columns: readonly string[]): Promise<Writable> {
  return copyIntoGuarded(tx, 'voters', ['account_id', 'last_import_id', ...columns]);
}

/** After {@link openRollCopy}: the planner knows nothing of these voters, and they may sign in at once. */
export async function analyzeRoll(tx: Tx): Promise<void> {
  await sql`select analyze_loaded('voters')`.execute(tx);
}

/** A row to be merged has these columns, and those of the roll that its file has. */
export interface MergedVoter {
  /** Null keeps the known token. */
  readonly token_hash: string | null;
  readonly token_comparison: string | null;
  readonly row_hash: string | null;
}

/** Adds voters to the roll, set-wise and in the order of the rows. @param columns the file's @returns how many */
export async function addVoters(
  tx: Tx,
  { accountId, importId }: RollImport,
  columns: readonly string[],
  rows: RawBuilder<MergedVoter & { readonly registration_id: string }>,
): Promise<number> {
  const all = ['registration_id', ...columns, 'token_hash', 'token_comparison', 'row_hash'];
  const { numAffectedRows } = await sql`
    insert into voters (account_id, last_import_id, ${sql.raw(all.join(', '))})
    select ${accountId}, ${importId}, ${sql.raw(all.map((name) => `r.${name}`).join(', '))}
    from (${rows}) r`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Keeps these voters' rows as they are before an import changes them, for {@link putBackRoll}. In order, the index grows at
 * its end. An import changes a voter once: those it changes are in its file, and those it makes inactive are not.
 */
export async function keepReplaced(
  tx: Tx,
  { accountId, importId }: RollImport,
  voterIds: RawBuilder<{ readonly voter_id: VoterId }>,
): Promise<void> {
  await sql`
    insert into replaced_voters (account_id, import_id, voter_id, was)
    select ${accountId}, ${importId}, v.voter_id, row_to_json(v) from voters v
    where v.account_id = ${accountId} and v.voter_id in (select r.voter_id from (${voterIds}) r)
    order by v.voter_id`.execute(tx);
}

export interface PutBack {
  /** Voters as they were before the import. */
  readonly restored: number;
  /** Voters whom the import added, and who are inactive now. */
  readonly deactivated: number;
  /** Voters whom a later import changed again; they stay. */
  readonly changedLater: number;
}

/** Puts back what an import changed on the roll. The next file reads these voters again. */
export async function putBackRoll(
  tx: Tx,
  { accountId, importId }: RollImport,
  columns: readonly string[],
): Promise<PutBack> {
  const restoredColumns = [...columns, 'token_hash', 'token_comparison'].map(
    (name) => `${name} = (b.row).${name}`,
  );
  const { rows: later } = await sql<{ count: number }>`
    select count(*) as count from replaced_voters r join voters v on v.voter_id = r.voter_id
    where r.account_id = ${accountId} and r.import_id = ${importId}
      and v.last_import_id is distinct from ${importId}::bigint`.execute(tx);
  const { numAffectedRows: deactivated } = await sql`
    update voters v set is_active = false, row_hash = null
    where v.account_id = ${accountId} and v.last_import_id = ${importId} and v.is_active
      and not exists (select from replaced_voters r where r.import_id = ${importId} and r.voter_id = v.voter_id)
    -- sequential scan: puts back a whole roll, which happens seldom`.execute(tx);
  const { numAffectedRows: restored } = await sql`
    update voters v set ${sql.raw(restoredColumns.join(', '))}, row_hash = null, last_import_id = (b.row).last_import_id
    from (
      select r.voter_id, json_populate_record(null::voters, r.was) as row from replaced_voters r
      where r.account_id = ${accountId} and r.import_id = ${importId}
    ) b where v.voter_id = b.voter_id and v.last_import_id = ${importId}`.execute(tx);
  return {
    restored: Number(restored ?? 0n),
    deactivated: Number(deactivated ?? 0n),
    changedLater: later[0]?.count ?? 0,
  };
}

/** Changes voters in these columns, set-wise. Where only the row's hash or the token's key is new, that alone is written. */
export async function updateVoters(
  tx: Tx,
  importId: ImportId,
  columns: readonly string[],
  rows: RawBuilder<MergedVoter & { readonly voter_id: VoterId; readonly is_changed: boolean }>,
): Promise<void> {
  const changes = columns.map((name) => `${name} = r.${name}, `).join('');
  await sql`
    update voters v set ${sql.raw(changes)} token_hash = coalesce(r.token_hash, v.token_hash),
      token_comparison = coalesce(r.token_comparison, v.token_comparison), row_hash = r.row_hash,
      last_import_id = case when r.is_changed then ${importId} else v.last_import_id end
    from (${rows}) r where v.voter_id = r.voter_id
      and (r.is_changed or r.token_hash is not null or r.row_hash <> v.row_hash or r.row_hash is not null and v.row_hash is null)`.execute(
    tx,
  );
}

/** Makes every active voter inactive who is not among these. A row that comes back is read again. @returns how many */
export async function deactivateOtherVoters(
  tx: Tx,
  { accountId, importId }: RollImport,
  kept: RawBuilder<{ readonly registration_id: string }>,
): Promise<number> {
  const others = sql`account_id = ${accountId} and is_active
      and not exists (select from (${kept}) k where k.registration_id = v.registration_id)`;
  await keepReplaced(
    tx,
    { accountId, importId },
    sql`select voter_id from voters v where ${others}`,
  );
  const { numAffectedRows } = await sql`
    update voters v set is_active = false, row_hash = null, last_import_id = ${importId}
    where ${others}`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
