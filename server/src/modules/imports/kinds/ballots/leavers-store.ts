import type { Connection } from '../../run/import-store.ts';
import { milestones, partOfRecord, recordOf } from './rows.ts';

/**
 * Of a format whose files list open cases: stages for each ballot that has left the list the record that it was
 * accepted. On the list is what the format's files were the last to speak of; other elections than the file's are not
 * looked at.
 */
export async function stageLeavers(
  connection: Connection,
  { accountId, format }: { readonly accountId: number; readonly format: string },
): Promise<{ listed: number; left: number }> {
  const part = (name: Parameters<typeof partOfRecord>[1]) => partOfRecord('b.office_record', name);
  const days = milestones.map((day) => [day, part(day)] as const);
  await connection.query(
    `create temp table listed on commit drop as
    select v.registration_id, b.election_id, b.ballot_number, -row_number() over () as record_id,
      ${part('sent_on')}::date as sent_on,
      ${recordOf({ status: "'accepted'", ...Object.fromEntries(days) })} as record
    from ballots b
    join voters v on v.voter_id = b.voter_id
    cross join lateral (
      select e.import_id from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office'
      order by e.event_id desc limit 1
    ) last
    join imports i on i.import_id = last.import_id and i.format = $2
    where b.account_id = $1 and b.election_id in (select election_id from staged)
      and ${part('status')} is distinct from 'accepted'`,
    [accountId, format],
  );
  const { rows } = await connection.query<{ listed: number }>(
    'select count(*) as listed from listed',
  );
  const { rowCount } = await connection.query(
    `insert into staged (registration_id, election_id, ballot_number, record_id, sent_on, record)
    select * from listed l where not exists (
      select from staged s where s.registration_id = l.registration_id
        and s.election_id = l.election_id and s.ballot_number = l.ballot_number)`,
  );
  return { listed: rows[0]?.listed ?? 0, left: rowCount ?? 0 };
}
