import type { CountedName } from '@ballot-beacon/contract/analytics';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { AccountId } from '../../platform/ids.ts';
import { type Database, isUnavailable } from '../../platform/postgres.ts';
import { addViews } from './store.ts';

export interface ViewCounter {
  /** Counts, unless the visitor asks not to be (Do Not Track, Global Privacy Control). */
  count(request: FastifyRequest, accountId: AccountId, name: CountedName): void;
  /** Writes down what was counted since the last time; what a database that is away did not take, the next time. */
  flush(): Promise<void>;
}

/** Of one office and day, by name. */
type CountsOfDay = ReadonlyMap<string, number>;

/** Counts in memory and writes now and then: a count is no reason to make a visitor wait. */
export function createViewCounter(database: Database, clock: Clock): ViewCounter {
  let counts = new Map<string, Map<string, number>>();
  const add = (key: string, more: CountsOfDay) => {
    const ofDay = counts.get(key) ?? new Map<string, number>();
    for (const [name, views] of more) ofDay.set(name, (ofDay.get(name) ?? 0) + views);
    counts.set(key, ofDay);
  };
  const write = (key: string, ofDay: CountsOfDay) => {
    const [accountId, day = ''] = key.split('|');
    return addViews(database.forAccount(Number(accountId) as AccountId), day, ofDay);
  };
  return {
    count({ headers }, accountId, name) {
      if (headers.dnt === '1' || headers['sec-gpc'] === '1') return;
      add(`${accountId}|${clock.now().toISOString().slice(0, 10)}`, new Map([[name, 1]]));
    },
    async flush() {
      const taken = [...counts];
      counts = new Map();
      let failure: unknown;
      for (const [key, ofDay] of taken) {
        if (isUnavailable(failure)) add(key, ofDay);
        else
          await write(key, ofDay).catch((error: unknown) => {
            failure = error;
            // Any other failure is of these alone, such as an office that was removed, and would come again.
            if (isUnavailable(error)) add(key, ofDay);
          });
      }
      if (failure !== undefined) throw failure;
    },
  };
}
