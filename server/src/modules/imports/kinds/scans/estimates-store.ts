import { sql } from 'kysely';
import { type Clock, localDay } from '../../../../platform/clock.ts';
import type { AccountId } from '../../../../platform/ids.ts';
import type { Database, Tx } from '../../../../platform/postgres.ts';
import { analyzeTempTable, createTempTable } from '../../../../platform/temp-tables.ts';
import { type Account, listAccounts } from '../../../accounts/index.ts';
import {
  arrivingMark,
  derivedStatuses,
  deriveStatuses,
  touchedBallots,
} from '../../../ballots/index.ts';
import { tryBeginImport } from '../../run/import-store.ts';

/**
 * Keeps the stored statuses as the page shows them: it counts an estimate of arrival
 * once its day is over. Each account is settled once a day; one whose import is under way waits for the next call.
 * No message follows: nobody saw anything, and it is the middle of the night.
 *
 * @returns a function that settles every account whose day has ended since it last did, and gives the number of
 * ballots that got another status
 */
export function createEstimateSettler(database: Database, clock: Clock): () => Promise<number> {
  const settledOn = new Map<number, string>();
  return async () => {
    let changed = 0;
    for (const account of await listAccounts(database.system)) {
      const { accountId, timeZone } = account;
      const today = localDay(clock.now(), timeZone);
      if (settledOn.get(accountId) === today) continue;
      const count = await database.transaction((tx) => settle(tx, account, today));
      if (count === null) continue;
      settledOn.set(accountId, today);
      changed += count;
    }
    return changed;
  };
}

/** @returns null when an import is under way */
async function settle(
  tx: Tx,
  { accountId, timeZone }: Account,
  today: string,
): Promise<number | null> {
  if (!(await tryBeginImport(tx, accountId))) return null;
  await createTempTable(tx, touchedBallots);
  if ((await addDueEstimates(tx, { accountId, today })) === 0) return 0;
  await analyzeTempTable(tx, touchedBallots);
  await deriveStatuses(tx, { timeZone, today });
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${derivedStatuses} where old_status is distinct from new_status`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

/**
 * Fills {@link touchedBallots}: ballots with an estimate of arrival whose day is over since, which are not yet so far.
 * @returns how many
 */
async function addDueEstimates(
  tx: Tx,
  { accountId, today }: { readonly accountId: AccountId; readonly today: string },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into ${touchedBallots}
    select distinct v.ballot_id from ballot_events v
    join ballots b on b.ballot_id = v.ballot_id
      and b.current_status in ('requested', 'printed', 'reprinted', 'sent', 'in-transit')
    where v.account_id = ${accountId} and v.kind = 'estimate' and v.raw_status = ${arrivingMark}
      and v.occurred_on between ${today}::date - 7 and ${today}::date - 1`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
