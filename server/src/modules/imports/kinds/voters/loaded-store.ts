import { sql } from 'kysely';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { analyzeRoll } from '../../../voters/index.ts';
import type { Applied, KindTask, Staged } from '../kind.ts';

/** Where the voters of a roll live that was loaded for the first time, by number. */
export const loadedPlaces = defineTempTable('loaded_places', {
  county: 'text',
  state: 'text',
  active: 'bigint',
  inactive: 'bigint',
});

export type Merged = Omit<Applied, 'size'>;

/** What loading the roll itself did, when the account had none. */
export async function countLoaded(
  tx: Tx,
  { account }: KindTask,
  { rows }: Staged,
): Promise<Merged> {
  await analyzeRoll(tx);
  return {
    added: rows,
    changed: 0,
    unchanged: 0,
    refused: 0,
    superseded: 0,
    events: 0,
    before: { active: 0, inactive: 0 },
    after: await countLoadedVoters(tx, account.accountId),
    refusedRows: null,
  };
}

/** Fills {@link loadedPlaces} by the one look at the whole roll that its gate needs too. */
async function countLoadedVoters(
  tx: Tx,
  accountId: AccountId,
): Promise<{ active: number; inactive: number }> {
  await fillTempTable(
    tx,
    loadedPlaces,
    sql`select county, state, count(*) filter (where is_active) as active,
      count(*) filter (where not is_active) as inactive
    from voters where account_id = ${sql.lit(Number(accountId))} group by 1, 2
    -- sequential scan: reads a roll once, after it was loaded for the first time
    `,
  );
  const { rows } = await sql<{ active: number; inactive: number }>`
    select coalesce(sum(active), 0)::bigint as active, coalesce(sum(inactive), 0)::bigint as inactive
    from ${loadedPlaces}`.execute(tx);
  return rows[0] ?? { active: 0, inactive: 0 };
}
