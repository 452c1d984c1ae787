import { type ContactHours, isWithinHours } from '../hours.ts';
import {
  admit,
  book,
  dayRoomAt,
  type Lane,
  lanes,
  nextRoomAt,
  quarterMs,
  type SenderLimits,
  type SenderUse,
  secondMs,
  unlimitedPerSecond,
  unusedSender,
} from './limits.ts';
import { sharedPace, sharesOf } from './pace.ts';

/** A sender with what it may send and has sent lately. */
export interface ForecastSender {
  readonly limits: SenderLimits;
  readonly use: SenderUse;
}

/** Messages that wait for one sender and are alike. Times in milliseconds since the epoch. */
export interface Backlog {
  readonly sender: ForecastSender;
  readonly lane: Lane;
  readonly messages: number;
  /** Of some of them, in parts: as many as are needed to know the others. */
  readonly sizes: readonly number[];
  /** When the first of them may leave. */
  readonly from: number;
  /** After that they are too old to leave; null when they never are. */
  readonly expiresAt: number | null;
  readonly hours: ContactHours | null;
  readonly timeZone: string;
}

/** What becomes of a {@link Backlog}. */
export interface Finish {
  /** When the last of them leaves; null when none does. */
  readonly endsAt: number | null;
  /** How many will be too old, or wait for longer than two weeks. */
  readonly unsent: number;
}

const horizonMs = 14 * 24 * 3_600_000;

interface Waiting {
  readonly backlog: Backlog;
  /** Of one message, on average. */
  readonly parts: number;
  left: number;
  endsAt: number | null;
  unsent: number;
}

interface Line {
  readonly sender: ForecastSender;
  readonly waiting: Waiting[];
  /** Parts a second that the limit allows for messages of these sizes. */
  readonly perSecond: number;
  use: SenderUse;
}

/** What of a line leaves at a moment. */
interface Flow {
  readonly line: Line;
  readonly one: Waiting;
  /** Messages a second. */
  rate: number;
}

/**
 * Says when the last of each backlog leaves when no other message is made meanwhile: by the limits of the senders, the pace of the site,
 * voters' hours, and the order of the lanes. Messages are treated as a flow, which is right to a second.
 *
 * @param pace of news over all senders, in messages a second; null: any number
 * @returns one for each backlog, in their order
 */
export function forecast(
  backlogs: readonly Backlog[],
  pace: number | null,
  now: number,
): readonly Finish[] {
  const all = backlogs.map(
    (backlog): Waiting => ({
      backlog,
      parts: averageOf(backlog.sizes),
      left: backlog.messages,
      endsAt: null,
      unsent: 0,
    }),
  );
  const lines = [...Map.groupBy(all, ({ backlog }) => backlog.sender)].map(
    ([sender, waiting]): Line => ({
      ...{ sender, use: sender.use, waiting: waiting.toSorted(byPlace) },
      perSecond: throughputOf(
        sender.limits,
        waiting.map(({ backlog }) => backlog),
      ),
    }),
  );
  let at = now;
  while (at < now + horizonMs && all.some(({ left }) => left > 0)) {
    const flows = lines.flatMap((line) => flowOf(line, at) ?? []);
    spreadPace(flows, pace);
    const until = nextChange(all, flows, at);
    for (const flow of flows) drain(flow, at, until);
    for (const one of all) expire(one, until);
    at = until;
  }
  return all.map(({ endsAt, unsent, left }) => ({ endsAt, unsent: Math.round(unsent + left) }));
}

function byPlace({ backlog: a }: Waiting, { backlog: b }: Waiting): number {
  return lanes.indexOf(a.lane) - lanes.indexOf(b.lane) || a.from - b.from;
}

/** The first of a line that may leave. */
function flowOf(line: Line, at: number): Flow | undefined {
  for (const one of line.waiting) {
    const { lane, from, hours, timeZone } = one.backlog;
    if (one.left === 0 || from > at || !isWithinHours(at, hours, timeZone)) continue;
    if (dayRoomAt(line.sender.limits, line.use, lane, at) < one.parts) continue;
    return { line, one, rate: line.perSecond / one.parts };
  }
  return undefined;
}

/** News share the pace of the site by what each sender could send. */
function spreadPace(flows: readonly Flow[], pace: number | null): void {
  const news = flows.filter(({ one }) => one.backlog.lane === 'news');
  if (pace === null) return;
  const share = sharesOf(
    sharedPace(pace),
    news.map(({ rate }) => rate),
  );
  for (const flow of news) flow.rate = share(flow.rate);
}

/** When a flow ends, or another may begin. */
function nextChange(all: readonly Waiting[], flows: readonly Flow[], at: number): number {
  let next = (Math.floor(at / quarterMs) + 1) * quarterMs;
  for (const { left, backlog } of all)
    if (left > 0)
      for (const edge of [backlog.from, backlog.expiresAt ?? at])
        if (edge > at) next = Math.min(next, edge);
  for (const { line, one, rate } of flows) {
    const room = dayRoomAt(line.sender.limits, line.use, one.backlog.lane, at);
    const messages = Math.min(one.left, Math.floor(room / one.parts));
    next = Math.min(next, at + Math.ceil((messages / rate) * secondMs));
  }
  return Math.max(next, at + 1);
}

function drain({ line, one, rate }: Flow, at: number, until: number): void {
  const gone = Math.min(one.left, (rate * (until - at)) / secondMs);
  one.left -= gone;
  // The rest of a division.
  if (one.left < 1e-3) one.left = 0;
  one.endsAt = until;
  line.use = book(line.sender.limits, line.use, gone * one.parts, at);
}

function expire(one: Waiting, at: number): void {
  const { expiresAt } = one.backlog;
  if (expiresAt === null || expiresAt > at) return;
  one.unsent += one.left;
  one.left = 0;
}

function averageOf(sizes: readonly number[]): number {
  return Math.max(1, sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length));
}

/** So many messages show how well texts of several parts fill a second. */
const sampleSize = 1_000;

/**
 * Parts that leave in a second when messages of these sizes follow each other: of a limit of three, texts of two parts use two. By the
 * rules themselves, on a sample.
 */
function throughputOf(limits: SenderLimits, backlogs: readonly Backlog[]): number {
  const { perSecond } = limits;
  if (perSecond === null) return unlimitedPerSecond;
  const longest = Math.max(1, ...backlogs.flatMap(({ sizes }) => sizes));
  if (perSecond >= 20 * longest) return Math.min(perSecond, unlimitedPerSecond);
  const bySecond = { perSecond, perDay: null };
  let use = unusedSender;
  let at = 0;
  let sent = 0;
  let half = { at: 0, sent: 0 };
  for (const [index, parts] of mixOf(backlogs).entries()) {
    const message = { lane: 'news', parts } as const;
    at = nextRoomAt(bySecond, use, message, at);
    use = admit(bySecond, use, [message], at).use;
    sent += parts;
    if (index + 1 === sampleSize / 2) half = { at, sent };
  }
  return ((sent - half.sent) / Math.max(at - half.at, 1)) * secondMs;
}

/** Sizes of the backlogs, mixed by chance as their messages are; by the same chance each time. */
function mixOf(backlogs: readonly Backlog[]): number[] {
  const total = backlogs.reduce((sum, { messages }) => sum + messages, 0);
  let state = 1;
  const draw = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: sampleSize }, () => {
    let left = draw() * total;
    const backlog = backlogs.find(({ messages }) => {
      left -= messages;
      return left < 0;
    });
    const sizes = backlog?.sizes ?? [];
    return sizes[Math.floor(draw() * sizes.length)] ?? 1;
  });
}

/** When the last of several backlogs leaves (ms since the epoch). */
export interface AnnouncedFinish {
  readonly earliestAt: number;
  /** The same, except close to the limit of a day: then a few more parts take a day longer. */
  readonly latestAt: number;
  /** How many will be too old, or wait for longer than two weeks. */
  readonly unsent: number;
}

/** How far all parts may be from what the measured ones say, with a few urgent messages that nobody expects yet. */
const uncertainty = 0.03;
/** A finish that may be wrong by more than this part of its time is said as two times. */
const tolerated = 0.05;

/**
 * Says when the last of all backlogs of a group leaves.
 *
 * @param groupOf by the place of a backlog in the list; backlogs without a group only take their part of the limits
 * @returns by group; a group of which none ever leaves is missing
 */
export function announceFinishes<Group>(
  backlogs: readonly Backlog[],
  groupOf: (index: number) => Group | undefined,
  pace: number | null,
  now: number,
): ReadonlyMap<Group, AnnouncedFinish> {
  const [early, expected, late] = [1 - uncertainty, 1, 1 + uncertainty].map((factor) => {
    const scaled = backlogs.map((one) => ({ ...one, messages: one.messages * factor }));
    return lastOf(forecast(scaled, pace, now), groupOf);
  });
  const announced = new Map<Group, AnnouncedFinish>();
  for (const [group, { endsAt, unsent }] of expected ?? []) {
    const least = (endsAt - now) * tolerated;
    const [low, high] = [early, late].map((one) => one?.get(group)?.endsAt ?? endsAt);
    const isUnsure =
      low !== undefined && high !== undefined && (endsAt - low > least || high - endsAt > least);
    announced.set(group, {
      earliestAt: isUnsure ? low : endsAt,
      latestAt: isUnsure ? high : endsAt,
      unsent,
    });
  }
  return announced;
}

function lastOf<Group>(
  finishes: readonly Finish[],
  groupOf: (index: number) => Group | undefined,
): Map<Group, { endsAt: number; unsent: number }> {
  const last = new Map<Group, { endsAt: number; unsent: number }>();
  for (const [index, { endsAt, unsent }] of finishes.entries()) {
    const group = groupOf(index);
    if (group === undefined) continue;
    const known = last.get(group) ?? { endsAt: Number.NEGATIVE_INFINITY, unsent: 0 };
    const at = Math.max(known.endsAt, endsAt ?? Number.NEGATIVE_INFINITY);
    last.set(group, { endsAt: at, unsent: known.unsent + unsent });
  }
  return new Map([...last].filter(([, { endsAt }]) => Number.isFinite(endsAt)));
}
