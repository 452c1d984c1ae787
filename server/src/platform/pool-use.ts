import type { Metrics } from './metrics.ts';
import type { Database } from './postgres.ts';

/** Updates the gauges of how busy this process's connections to the database are. */
export function publishPoolUse(metrics: Metrics, database: Database): void {
  for (const { pool, ...use } of database.readPoolUse())
    for (const [state, count] of Object.entries(use))
      metrics.connections.set({ pool, state }, count);
}
