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

/**
 * Puts back what an import changed on the roll. What it replaced may be of a wrong import that was put back before it: then the voter
 * becomes as before that one. The next file reads these voters again.
 *
 * @param keptSince what imports replaced before it is deleted
 */
export async function putBackRoll(
  tx: Tx,
  { accountId, importId }: RollImport,
  columns: readonly string[],
  keptSince: Date,
): Promise<PutBack> {
  const restoredColumns = [...columns, 'token_hash', 'token_comparison'].map((name) =>
    // A voter whom a wrong import added.
    name === 'is_active'
      ? 'is_active = (b.row).is_active and not b.is_added'
      : `${name} = (b.row).${name}`,
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
  const { rows } = await sql<{ restored: number; added: number }>`
    with recursive replaced as (
      select r.voter_id, r.was, (r.was->>'last_import_id')::bigint as before_id, false as is_added, 0 as place
      from replaced_voters r where r.account_id = ${accountId} and r.import_id = ${importId}
      union all
      select r.voter_id, coalesce(e.was, r.was), (e.was->>'last_import_id')::bigint, e.was is null, r.place + 1
      from replaced r join imports i on i.import_id = r.before_id and i.state = 'corrected' and i.started_at >= ${keptSince}
      left join replaced_voters e on e.import_id = r.before_id and e.voter_id = r.voter_id
    ), restored as (
      update voters v set ${sql.raw(restoredColumns.join(', '))}, row_hash = null, last_import_id = (b.row).last_import_id
      from (
        select distinct on (voter_id) voter_id, is_added, json_populate_record(null::voters, was) as row
        from replaced order by voter_id, place desc
      ) b where v.voter_id = b.voter_id and v.last_import_id = ${importId} returning b.is_added
    )
    select count(*) filter (where not is_added) as restored, count(*) filter (where is_added) as added from restored
    -- sequential scan: puts back a whole roll, which happens seldom`.execute(tx);
  const { restored = 0, added = 0 } = rows[0] ?? {};
  return {
    restored,
    deactivated: Number(deactivated ?? 0n) + added,
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
