import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

/** Adds to the day's counts of the account that `db` is bound to. */
export async function addViews(
  db: Db,
  day: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  await sql`
    insert into page_views as seen (account_id, day, name, views)
    select current_account_id(), ${day}::date, name, views
    from unnest(${sorted.map(([name]) => name)}::text[], ${sorted.map(([, views]) => views)}::bigint[])
      as counted(name, views)
    on conflict (account_id, day, name) do update set views = seen.views + excluded.views`.execute(
    db,
  );
}
