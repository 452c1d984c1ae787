import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { defineTempTable, fillTempTable } from '../../../../platform/temp-tables.ts';
import { isStanding } from '../../../ballots/index.ts';
import type { Format } from '../../formats/format.ts';
import type { KindTask } from '../kind.ts';
import { milestones, partOfRecord, recordOf, stagedBallots } from './rows.ts';

/** The ballots on a list of open cases as its last file left it, each with the record that it was accepted. */
const listedBallots = defineTempTable('listed_ballots', {
  registration_id: 'text',
  election_id: 'bigint',
  ballot_number: 'text',
  record_id: 'integer',
  sent_on: 'date',
  record: 'text',
});

/** Statuses of open cases, which a ballot leaves by being accepted. An undeliverable or cancelled ballot is none of them. */
const openStatuses = ['returned', 'rejected-curable', 'rejected'] as const;

/** Statuses from which a ballot becomes accepted when a file of this format no longer lists it; none for most formats. */
export function leavingStatuses({ missing_rows: missing }: Format): readonly string[] {
  if (missing === 'nothing') return [];
  return missing === 'succeeded' ? openStatuses : missing.succeeded;
}

/**
 * Of a format whose files list open cases: stages for each ballot that has left the list the record that it was
 * accepted. On the list are the ballots of which the last report came by this format; other elections than the file's are not
 * looked at. An empty file is of the election named, or else of the active ones.
 */
export async function stageLeavers(
  tx: Tx,
  { account: { accountId }, format, findings, election, elections }: KindTask,
): Promise<{ listed: number; left: number }> {
  const part = (name: Parameters<typeof partOfRecord>[1]) => partOfRecord('b.office_record', name);
  const days = milestones.map((day) => [day, part(day)] as const);
  const named = elections.filter(({ number, isActive }) =>
    election === null ? isActive : number.toLowerCase() === election.toLowerCase(),
  );
  const isOfFile =
    findings.read > 0
      ? sql`b.election_id in (select election_id from ${stagedBallots})`
      : sql`b.election_id = any(${named.map(({ electionId }) => electionId)}::bigint[])`;
  const accepted = recordOf({ status: "'accepted'", ...Object.fromEntries(days) });
  await fillTempTable(
    tx,
    listedBallots,
    sql`
    select v.registration_id, b.election_id, b.ballot_number, -row_number() over () as record_id,
      ${sql.raw(part('sent_on'))}::date as sent_on, ${sql.raw(accepted)} as record
    from ballots b
    join voters v on v.voter_id = b.voter_id
    cross join lateral (
      select e.import_id from ballot_events e where e.ballot_id = b.ballot_id and e.kind = 'office' and ${isStanding(sql`e`)}
      order by e.event_id desc limit 1
    ) last
    join imports i on i.import_id = last.import_id and i.format = ${format.name}
    where b.account_id = ${accountId} and ${isOfFile}
      and ${sql.raw(part('status'))} = any(${[...leavingStatuses(format)]}::text[])`,
  );
  const { rows } = await sql<{
    listed: number;
  }>`select count(*) as listed from ${listedBallots}`.execute(tx);
  const columns = sql.raw(Object.keys(listedBallots.columns).join(', '));
  const { numAffectedRows } = await sql`
    insert into ${stagedBallots} (${columns})
    select ${columns} from ${listedBallots} l where not exists (
      select from ${stagedBallots} s where s.registration_id = l.registration_id
        and s.election_id = l.election_id and s.ballot_number = l.ballot_number)`.execute(tx);
  return { listed: rows[0]?.listed ?? 0, left: Number(numAffectedRows ?? 0n) };
}
