import { type RawBuilder, sql } from 'kysely';

/**
 * SQL of the day that a message about an election `e` names: Election Day. One that asks to send the ballot back names the last day for
 * that by the office's word, where it is earlier.
 *
 * @param status SQL of the status that the message is about
 */
export function dayToName(status: RawBuilder<unknown>) {
  return sql<string | null>`case when ${status} in ('sent', 'undeliverable')
    then least(e.election_date, (e.return_deadline->>'date')::date) else e.election_date end`;
}
