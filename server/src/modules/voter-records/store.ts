import { sql } from 'kysely';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { isWithdrawn } from '../ballots/index.ts';

/**
 * The voter of the office's ballot with this number; undefined for none or several. Not a confidential voter, who is
 * found by voter ID alone.
 *
 * @param db bound to the account
 */
export async function findVoterOfBallot(db: Db, number: string): Promise<VoterId | undefined> {
  const { rows } = await sql<{ voter_id: VoterId }>`
    select distinct b.voter_id from ballots b join voters v using (voter_id)
    where b.account_id = current_account_id() and b.ballot_number <> '' and b.ballot_number = ${number}
      and not v.is_confidential and not ${isWithdrawn(sql`b`)}
    limit 2`.execute(db);
  return rows.length === 1 ? rows[0]?.voter_id : undefined;
}

export interface RollName {
  readonly voterId: VoterId;
  readonly registrationId: string;
  readonly name: string;
  readonly born: string | null;
  readonly place: string;
  readonly isActive: boolean;
  readonly isConfidential: boolean;
}

/** What a list of matches shows of one voter; of a confidential voter the ID alone. @param db bound to the account */
export async function readRollName(db: Db, voterId: VoterId): Promise<RollName | undefined> {
  const { rows } = await sql<RollName>`
    select voter_id as "voterId", registration_id as "registrationId", is_active as "isActive",
      is_confidential as "isConfidential",
      case when is_confidential then ''
        else concat_ws(' ', nullif(firstname, ''), nullif(middlename, ''), nullif(lastname, ''), nullif(suffix, '')) end as name,
      case when not is_confidential then coalesce(birthdate::text, birthyear::text) end as born,
      case when is_confidential then '' else concat_ws(' ', nullif(city, ''), nullif(zipcode, '')) end as place
    from voters where account_id = current_account_id() and voter_id = ${voterId}`.execute(db);
  return rows[0];
}
