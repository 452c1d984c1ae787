import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import { Temporal } from 'temporal-polyfill';

const hourMs = 3_600_000;

/** When voters are reminded of an envelope to fix: `half` of the time, so many hours before the deadline, its last morning. */
export type ReminderPoint = 'half' | 'last-morning' | `${number}h`;

/** The office opens about then, and the whole day is left. */
const lastMorning = '09:00';
/** A reminder so soon after the news, or after the reminder before it, is no help. */
const leastGapMs = 6 * hourMs;

/** An envelope to fix. Instants are milliseconds since the epoch. */
export interface FixTime {
  /** When the voter could first know of it. */
  readonly since: number;
  readonly deadline: number;
  readonly timeZone: string;
}

/** Each moment of a reminder that is left when those too close to the news or to a later one are dropped; in order of time. */
export function listMoments(
  { since, deadline, timeZone }: FixTime,
  points: readonly ReminderPoint[],
): { readonly point: ReminderPoint; readonly at: number }[] {
  const momentOf = (point: ReminderPoint): number => {
    if (point === 'half') return since + (deadline - since) / 2;
    if (point !== 'last-morning') return deadline - Number.parseFloat(point) * hourMs;
    return Temporal.Instant.fromEpochMilliseconds(deadline)
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(lastMorning) })
      .epochMilliseconds;
  };
  const moments = [...new Set(points)]
    .map((point) => ({ point, at: momentOf(point) }))
    .filter(({ at }) => at >= since + leastGapMs && at < deadline)
    .sort((a, b) => a.at - b.at);
  return moments.filter(({ at }, index) => {
    const next = moments[index + 1];
    return next === undefined || next.at - at >= leastGapMs;
  });
}

/** What causes a reminder, once for each problem and moment. Without a moment, what those of the problem begin with. */
export function causeOf(
  fix: { readonly ballotId: number; readonly problemId: number },
  point: ReminderPoint | '' = '',
): string {
  return `fix:${fix.ballotId}:${fix.problemId}:${point}`;
}

/** Whether a later moment has come while the reminder with this cause waited: the reminder of that moment goes instead. */
export function isPastItsMoment(
  cause: string,
  fix: FixTime,
  points: readonly ReminderPoint[],
  now: number,
): boolean {
  const moments = listMoments(fix, points);
  const own = moments.findIndex(({ point }) => cause.endsWith(`:${point}`));
  return own < moments.findLastIndex(({ at }) => at <= now);
}

/** A reminder of this problem that was made before. */
export interface MadeReminder {
  readonly point: string;
  readonly channel: Channel;
  readonly state: MessageState;
}

export interface ReminderFacts extends FixTime {
  readonly points: readonly ReminderPoint[];
  /** The office's newest file is too old to know whether the voter has fixed it. */
  readonly isFeedLate: boolean;
  readonly made: readonly MadeReminder[];
  /** On which the voter can be reached, the first to use first. */
  readonly channels: readonly Channel[];
}

export type ReminderDecision =
  | { readonly action: 'none' }
  /** Until the office's next file. */
  | { readonly action: 'wait' }
  | { readonly action: 'remind'; readonly point: ReminderPoint; readonly channel: Channel };

/** States of a message that has not reached its voter and never will. */
const failed: ReadonlySet<MessageState> = new Set([
  'failed-permanent',
  'failed-temporary-exhausted',
]);

/** The channels to use first: a text is read within minutes. */
export const channelOrder: readonly Channel[] = ['sms', 'email', 'voice'];

/**
 * Whether the reminder with this cause waited until another one of its problem was made, which goes alone. The moments do not say
 * so once the office has moved the deadline.
 *
 * @param made of the problem, in the order of their making
 */
export function isFollowed(cause: string, made: readonly MadeReminder[]): boolean {
  const last = made.findLast(({ state }) => !failed.has(state));
  return last !== undefined && !cause.endsWith(`:${last.point}`);
}

/**
 * Where to try next.
 *
 * @param made for one cause
 * @returns null when an earlier message has not failed, or every channel has
 */
export function chooseChannel(
  made: readonly Pick<MadeReminder, 'channel' | 'state'>[],
  offered: readonly Channel[],
): Channel | null {
  if (made.some(({ state }) => !failed.has(state))) return null;
  return offered.find((one) => !made.some(({ channel }) => channel === one)) ?? null;
}

/**
 * Which reminder is due for an envelope that is still to be fixed: of the moments that have passed the latest, once, on the first
 * channel that has not failed for it. Nothing at or after the deadline. A clock that was put back makes none again.
 */
export function decideReminder(facts: ReminderFacts, now: number): ReminderDecision {
  if (now >= facts.deadline) return { action: 'none' };
  const moments = listMoments(facts, facts.points);
  const due = moments.findLastIndex(({ at }) => at <= now);
  const moment = moments[due];
  if (!moment) return { action: 'none' };
  const later = new Set<string>(moments.slice(due + 1).map(({ point }) => point));
  const tried = facts.made.filter(({ point }) => point === moment.point);
  if (tried.some(({ state }) => !failed.has(state))) return { action: 'none' };
  if (facts.made.some(({ point }) => later.has(point))) return { action: 'none' };
  if (facts.isFeedLate) return { action: 'wait' };
  const hasFailed = (channel: Channel) =>
    facts.made.some((one) => one.channel === channel && failed.has(one.state));
  const untried = facts.channels.filter((one) => !tried.some(({ channel }) => channel === one));
  const channel = untried.find((one) => !hasFailed(one)) ?? untried[0];
  return channel ? { action: 'remind', point: moment.point, channel } : { action: 'none' };
}
