import { sql } from 'kysely';
import type { Db } from '../../platform/postgres.ts';

/**
 * The voter of this ID on an account's roll, active or not.
 *
 * @param registrationId as a person read it off a card: case and spaces do not count where the ID as given is nobody's
 */
export async function findVoterId(
  system: Db,
  accountId: number,
  registrationId: string,
): Promise<number | undefined> {
  const find = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<{ voter_id: number }>`
      select voter_id from voters where account_id = ${accountId} and ${condition} limit 2`.execute(
      system,
    );
    return rows.length === 1 ? rows[0]?.voter_id : undefined;
  };
  return (
    (await find(sql`registration_id = ${registrationId}`)) ??
    (await find(
      sql`upper(regexp_replace(registration_id, '\\s', '', 'g')) = ${registrationId.replaceAll(/\s/gu, '').toUpperCase()}`,
    ))
  );
}
