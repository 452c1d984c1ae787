/**
 * How much a sender may send: a short code, a number, or the site's mail relay. Providers count parts: a text longer than one segment
 * is several, a mail and a call are one each. Pure, so that a simulated evening runs by the very rules of a real one.
 */

/** The order in which messages leave: answers to what a voter just did, what a deadline or a mistake makes urgent, then all other news. */
export const lanes = ['answers', 'urgent', 'news'] as const;
export type Lane = (typeof lanes)[number];

/** In message parts; null where there is no limit. */
export interface SenderLimits {
  readonly perSecond: number | null;
  /** In any 24 hours, wherever a provider's day begins. */
  readonly perDay: number | null;
}

/** Parts that may leave at an instant (ms since the epoch). */
type Entry = readonly [at: number, parts: number];

/** What a sender used of its limits, as all workers share it. */
export interface SenderUse {
  /** Of the last second. */
  readonly recent: readonly Entry[];
  /** Of the last day, by quarter of an hour; empty without a limit by day. */
  readonly quarters: readonly Entry[];
}

export interface SizedMessage {
  readonly lane: Lane;
  readonly parts: number;
}

export const unusedSender: SenderUse = { recent: [], quarters: [] };

/** What our own workers hand over in a second for a sender without a limit (docs/operations/capacity.md, rounded down). */
export const unlimitedPerSecond = 1_000;

/** News leave this share of a day's parts to what is urgent. */
const urgentShareOfDay = 0.05;

export const secondMs = 1_000;
export const quarterMs = 15 * 60_000;
export const dayMs = 24 * 3_600_000;
/** A second's parts leave spread over it: providers count by clocks that are not ours. */
export const sliceMs = 100;
const slicesOfSecond = 8;
/** More parts than any text has. */
export const mostParts = 10;
/** Clocks of one site do not differ by more. What lies further ahead was noted before a clock was set back. */
const aheadMs = 5_000;

interface Window {
  readonly most: number;
  readonly used: number;
}

/** No window of a second is over its limit, whenever it begins; neither is one of a day. */
function windowsAt(limits: SenderLimits, use: SenderUse, lane: Lane, now: number): Window[] {
  const windows: Window[] = [];
  const { perSecond, perDay } = limits;
  if (perSecond !== null)
    windows.push(
      { most: perSecond, used: sumRecent(limits, use, now, secondMs) },
      { most: sliceOf(perSecond), used: sumRecent(limits, use, now, sliceMs) },
    );
  if (perDay !== null)
    windows.push({
      most: mostOfDay(perDay, lane),
      // A quarter counts until its last instant is a day ago.
      used: sumAfter(use.quarters, now - dayMs - quarterMs),
    });
  return windows;
}

/** The most in a slice, so that a second is full before it ends. */
export function sliceOf(perSecond: number): number {
  return Math.ceil(perSecond / slicesOfSecond);
}

/** Parts of a day that a lane may use. */
export function mostOfDay(perDay: number, lane: Lane): number {
  return lane === 'news' ? Math.max(1, Math.floor(perDay * (1 - urgentShareOfDay))) : perDay;
}

function sumRecent(limits: SenderLimits, { recent }: SenderUse, now: number, ms: number): number {
  const last = lastNoted(limits, now);
  let sum = 0;
  for (const [at, parts] of recent) if (at > now - ms && at <= last) sum += parts;
  return sum;
}

function sumAfter(entries: readonly Entry[], after: number): number {
  let sum = 0;
  for (const [at, parts] of entries) if (at > after) sum += parts;
  return sum;
}

/** A message longer than a whole limit goes alone, and its rest counts for the seconds after. */
function fits({ most, used }: Window, parts: number): boolean {
  return used + parts <= most || (used === 0 && parts > most);
}

/** Parts that may leave now in one batch; Infinity without a limit, and never a fraction. */
export function roomAt(limits: SenderLimits, use: SenderUse, lane: Lane, now: number): number {
  const windows = windowsAt(limits, use, lane, now);
  if (!windows.every((window) => fits(window, 1))) return 0;
  return Math.max(1, Math.floor(Math.min(...windows.map(({ most, used }) => most - used))));
}

/** Parts that all that leaves in this second and this day may have, however it is spread over the second. */
export function spareAt(limits: SenderLimits, use: SenderUse, now: number): number {
  const { perSecond } = limits;
  return Math.max(
    0,
    Math.min(
      perSecond === null
        ? Number.POSITIVE_INFINITY
        : Math.floor(perSecond - sumRecent(limits, use, now, secondMs)),
      dayRoomAt(limits, use, 'urgent', now),
    ),
  );
}

/** Parts that a lane may still send in this day; Infinity without a limit. */
export function dayRoomAt(
  { perDay }: SenderLimits,
  use: SenderUse,
  lane: Lane,
  now: number,
): number {
  if (perDay === null) return Number.POSITIVE_INFINITY;
  return mostOfDay(perDay, lane) - sumAfter(use.quarters, now - dayMs - quarterMs);
}

/**
 * The first instant, `now` or later, at which a message of so many parts may leave when nothing else does meanwhile
 * (ms since the epoch).
 */
export function nextRoomAt(
  limits: SenderLimits,
  use: SenderUse,
  { lane, parts }: SizedMessage,
  now: number,
): number {
  const ends = [
    ...use.recent.flatMap(([at]) => [at + sliceMs, at + secondMs]),
    ...use.quarters.map(([at]) => at + quarterMs + dayMs),
  ].filter((end) => end > now);
  for (const end of [now, ...ends.sort((a, b) => a - b)])
    if (windowsAt(limits, use, lane, end).every((window) => fits(window, parts))) return end;
  return now;
}

/** How many of these messages, from the first on, may leave now, and what the sender then has used. */
export function admit(
  limits: SenderLimits,
  use: SenderUse,
  messages: readonly SizedMessage[],
  now: number,
): { readonly count: number; readonly use: SenderUse } {
  let count = 0;
  let used = use;
  for (const { lane, parts } of messages) {
    if (!windowsAt(limits, used, lane, now).every((window) => fits(window, parts))) break;
    used = book(limits, used, parts, now);
    count += 1;
  }
  return { count, use: used };
}

/** Notes that parts leave now, and drops what no longer counts. */
export function book(limits: SenderLimits, use: SenderUse, parts: number, now: number): SenderUse {
  const { perSecond, perDay } = limits;
  const [second, quarter] = entryTimes(limits, parts, now);
  return {
    recent: perSecond === null ? [] : addTo(use.recent, second, parts, now - secondMs),
    quarters: perDay === null ? [] : addTo(use.quarters, quarter, parts, now - dayMs - quarterMs),
  };
}

/** Takes back what {@link book} noted at `at`, where other workers may have noted theirs since. */
export function unbook(limits: SenderLimits, use: SenderUse, parts: number, at: number): SenderUse {
  const [second, quarter] = entryTimes(limits, parts, at);
  return {
    recent: takeFrom(use.recent, second, parts),
    quarters: takeFrom(use.quarters, quarter, parts),
  };
}

/**
 * What was noted before a clock was set back counts from now on as if it had left now: it left in the last moments by a clock that ran ahead, or
 * longer ago than anybody knows. It would close the sender until the clock is there again.
 *
 * @returns the same where nothing lies ahead
 */
export function withinClock(limits: SenderLimits, use: SenderUse, now: number): SenderUse {
  const last = lastNoted(limits, now);
  const isAhead = ([at]: Entry) => at > last;
  if (!use.recent.some(isAhead) && !use.quarters.some(isAhead)) return use;
  const bring = (entries: readonly Entry[], to: number): Entry[] => {
    const parts = entries.filter(isAhead).reduce((sum, entry) => sum + entry[1], 0);
    const known = entries.filter((entry) => !isAhead(entry));
    return parts === 0 ? known : addTo(known, to, parts, Number.NEGATIVE_INFINITY);
  };
  return {
    recent: bring(use.recent, now),
    quarters: bring(use.quarters, Math.floor(now / quarterMs) * quarterMs),
  };
}

/** The last instant that any worker may note when its clock is right. */
function lastNoted(limits: SenderLimits, now: number): number {
  return entryTimes(limits, mostParts, now)[0] + aheadMs;
}

function entryTimes(
  { perSecond }: SenderLimits,
  parts: number,
  at: number,
): readonly [second: number, quarter: number] {
  // A second that a long message is over its limit is paid for in the next.
  const over = perSecond === null ? 0 : Math.max(0, parts / perSecond - 1) * secondMs;
  return [at + Math.round(over), Math.floor(at / quarterMs) * quarterMs];
}

function addTo(entries: readonly Entry[], at: number, parts: number, after: number): Entry[] {
  const counted = entries.filter((entry) => entry[0] > after);
  const same = counted.findIndex((entry) => entry[0] === at);
  if (same < 0) return [...counted, [at, parts]];
  return counted.map((entry, index) => (index === same ? [at, entry[1] + parts] : entry));
}

function takeFrom(entries: readonly Entry[], at: number, parts: number): Entry[] {
  return entries
    .map((entry): Entry => (entry[0] === at ? [at, entry[1] - parts] : entry))
    .filter(([, left]) => left > 0);
}

/** The strictest of several limits, for a sender that several offices share. */
export function strictest(all: readonly SenderLimits[]): SenderLimits {
  const least = (pick: (limits: SenderLimits) => number | null): number | null => {
    const given = all.flatMap((limits) => pick(limits) ?? []);
    return given.length === 0 ? null : Math.min(...given);
  };
  return { perSecond: least((one) => one.perSecond), perDay: least((one) => one.perDay) };
}

export function isLimited({ perSecond, perDay }: SenderLimits): boolean {
  return perSecond !== null || perDay !== null;
}
