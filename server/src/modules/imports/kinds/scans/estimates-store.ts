import { type Clock, localDay } from '../../../../platform/clock.ts';
import type { Database } from '../../../../platform/postgres.ts';
import { type Account, listAccounts } from '../../../accounts/index.ts';
import { deriveStatuses } from '../../../ballots/index.ts';
import { type Connection, tryBeginImport } from '../../run/import-store.ts';
import { addDueEstimates } from './merge-store.ts';

/**
 * What is to be done now and then so that the statuses kept agree with the page, which counts an estimate of arrival
 * once its day is over. Each account is settled once a day; one whose import is under way is passed over until the next call.
 * No message follows: nobody saw anything, and it is the middle of the night.
 *
 * @returns a function that settles every account whose day has ended since it last did, and gives the number of
 * ballots that became another
 */
export function createEstimateSettler(database: Database, clock: Clock): () => Promise<number> {
  const settledOn = new Map<number, string>();
  return async () => {
    let changed = 0;
    for (const account of await listAccounts(database.system)) {
      const { accountId, timeZone } = account;
      const today = localDay(clock.now(), timeZone);
      if (settledOn.get(accountId) === today) continue;
      const count = await database.transaction((_tx, connection) =>
        settle(connection, account, today),
      );
      if (count === null) continue;
      settledOn.set(accountId, today);
      changed += count;
    }
    return changed;
  };
}

/** @returns null when an import is under way */
async function settle(
  connection: Connection,
  { accountId, timeZone }: Account,
  today: string,
): Promise<number | null> {
  if (!(await tryBeginImport(connection, accountId))) return null;
  await connection.query('create temp table touched_ballots (ballot_id bigint) on commit drop');
  if ((await addDueEstimates(connection, { accountId, today })) === 0) return 0;
  await connection.query('analyze touched_ballots');
  await deriveStatuses(connection, { timeZone, today });
  const { rows } = await connection.query<{ count: number }>(
    'select count(*) as count from derived_statuses where old_status is distinct from new_status',
  );
  return rows[0]?.count ?? 0;
}
