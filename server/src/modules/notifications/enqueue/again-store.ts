import type { Channel } from '@ballot-beacon/contract/messages';
import { sql } from 'kysely';
import type { VoterId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { countRequest, type ReachedLimit } from './limits-store.ts';
import { type AccountRules, firstAllowed, overDailyLimit, wakeWorker } from './store.ts';

/** How often a voter may have messages sent again in a day. */
const mostAgain = 5;

/** A message about a ballot's status, and the address that is to get it once more. */
export interface AgainRequest {
  readonly voterId: VoterId;
  readonly messageId: number;
  readonly channel: Channel;
  /** A confirmed address of the voter, normalized. */
  readonly address: string;
  readonly hours: { readonly start: string | null; readonly end: string | null };
}

/**
 * Adds a message that says once more what an earlier one said, within the limits of the voter and the account. Above the
 * account's limit it waits for the office. It belongs to the same import, so that a correction reaches it too. The
 * caller lets a voter's requests come one after the other.
 *
 * @returns `again-limited` when the voter had enough sent again today; a limit that was not reported yet; or nothing
 */
export async function addAgain(
  db: Db,
  rules: AccountRules,
  { voterId, messageId, channel, address, hours }: AgainRequest,
  now: Date,
): Promise<ReachedLimit | 'again-limited' | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from messages where voter_id = ${voterId} and cause like 'again:%'
      and created_at > now() - interval '1 day'`.execute(db);
  const earlier = rows[0]?.count ?? 0;
  if (earlier >= mostAgain) return 'again-limited';
  const made = await countRequest(db, rules, channel);
  const isWaiting = made > rules.dailyRequests[channel];
  await sql`
    insert into messages (account_id, kind, ballot_id, status, import_id, voter_id, channel, address, language, cause,
      deliver_after, state, error_code)
    select m.account_id, 'catch-up', m.ballot_id, m.status, m.import_id, m.voter_id, m.channel, ${address},
      coalesce(p.language_preference, v.language_preference, 'english'),
      ${`again:${messageId}:${now.getTime()}:${earlier}`}, ${firstAllowed(channel, hours, rules, now)},
      ${isWaiting ? 'held' : 'created'}, ${isWaiting ? overDailyLimit : null}
    from messages m
    join voters v on v.voter_id = m.voter_id
    left join contact_preferences p on p.voter_id = m.voter_id
    where m.message_id = ${messageId} and m.voter_id = ${voterId}
    on conflict do nothing`.execute(db);
  if (!isWaiting) await wakeWorker(db, channel);
  return made === rules.dailyRequests[channel] + 1 ? 'sending-stopped' : undefined;
}
