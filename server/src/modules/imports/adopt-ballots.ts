import type { Connection } from './store.ts';

/**
 * Gives ballots that are known without a date the number that has it, where a staged row of the same voter brings the
 * date: offices write a ballot down before they send it. Of several such rows the one sent first is the ballot known.
 */
export async function adoptBallots(connection: Connection, accountId: number): Promise<void> {
  await connection.query(
    `update ballots b set ballot_number = told.ballot_number
    from (
      select distinct on (v.voter_id, s.election_id, s.undated_number) v.voter_id, s.election_id::bigint as election_id,
        s.undated_number, s.ballot_number
      from staged s
      join voters v on v.account_id = $1 and v.registration_id = s.registration_id
      left join ballots known on known.account_id = $1 and known.election_id = s.election_id::bigint
        and known.voter_id = v.voter_id and known.ballot_number = s.ballot_number
      where s.undated_number is not null and known.ballot_id is null
      order by v.voter_id, s.election_id, s.undated_number, s.sent_on nulls last, s.line
    ) told
    where b.account_id = $1 and b.election_id = told.election_id and b.voter_id = told.voter_id
      and b.ballot_number = told.undated_number`,
    [accountId],
  );
}
