import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { Database } from '../../../platform/postgres.ts';

/** Of the queue, which would write to standard error. */
export const silentLogger = new Logger(() => () => {});

/** A connection that dies while the queue uses it must not end the process; its query fails anyway. */
export function tolerateLostConnections(pool: pg.Pool): void {
  if (pool.listenerCount('connect') === 0)
    pool.on('connect', (client) => client.on('error', () => {}));
}

/**
 * Brings the queue's own schema up to date and opens it to the role `beacon_worker`, which cannot do that itself.
 *
 * @param database as the owner of the tables
 */
export async function prepareQueue({ systemPool }: Pick<Database, 'systemPool'>): Promise<void> {
  tolerateLostConnections(systemPool);
  await runMigrations({ pgPool: systemPool, logger: silentLogger });
  // All of it is one transaction. Two at once would change the same rights at the same moment, which PostgreSQL refuses.
  await systemPool.query(`
    select pg_advisory_xact_lock(hashtext('prepare-queue'));
    grant usage on schema graphile_worker to beacon_worker;
    grant select, insert, update, delete on all tables in schema graphile_worker to beacon_worker;
    grant usage on all sequences in schema graphile_worker to beacon_worker;
    do $$
    declare
      closed regclass;
    begin
      for closed in
        select c.oid from pg_class c
        where c.relnamespace = 'graphile_worker'::regnamespace and c.relrowsecurity
          and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'worker_rows')
      loop
        execute format('create policy worker_rows on %s to beacon_worker using (true)', closed);
      end loop;
    end
    $$`);
}
