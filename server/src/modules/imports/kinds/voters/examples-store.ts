import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import type { Applied, ExampleRow, KindTask } from '../kind.ts';
import { voterChanges } from './merge-store.ts';
import { fileVoters } from './news-store.ts';
import type { RollSize } from './roll-size.ts';

const exampleCount = 5;

/** The first voters that the file changes: those whom it lacks, where it makes them inactive, and then those of its rows. */
export async function readFirstChanges(
  tx: Tx,
  { account, importId }: KindTask,
  { size }: Applied<RollSize>,
): Promise<ExampleRow[]> {
  if (size.isLoaded) return [];
  const missing = size.loss && size.loss.missing > 0 ? await readMissing() : [];
  if (missing.length > 0) return missing;
  const { rows } = await sql<ExampleRow>`
    select c.registration_id as voter, c.line, c.change[1] as "from", c.change[2] as "to" from (
      select registration_id, line, case
        when voter_id is null then '{not on the roll,new}'::text[]
        when was_active and not becomes_active then '{active,inactive}'
        when becomes_active and not was_active then '{inactive,active}'
        when has_other_name or has_swapped_names then '{known name,another name}'
        when has_other_birthdate then '{known birth date,another or none}'
        when has_other_zipcode then '{known ZIP code,another or none}'
        else '{known record,another record}' end as change
      from ${voterChanges} where problem is null and (voter_id is null or is_changed)
    ) c order by c.line limit ${exampleCount}`.execute(tx);
  return rows;

  async function readMissing(): Promise<ExampleRow[]> {
    const { rows } = await sql<ExampleRow>`
      select v.registration_id as voter, 'active' as "from", 'missing' as "to", null::bigint as line
      from voters v where v.account_id = ${account.accountId} and v.last_import_id = ${importId} and not v.is_active
        and not exists (select from ${fileVoters} f where f.registration_id = v.registration_id)
      order by length(v.registration_id), 1 limit ${exampleCount}
      -- sequential scan: finds the voters of a roll whom a file lacks, and only where it waits`.execute(
      tx,
    );
    return rows;
  }
}
