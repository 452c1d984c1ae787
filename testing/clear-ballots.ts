import type { Db } from '../server/src/platform/postgres.ts';
import { sql } from './sql.ts';

/** Removes what files of ballots left, as only a test may: events are append-only. The voter roll stays. */
export async function clearBallots(db: Db): Promise<void> {
  await sql`alter table ballot_events disable trigger user`.execute(db);
  for (const table of ['ballot_events', 'ballots'])
    await sql`delete from ${sql.table(table)}`.execute(db);
  // Else a file of the same bytes would rightly be passed over.
  await sql`delete from imports`.execute(db);
  await sql`alter table ballot_events enable trigger user`.execute(db);
}
