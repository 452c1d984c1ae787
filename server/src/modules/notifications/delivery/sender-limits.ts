import type { Channel } from '@ballot-beacon/contract/messages';
import type { Provider } from '../channels/provider.ts';
import {
  admit,
  book,
  isLimited,
  type Lane,
  lanes,
  mostParts,
  nextRoomAt,
  roomAt,
  type SizedMessage,
  spareAt,
  unbook,
  unlimitedPerSecond,
  unusedSender,
  withinClock,
} from '../senders/limits.ts';
import { bookPace, nextPaceAt, type PacedSender, paceRoomAt, unusedPace } from '../senders/pace.ts';
import type { Sender, SenderNotes, Senders } from '../senders/senders.ts';
import { lockPace, lockUse, readUses, savePace, saveUse } from '../senders/store.ts';
import type { DeliveryParts } from './parts.ts';
import { type ClaimedMessage, claimDue, readDueHeads } from './store.ts';

/** A sender of which messages are due. */
interface WaitingSender {
  readonly sender: Sender;
  /** Null when something may leave at once; otherwise when it may (ms since the epoch). */
  readonly roomAt: number | null;
}

/** The senders of a channel of which messages are due, in the order in which they should be served. */
export async function findWaitingSenders(
  parts: DeliveryParts,
  channel: Channel,
): Promise<WaitingSender[]> {
  const { db, clock, senders } = parts;
  const now = clock.now().getTime();
  const heads = await readDueHeads(db, channel, clock.now());
  if (heads.length === 0) return [];
  const found = await Promise.all(
    heads.map(async (head) => ({ ...head, sender: await senders.of(channel, head.account_id) })),
  );
  const keys = new Set(found.map(({ sender }) => sender.key));
  const uses = await readUses(db, [...keys]);
  for (const sender of new Set(found.map((one) => one.sender))) {
    const use = uses.bySender.get(sender.key) ?? unusedSender;
    if (withinClock(sender.limits, use, now) !== use) await setRight(parts, sender);
  }
  const opens = (sender: Sender, lane: Lane): number => {
    const use = uses.bySender.get(sender.key) ?? unusedSender;
    const at = Math.max(
      nextRoomAt(sender.limits, use, { lane, parts: 1 }, now),
      closedUntil(senders.notesOn(sender), lane, now),
    );
    if (lane !== 'news') return at;
    return Math.max(at, nextPaceAt(senders.pace, uses.pace, pacedBy(senders, sender), now));
  };
  return [...Map.groupBy(found, ({ sender }) => sender)]
    .map(([sender, own]) => {
      const at = Math.min(...own.map(({ lane }) => opens(sender, lane)));
      const rank = Math.min(...own.map(({ lane }) => lanes.indexOf(lane)));
      const oldest = Math.min(...own.map((head) => head.deliver_after.getTime()));
      return { sender, roomAt: at <= now ? null : at, rank, oldest };
    })
    .sort((a, b) => a.rank - b.rank || a.oldest - b.oldest);
}

/** Of a sender whose use was noted by a clock that has been set back since. From the next look on it counts. */
async function setRight(
  { transaction, clock }: DeliveryParts,
  { key, limits }: Sender,
): Promise<void> {
  await transaction(async (tx) => {
    const use = await lockUse(tx, key, { waits: false });
    if (use) await saveUse(tx, key, withinClock(limits, use, clock.now().getTime()));
  });
}

/** What it could send, were it alone. */
function pacedBy(senders: Senders, sender: Sender): PacedSender {
  const parts = sender.limits.perSecond ?? unlimitedPerSecond;
  return { key: sender.key, weight: parts / senders.notesOn(sender).typicalParts };
}

/** Messages claimed within the limits of their sender, and what was set aside for them. */
export interface Claim {
  readonly sender: Sender;
  readonly claimed: readonly ClaimedMessage[];
  /** Parts, until the messages are written and their true number is known. */
  readonly booked: number;
  /** When they were booked (ms since the epoch). */
  readonly bookedAt: number;
}

/**
 * Claims no more than the sender may send now. Parts are known only when the texts are written, so all that is left of the second is set aside
 * until {@link settle}.
 *
 * @returns undefined when another worker is claiming for this sender
 */
export async function claimWithinLimits(
  { transaction, clock, senders }: DeliveryParts,
  sender: Sender,
  provider: Provider,
): Promise<Claim | undefined> {
  const { channel, limits } = sender;
  return transaction(async (tx) => {
    // Without limits there is always more to claim, so workers take turns: two that picked the same heads at once would leave
    // one of them with nothing. With limits the other worker claims all that may leave now, and waiting would gain nothing.
    const noted = await lockUse(tx, sender.key, { waits: !isLimited(limits) });
    if (!noted) return undefined;
    const at = clock.now();
    const now = at.getTime();
    const use = withinClock(limits, noted, now);
    const notes = senders.notesOn(sender);
    const mostOf = (lane: Lane): number => {
      const parts = roomAt(limits, use, lane, now);
      if (parts === 0 || closedUntil(notes, lane, now) > now) return 0;
      return Math.min(Math.max(1, Math.floor(parts / notes.typicalParts)), provider.batchSize);
    };
    const most = mostOf('urgent');
    if (most === 0) return { sender, claimed: [], booked: 0, bookedAt: now };
    let mostNews = mostOf('news');
    const isPaced = mostNews > 0 && senders.pace !== null;
    const pace = isPaced ? await lockPace(tx) : unusedPace;
    const paced = pacedBy(senders, sender);
    mostNews = Math.min(mostNews, paceRoomAt(senders.pace, pace, paced, now));
    const accounts = sender.accounts.map(({ accountId }) => accountId);
    const bounds = { channel, provider: provider.name, accounts, most, mostNews };
    const claimed = await claimDue(tx, bounds, at);
    const news = claimed.filter(({ lane }) => lane === 'news').length;
    if (isPaced && news > 0) await savePace(tx, bookPace(pace, paced, news, now));
    const wanted = isLimited(limits) ? claimed.length * mostParts : 0;
    const booked = Math.min(wanted, Math.max(wanted > 0 ? 1 : 0, spareAt(limits, use, now)));
    if (booked > 0) await saveUse(tx, sender.key, book(limits, use, booked, now));
    return { sender, claimed, booked, bookedAt: now };
  });
}

function closedUntil(notes: SenderNotes, lane: Lane, now: number): number {
  // Closed for longer is nobody: such a note is of before the clock was set back.
  const all = notes.closedUntil - now > closedMs ? 0 : notes.closedUntil;
  const news = notes.newsClosedUntil - now > newsClosedMs ? 0 : notes.newsClosedUntil;
  return lane === 'news' ? Math.max(all, news) : all;
}

/** How long at most nothing is claimed for a text that is too long: limits may be changed meanwhile. */
const closedMs = 1_000;
const newsClosedMs = 60_000;

/**
 * Replaces what was set aside by what really leaves.
 *
 * @param sizes of all messages that should leave now, in their order
 * @returns how many of them, from the first on, may leave now
 */
export async function settle(
  { transaction, clock, senders }: DeliveryParts,
  { sender, booked, bookedAt }: Pick<Claim, 'sender' | 'booked' | 'bookedAt'>,
  sizes: readonly SizedMessage[],
): Promise<number> {
  const { limits } = sender;
  if (!isLimited(limits) || (sizes.length === 0 && booked === 0)) return sizes.length;
  const notes = senders.notesOn(sender);
  const parts = sizes.reduce((sum, one) => sum + one.parts, 0);
  if (sizes.length > 0)
    notes.typicalParts = 0.9 * notes.typicalParts + (0.1 * parts) / sizes.length;
  return transaction(async (tx) => {
    const use = await lockUse(tx, sender.key, { waits: true });
    if (!use) throw new Error(`The use of sender ${sender.key} cannot be locked.`);
    const now = clock.now().getTime();
    const theirs = booked === 0 ? use : unbook(limits, use, booked, bookedAt);
    const others = withinClock(limits, theirs, now);
    const admitted = admit(limits, others, sizes, now);
    const refused = sizes[admitted.count];
    if (refused) {
      const opensAt = nextRoomAt(limits, admitted.use, refused, now);
      if (refused.lane === 'news') notes.newsClosedUntil = Math.min(opensAt, now + newsClosedMs);
      else notes.closedUntil = Math.min(opensAt, now + closedMs);
    }
    await saveUse(tx, sender.key, admitted.use);
    return admitted.count;
  });
}
