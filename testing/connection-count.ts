import { pg } from './sql.ts';

/** For a child process: its connections have this name. */
export const countedName = 'beacon-counted';

export interface ConnectionCount {
  /** The most connections of the name that were open at the same time. */
  most(): number;
  /** How many wait for a lock at this moment. */
  blocked(): number;
  stop(): Promise<void>;
}

/** Counts, over and over, what a process with `PGAPPNAME` {@link countedName} has open in the database. */
export async function countConnections(url: string): Promise<ConnectionCount> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let [most, blocked, isStopping] = [0, 0, false];
  const counting = (async () => {
    while (!isStopping) {
      const { rows } = await client.query<{ open: number; blocked: number }>(
        `select count(*)::int as open, count(*) filter (where wait_event_type = 'Lock')::int as blocked
        from pg_stat_activity where datname = current_database() and application_name = $1`,
        [countedName],
      );
      most = Math.max(most, rows[0]?.open ?? 0);
      blocked = rows[0]?.blocked ?? 0;
    }
  })();
  return {
    most: () => most,
    blocked: () => blocked,
    async stop() {
      isStopping = true;
      await counting;
      await client.end();
    },
  };
}
