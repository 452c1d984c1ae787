import type { Channel } from '@ballot-beacon/contract/messages';
import type { AgainAnswer } from '@ballot-beacon/contract/own-messages';
import type { Config } from '../../platform/config.ts';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type ProblemError, problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { type Account, offeredChannels } from '../accounts/index.ts';
import type { SecurityEvents } from '../audit/index.ts';
import { listOpenFixes } from '../ballots/index.ts';
import { asksTooLate, sendAgain } from '../notifications/index.ts';
import { countResend, countSave, explainWait } from '../sessions/index.ts';
import { type LedgerMessage, lockVoter, readLedger } from './own-store.ts';
import { againOf } from './rules.ts';

const ledgerLastsMs = 90 * 24 * 60 * 60_000;

/** The earliest instant whose messages a voter sees, and can have sent again. */
export function ledgerStart(now: Date): Date {
  return new Date(now.getTime() - ledgerLastsMs);
}

/** Whether one of a voter's messages can be sent once more. @param db bound to the account */
export async function judgeAgain(
  db: Db,
  account: Account,
  messages: readonly LedgerMessage[],
  now: Date,
): Promise<(message: LedgerMessage) => AgainAnswer> {
  const status = 'rejected-curable';
  const toFix = messages.flatMap(({ ballot_id: id, current_status: current }) =>
    id !== null && current === status ? [id] : [],
  );
  const fixes = toFix.length > 0 ? await listOpenFixes(db, account, toFix) : [];
  const over = new Set(
    fixes.flatMap(({ ballotId, deadline }) =>
      deadline !== null && Date.parse(deadline) <= now.getTime() ? [ballotId] : [],
    ),
  );
  const offered: readonly string[] = offeredChannels(account.settings);
  return (message) =>
    againOf(
      {
        ...message,
        ...(!offered.includes(message.channel) && { current_address: null }),
        ...(asksTooLate(message, account.timeZone, now.getTime()) && { current_status: null }),
      },
      message.ballot_id !== null && over.has(message.ballot_id),
    );
}

export interface AgainParts {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly securityEvents: SecurityEvents;
}

/** A voter's wish to get a message once more. */
interface AgainWish {
  readonly account: Account;
  readonly voterId: VoterId;
  readonly messageId: number;
  /** The IP address that it comes from. */
  readonly from: string;
  readonly now: Date;
  /** What a message that cannot be sent again is answered with. */
  readonly refuse: (why: AgainAnswer) => ProblemError;
  /** What belongs on record, in the same transaction. */
  readonly record?: (tx: Db, channel: Channel) => Promise<void>;
}

/**
 * Sends a message of the voter once more, if it is still true and within every limit: of the voter from there, of the
 * address, and of the account.
 *
 * @param db bound to the account as voters' pages are
 * @returns the channel and the address that it goes to
 * @throws {ProblemError} 404 for a message that is not the voter's, 409 by `refuse`, 429 above a limit
 */
export async function fulfillAgain(
  db: Db,
  { config, secrets, securityEvents }: AgainParts,
  { account, voterId, messageId, from, now, refuse, record }: AgainWish,
): Promise<{ channel: Channel; address: string }> {
  const { accountId } = account;
  const until = await countSave(db, secrets.sign, { address: from, voterId, now });
  if (until) throw explainWait(until, now);
  const { limit, ...sent } = await db.transaction().execute(async (tx) => {
    await lockVoter(tx, voterId);
    const [message] = await readLedger(tx, voterId, ledgerStart(now), messageId);
    if (!message) throw problem(404, 'You have no such message.');
    const again = (await judgeAgain(tx, account, [message], now))(message);
    const { channel, current_address: address } = message;
    if (again !== 'possible' || address === null) throw refuse(again);
    const full = await countResend(tx, secrets.sign, { accountId, address, now });
    if (full) throw explainWait(full, now);
    const hours = { start: message.hours_start, end: message.hours_end };
    const asked = { voterId, messageId: message.message_id, channel, address, hours };
    const reached = await sendAgain(tx, config, accountId, asked, now);
    // Inside, so that it does not count for the address.
    if (reached === 'again-limited') throw problem(429, 'Too Many Attempts');
    await record?.(tx, channel);
    return { channel, address, limit: reached };
  });
  if (limit) securityEvents.record({ kind: limit, address: from, accountId });
  return sent;
}
