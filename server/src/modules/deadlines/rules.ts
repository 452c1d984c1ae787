import { Temporal } from 'temporal-polyfill';
import type { BusinessCalendar } from './calendar.ts';
import type { Anchor, Count, CureRule, Defect, ElectionKind } from './rule.ts';

/** `YYYY-MM-DD` of each anchor that is known. */
export type AnchorDays = { readonly election: string } & {
  readonly [anchor in Anchor]?: string | undefined;
};

/** By when an envelope must be fixed, and why nobody can say where that is so. */
export type Deadline =
  /** `at`: ISO 8601 with the offset of the rule's zone. */
  | { readonly known: true; readonly at: string }
  /** The office has to give these days first. */
  | { readonly known: false; readonly missing: readonly Anchor[] };

/** Ballots go out, and results are final, within this many days of election day. */
const mostDaysFromElection = 120;

/** Whether a day can belong to an election: a day far from it is a typing mistake. Both `YYYY-MM-DD`. */
export function isNearElection(day: string, election: string): boolean {
  return isBetween(day, election, { before: mostDaysFromElection, after: mostDaysFromElection });
}

/** A law may ask for ballots some days before election day, or take them weeks after it. */
const returnDays = { before: 14, after: 21 } as const;

/** The time to fix an envelope ends days before election day at the earliest, and with the certification at the latest. */
const fixDays = { before: 14, after: 45 } as const;

/** Whether ballots of an election can be due on a day: postmarks count until election day. Both `YYYY-MM-DD`. */
export function isLikelyReturnDay(
  { rule, date }: { readonly rule: 'received' | 'postmarked'; readonly date: string },
  election: string,
): boolean {
  const { before, after } = returnDays;
  return isBetween(date, election, { before, after: rule === 'postmarked' ? 0 : after });
}

/** Whether the time to fix an envelope can end on a day: with a slip, every voter would read that it is over. Both `YYYY-MM-DD`. */
export function isLikelyFixDay(day: string, election: string): boolean {
  return isBetween(day, election, fixDays);
}

/** @param range in days before and after election day */
function isBetween(
  day: string,
  election: string,
  { before, after }: { readonly before: number; readonly after: number },
): boolean {
  const { days } = Temporal.PlainDate.from(election).until(day, { largestUnit: 'days' });
  return days >= -before && days <= after;
}

/** The first given day that cannot be right, because a deadline counted from it would be wrong by weeks. */
export function findUnlikelyDay(days: AnchorDays): Exclude<Anchor, 'election'> | null {
  const { election, ...others } = days;
  const isUnlikely = (anchor: keyof typeof others) => {
    const day = others[anchor];
    if (day === undefined) return false;
    const isTooEarly = (anchor === 'certification' || anchor === 'canvass') && day < election;
    return isTooEarly || !isNearElection(day, election);
  };
  const anchors = ['notice', 'receipt', 'discovery', 'canvass', 'certification'] as const;
  return anchors.find(isUnlikely) ?? null;
}

/** The first rule that covers the case; null: voters read "Ask your election office today". */
export function findRule(
  rules: readonly CureRule[],
  about: { readonly defect: Defect; readonly kind: ElectionKind; readonly election: string },
): CureRule | null {
  const covers = (rule: CureRule) =>
    rule.defects.includes(about.defect) &&
    rule.electionKinds.includes(about.kind) &&
    (rule.electionsFrom === undefined || rule.electionsFrom <= about.election) &&
    (rule.electionsUntil === undefined || about.election <= rule.electionsUntil);
  return rules.find(covers) ?? null;
}

/**
 * The last moment to fix an envelope. A deadline that needs a day nobody has given yet is not guessed from the
 * others, even where those alone would allow one: the day may move it either way.
 */
export function computeDeadline(
  rule: CureRule,
  days: AnchorDays,
  calendar: BusinessCalendar,
): Deadline {
  if (rule.deadline === null) return { known: false, missing: [] };
  const isLatest = 'latestOf' in rule.deadline;
  const counts = 'latestOf' in rule.deadline ? rule.deadline.latestOf : rule.deadline.earliestOf;
  const missing = [...new Set(counts.map(({ anchor }) => anchor))].filter(
    (anchor) => days[anchor] === undefined,
  );
  if (missing.length > 0) return { known: false, missing };

  const candidates = counts
    .map((count) => countFrom(days[count.anchor] as string, count, calendar))
    .sort();
  const chosen = candidates.at(isLatest ? -1 : 0) as string;
  const day = rule.roll === 'next-business' ? rollToBusinessDay(chosen, calendar) : chosen;
  return { known: true, at: toInstant(day, rule.time, rule.zone) };
}

/** @returns the day, `YYYY-MM-DD`, that lies `n` calendar or business days after (negative: before) `from` */
export function countFrom(
  from: string,
  { n, unit }: Pick<Count, 'n' | 'unit'>,
  calendar: BusinessCalendar,
): string {
  let day = Temporal.PlainDate.from(from);
  if (unit === 'calendar') return day.add({ days: n }).toString();
  const step = Math.sign(n);
  for (let left = Math.abs(n); left > 0; ) {
    day = day.add({ days: step });
    if (calendar.isBusinessDay(day.toString())) left -= 1;
  }
  return day.toString();
}

function rollToBusinessDay(from: string, calendar: BusinessCalendar): string {
  let day = Temporal.PlainDate.from(from);
  while (!calendar.isBusinessDay(day.toString())) day = day.add({ days: 1 });
  return day.toString();
}

function toInstant(day: string, time: string, zone: string): string {
  return Temporal.PlainDate.from(day)
    .toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) })
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
