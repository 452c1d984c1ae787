import type { Channel, MessageState } from '@ballot-beacon/contract/messages';
import type { FixColumn } from '@ballot-beacon/contract/office/fixes';
import type { FollowedFix } from '../ballots/index.ts';
import type { FixFacts } from './store.ts';

/** States of a message that its voter has, or very likely has. */
const arrived: ReadonlySet<MessageState> = new Set(['sent', 'delivered', 'outcome-unknown']);
/** States in which a message may still leave. */
const waiting: ReadonlySet<MessageState> = new Set(['created', 'sending', 'held']);

/** How a voter got the news of a problem, and when first. */
export interface Notice {
  readonly how: Channel | 'letter';
  readonly at: Date;
}

/** A problem with an envelope, with all that the office's people see of it. */
export interface QueuedFix extends FollowedFix, Omit<FixFacts, 'messages' | 'opens' | 'printedAt'> {
  readonly notices: readonly Notice[];
  /** When the link of a message was first opened; null when nobody did. */
  readonly openedAt: Date | null;
  readonly hasMessageWaiting: boolean;
}

/** What is on record about a problem. What was sent about an earlier problem of the same ballot does not count. */
export function describeFix(fix: FollowedFix, facts: FixFacts): QueuedFix {
  const { messages, opens, printedAt, ...voter } = facts;
  const own = messages.filter(({ eventId }) => eventId >= fix.problemId);
  const opened = opens.filter(({ eventId }) => eventId >= fix.problemId);
  const letter = printedAt.get(fix.problemId);
  const firstBy = new Map<Notice['how'], Date>();
  for (const { channel, state, at } of own)
    if (arrived.has(state) && at && at < (firstBy.get(channel) ?? new Date(8.64e15)))
      firstBy.set(channel, at);
  if (letter) firstBy.set('letter', letter);
  return {
    ...fix,
    ...voter,
    notices: [...firstBy].map(([how, at]) => ({ how, at })).sort((a, b) => +a.at - +b.at),
    openedAt: opened.map(({ at }) => at).sort((a, b) => +a - +b)[0] ?? null,
    hasMessageWaiting: own.some(({ state }) => waiting.has(state)),
  };
}

/** Least time left first; deadlines that nobody knows last. */
export function byTimeLeft(a: FollowedFix, b: FollowedFix): number {
  const end = ({ deadline }: FollowedFix) =>
    deadline === null ? Number.MAX_SAFE_INTEGER : Date.parse(deadline);
  return end(a) - end(b) || a.ballotId - b.ballotId;
}

/** What a column of the queue is sorted by; null for what is not known, which comes last either way. */
const sortKeys: Readonly<Record<FixColumn, (fix: QueuedFix) => number | string | null>> = {
  deadline: ({ deadline }) => (deadline === null ? null : Date.parse(deadline)),
  voter: ({ registrationId }) => registrationId,
  election: ({ electionNumber }) => electionNumber,
  defect: ({ defect }) => defect,
  opened: ({ openedAt }) => openedAt?.getTime() ?? null,
};

/** By a column; what is alike in it by the time that is left. */
export function sortFixes(
  fixes: readonly QueuedFix[],
  column: FixColumn,
  direction: 'ascending' | 'descending',
): QueuedFix[] {
  const keyOf = sortKeys[column];
  const sign = direction === 'descending' ? -1 : 1;
  return fixes.toSorted((a, b) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    if (one === null || other === null)
      return Number(one === null) - Number(other === null) || byTimeLeft(a, b);
    return sign * compare(one, other) || byTimeLeft(a, b);
  });
}

function compare(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en-US', { numeric: true });
}

/** Whether a letter is the only way to reach an active voter: no message arrived, waits, or can be sent. */
export function needsLetter(fix: QueuedFix): boolean {
  const hasMessage = fix.notices.some(({ how }) => how !== 'letter');
  const isReached = hasMessage || fix.hasMessageWaiting || fix.isReachable;
  return fix.state === 'open' && fix.isActive && !isReached;
}

/** Whom a letter should go to. No confidential voter is in a file. */
export interface LettersNeeded {
  /** Voters whose letter can be printed. */
  readonly letters: readonly QueuedFix[];
  /** Voter IDs of those whose roll has no address. */
  readonly withoutAddress: readonly string[];
  /** How many confidential voters need one. */
  readonly confidential: number;
}

/** @param isAgain also those whose letter was printed before */
export function chooseLetters(fixes: readonly QueuedFix[], isAgain: boolean): LettersNeeded {
  const unreached = fixes.filter(needsLetter);
  const open = unreached.filter(({ isConfidential }) => !isConfidential);
  const chosen = open.filter((fix) => isAgain || !hasLetter(fix));
  return {
    letters: chosen.filter(({ address }) => address.length > 0),
    withoutAddress: chosen
      .filter(({ address }) => address.length === 0)
      .map(({ registrationId }) => registrationId),
    confidential: unreached.length - open.length,
  };
}

const hourMs = 3_600_000;

/** The open ones by the hours that are left. */
export function countTimeLeft(fixes: readonly QueuedFix[], now: Date) {
  const open = fixes.filter(({ state }) => state === 'open');
  const hours = open.flatMap(({ deadline }) =>
    deadline === null ? [] : [(Date.parse(deadline) - now.getTime()) / hourMs],
  );
  return {
    within_day: hours.filter((left) => left <= 24).length,
    within_three_days: hours.filter((left) => left > 24 && left <= 72).length,
    later: hours.filter((left) => left > 72).length,
    unknown: open.length - hours.length,
    need_letter: open.filter((fix) => needsLetter(fix) && !hasLetter(fix)).length,
  };
}

export function hasLetter({ notices }: QueuedFix): boolean {
  return notices.some(({ how }) => how === 'letter');
}

export const fixMeasures = ['found', 'notified', 'opened', 'fixed', 'expired'] as const;
export type FixMeasure = (typeof fixMeasures)[number];

/** Counts of one day, without personal data. */
export interface FixDay extends Readonly<Record<FixMeasure, number>> {
  /** `YYYY-MM-DD` in the account's calendar */
  readonly day: string;
  readonly election: string;
  readonly defect: string;
  readonly language: string;
  readonly precinct: string;
}

/** Days are `YYYY-MM-DD`, both ends counted; null: no limit. */
export interface FixPeriod {
  /** The day of an instant in the account's calendar. */
  dayOf(at: Date): string;
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * How many envelopes were found to need their voters on each day, how many of their voters were first notified, opened a link, fixed
 * the envelope or missed the deadline. Confidential voters are not counted: a precinct's one such voter would show.
 */
export function countFixDays(
  fixes: readonly QueuedFix[],
  { dayOf, from, to }: FixPeriod,
): FixDay[] {
  const days = new Map<string, FixDay & Record<FixMeasure, number>>();
  for (const fix of fixes) {
    if (fix.isConfidential) continue;
    const { electionNumber: election, defect, language, precinct } = fix;
    const happened: readonly [FixMeasure, string | null][] = [
      ['found', dayOf(fix.since)],
      ['notified', dayIn(dayOf, fix.notices[0]?.at)],
      ['opened', dayIn(dayOf, fix.openedAt)],
      ['fixed', fix.state === 'fixed' ? fix.endedOn : null],
      ['expired', fix.state === 'expired' ? expiredOn(fix, dayOf) : null],
    ];
    for (const [measure, day] of happened) {
      if (day === null || (from !== null && day < from) || (to !== null && day > to)) continue;
      const key = JSON.stringify([day, election, defect, language, precinct]);
      const counted = days.get(key) ?? {
        ...{ day, election, defect, language, precinct },
        ...{ found: 0, notified: 0, opened: 0, fixed: 0, expired: 0 },
      };
      counted[measure] += 1;
      days.set(key, counted);
    }
  }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, counted]) => counted);
}

function dayIn(dayOf: FixPeriod['dayOf'], at: Date | null | undefined): string | null {
  return at ? dayOf(at) : null;
}

/** The office's own record of it, or else the deadline's day. */
function expiredOn({ endedOn, deadline }: FollowedFix, dayOf: FixPeriod['dayOf']): string | null {
  return endedOn ?? (deadline === null ? null : dayOf(new Date(deadline)));
}

/** A day's counts added up by one of their columns, in its order. */
export function groupFixDays(
  days: readonly FixDay[],
  by: 'day' | 'defect' | 'language' | 'precinct',
): (Readonly<Record<FixMeasure, number>> & { readonly group: string })[] {
  const groups = Map.groupBy(days, (day) => day[by]);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([group, ofGroup]) => {
      const sum = (measure: FixMeasure) => ofGroup.reduce((total, day) => total + day[measure], 0);
      return {
        group,
        ...{ found: sum('found'), notified: sum('notified'), opened: sum('opened') },
        ...{ fixed: sum('fixed'), expired: sum('expired') },
      };
    });
}
