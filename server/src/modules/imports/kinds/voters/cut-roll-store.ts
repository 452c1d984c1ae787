import { sql } from 'kysely';
import type { Tx } from '../../../../platform/postgres.ts';
import { formatCount } from '../gate-words.ts';
import type { ExampleRow, GateReason, KindTask } from '../kind.ts';
import { fileVoters } from './news-store.ts';

/** Fewer may have left the roll, by chance those who came last. */
const few = 6;

/** IDs in the order of texts, and of numbers. */
const orders = [
  'registration_id collate "C"',
  `(lpad(length(registration_id)::text, 4, '0') || registration_id) collate "C"`,
];

/**
 * Whether the voters that a whole roll lacks are those with the highest IDs: a file in the order of IDs that was cut at the end of a line.
 * @param missing how many voters the file lacks
 */
export async function judgeCutRoll(
  tx: Tx,
  { account: { accountId }, importId }: KindTask,
  missing: number,
): Promise<GateReason[]> {
  if (missing < few) return [];
  for (const order of orders) {
    const key = sql.raw(order);
    const { rows } = await sql<ExampleRow & { count: number }>`
      with file_end as (select max(${key}) as key from ${fileVoters})
      select v.registration_id as voter, 'active' as "from", 'missing' as "to", null::bigint as line,
        count(*) over ()::integer as count
      from (select voter_id, registration_id, ${key} as key, account_id, is_active from voters) v
      join replaced_voters r on r.import_id = ${importId} and r.voter_id = v.voter_id
      cross join file_end e
      where v.account_id = ${accountId} and not v.is_active and v.key > e.key
      order by v.key limit 5`.execute(tx);
    const [first] = rows;
    if (first === undefined || first.count < few) continue;
    const examples = rows.map(({ count: _, ...example }) => example);
    const detail = `The ${formatCount(first.count)} voters whose IDs are higher than all in this file are missing. They would become inactive, and could no longer sign in. Was the end of the file cut off?`;
    return [{ code: 'roll-cut', detail, rows: first.count, examples }];
  }
  return [];
}
