import { expect } from 'vitest';
import type { Database, Tx } from '../server/src/platform/postgres.ts';

/**
 * Lets several calls come to the same lock before any of them gets it, so that they are at one moment however slow the machine is.
 *
 * @param lock for which each of the calls will wait, until its transaction ends
 * @returns how they ended
 */
export async function meetAtLock<Outcome>(
  database: Database,
  lock: (tx: Tx) => Promise<unknown>,
  begin: () => Promise<Outcome>[],
): Promise<Outcome[]> {
  const countWaiting = async () => {
    const { rows } = await database.systemPool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length;
  };
  const calls = await database.transaction(async (tx) => {
    await lock(tx);
    const begun = begin();
    await expect.poll(countWaiting, { interval: 10, timeout: 10_000 }).toBe(begun.length);
    return begun;
  });
  return Promise.all(calls);
}
