import type { CountedName } from '@ballot-beacon/contract/analytics';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import { addViews } from './store.ts';

export interface ViewCounter {
  /** Counts, unless the visitor asks not to be (Do Not Track, Global Privacy Control). */
  count(request: FastifyRequest, accountId: AccountId, name: CountedName): void;
  /** Writes down what was counted since the last time. */
  flush(): Promise<void>;
}

/** Counts in memory and writes now and then: a count is no reason to make a visitor wait. */
export function createViewCounter(database: Database, clock: Clock): ViewCounter {
  let counts = new Map<string, Map<string, number>>();
  return {
    count({ headers }, accountId, name) {
      if (headers.dnt === '1' || headers['sec-gpc'] === '1') return;
      const key = `${accountId}|${clock.now().toISOString().slice(0, 10)}`;
      const ofDay = counts.get(key) ?? new Map<string, number>();
      ofDay.set(name, (ofDay.get(name) ?? 0) + 1);
      counts.set(key, ofDay);
    },
    async flush() {
      const taken = counts;
      counts = new Map();
      for (const [key, ofDay] of taken) {
        const [accountId, day = ''] = key.split('|');
        await addViews(database.forAccount(Number(accountId) as AccountId), day, ofDay);
      }
    },
  };
}
