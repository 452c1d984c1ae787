import { secondMs, sliceMs, sliceOf } from './limits.ts';

/**
 * The pace of news: an alert brings voters to the page, so all senders together send no more messages in a second than the site serves
 * visits for. Senders share it by what each could send, so that the moment each of them is done can be said. Seconds are those of
 * the clock: this is no provider's limit.
 */

/** What one sender used of a second, and how many messages it could send in one. */
type Share = readonly [used: number, weight: number];

/** What all senders used of a second. */
export interface PaceUse {
  /** Milliseconds since the epoch. */
  readonly second: number;
  readonly slice: number;
  readonly usedInSlice: number;
  readonly shares: Readonly<Record<string, Share>>;
  /** Of the second before: who is likely to send in this one. */
  readonly before: Readonly<Record<string, Share>>;
}

export const unusedPace: PaceUse = {
  ...{ second: 0, slice: 0, usedInSlice: 0 },
  ...{ shares: {}, before: {} },
};

/** A sender that asks for a part of the pace. */
export interface PacedSender {
  readonly key: string;
  /** Messages that it could send in a second. */
  readonly weight: number;
}

/** Another sender with less than this part of its share goes first. */
const fullShare = 0.9;

/**
 * The whole messages of a share, which a sender has whatever others do. What is left of shares is given out only then: were each share
 * rounded up, who asks last would have what is missing, every second the same sender.
 */
function wholeOf(share: number): number {
  return Math.max(1, Math.floor(share));
}

/** What of it still counts at an instant. */
function turnTo(use: PaceUse, now: number): PaceUse {
  const second = Math.floor(now / secondMs) * secondMs;
  const slice = Math.floor(now / sliceMs) * sliceMs;
  if (second !== use.second)
    return {
      ...{ second, slice, usedInSlice: 0, shares: {} },
      before: second - use.second === secondMs ? use.shares : {},
    };
  return slice === use.slice ? use : { ...use, slice, usedInSlice: 0 };
}

/** The rest is for slow and for new senders, which would find every second full. */
export function sharedPace(perSecond: number): number {
  return Math.max(1, Math.floor(0.95 * perSecond));
}

/** Senders that could send no more in a second than this are not slowed: together they send little. */
const slowSender = 10;

/**
 * How senders share a pace: by what each could send in a second, and slow ones have all of it as long as they leave half of the pace to
 * the others.
 *
 * @param weights of all senders that have news now
 * @returns messages in a second for a sender of this weight; may be a fraction
 */
export function sharesOf(
  perSecond: number,
  weights: readonly number[],
): (weight: number) => number {
  let slow = 0;
  let all = 0;
  for (const weight of weights) {
    all += weight;
    if (weight <= slowSender) slow += weight;
  }
  if (all <= perSecond) return (weight) => weight;
  if (2 * slow > perSecond) return (weight) => (perSecond * weight) / all;
  return (weight) => (weight <= slowSender ? weight : ((perSecond - slow) * weight) / (all - slow));
}

/** Messages that this sender may send now. @param perSecond of all senders; null: any number */
export function paceRoomAt(
  perSecond: number | null,
  before: PaceUse,
  { key, weight }: PacedSender,
  now: number,
): number {
  if (perSecond === null) return Number.POSITIVE_INFINITY;
  const use = turnTo(before, now);
  let used = 0;
  for (const one in use.shares) used += use.shares[one]?.[0] ?? 0;
  const all = { ...use.before, ...use.shares };
  // What is slow waits neither for a share nor for a slice, but takes no more than it could send.
  if (weight <= slowSender) {
    const own = Math.ceil(2 * weight) - (use.shares[key]?.[0] ?? 0);
    return Math.max(0, Math.min(perSecond - used, own));
  }
  const shared = sharedPace(perSecond);
  const most = Object.hasOwn(all, key) ? shared : perSecond;
  const room = Math.min(most - used, sliceOf(perSecond) - use.usedInSlice);
  if (room <= 0) return 0;
  const weights = [weight];
  for (const one in all) if (one !== key) weights.push(all[one]?.[1] ?? 0);
  const share = sharesOf(shared, weights);
  const own = wholeOf(share(weight)) - (use.shares[key]?.[0] ?? 0);
  if (own > 0) return Math.min(room, own);
  for (const one in all) {
    const others = share(all[one]?.[1] ?? 0);
    const least = Math.min(fullShare * others, wholeOf(others));
    if (one !== key && (use.shares[one]?.[0] ?? 0) < least) return 0;
  }
  return room;
}

/** The first instant, `now` or later, at which this sender may send when no other does meanwhile (ms since the epoch). */
export function nextPaceAt(
  perSecond: number | null,
  use: PaceUse,
  sender: PacedSender,
  now: number,
): number {
  const end = (Math.floor(now / secondMs) + 1) * secondMs;
  for (let at = now; at < end; at = (Math.floor(at / sliceMs) + 1) * sliceMs)
    if (paceRoomAt(perSecond, use, sender, at) > 0) return at;
  return end;
}

/** Notes messages that leave now. */
export function bookPace(
  before: PaceUse,
  { key, weight }: PacedSender,
  messages: number,
  now: number,
): PaceUse {
  const use = turnTo(before, now);
  const used = (use.shares[key]?.[0] ?? 0) + messages;
  return {
    ...use,
    usedInSlice: use.usedInSlice + messages,
    shares: { ...use.shares, [key]: [used, weight] },
  };
}
