import { formatDay } from '../../../../platform/clock.ts';
import { formatCount } from '../gate-words.ts';
import type { EarlierFile, LearnedChange } from '../kind.ts';
import { fullDays } from '../pace.ts';
import {
  type BallotFacts,
  countOf,
  describeCounts,
  type ElectionNews,
  endsOf,
  type Finding,
  type StatusChange,
  sum,
  usualLimits,
} from './election-news.ts';
import { judgeRevived } from './gate-acceptances.ts';
import { judgeDates, judgeTime } from './gate-dates.ts';

/** The voter is done; a later change of such a ballot is rare. */
export const finalStatuses = ['accepted', 'counted', 'in-person'] as const;
/** Statuses that an envelope has only after it was mailed. */
const afterMailing = [
  ...['returned', 'accepted', 'counted', 'rejected', 'not-counted', 'rejected-curable'],
  'undeliverable',
];
const isBehind: Readonly<Record<string, readonly string[]>> = {
  // Ballots are cancelled that never came back, and whose ballot is back does not vote in person.
  returned: ['requested', 'printed', 'sent', 'cancelled', 'in-person'],
  'rejected-curable': ['requested', 'printed', 'sent'],
  rejected: ['requested', 'printed', 'sent'],
  'not-counted': ['requested', 'printed', 'sent'],
  counted: ['accepted'],
  'application-approved': ['application-received', 'application-incomplete', 'application-refused'],
  sent: ['requested', 'printed'],
  printed: ['requested'],
};

/** Late envelopes are rejected in the days after an election, and ballots that never came back are cancelled. */
const timesAfterElection = 2;
/** Of the ballots decided in one file, so many may be rejected. */
const rejectedShare = 0.15;
const timesUsual = 2;
/** Of formats that may list ballots only once they are returned: how many of a county's voters may return theirs in a day. */
const returnedVoters = 0.05;
/** Where no ballot is listed before: what the office decides in one day came back on several. */
const listedVoters = 0.12;

/** Of lists of open cases: how many of a county's voters may get one in a day. */
const newCases = 0.005;

/** Judges the changes of one election. No finding: they are what an ordinary day brings. */
export function judgeElection(
  news: ElectionNews,
  facts: BallotFacts,
  span: Span = spans.file,
): Finding[] {
  const known = sum(Object.values(news.before));
  const moved = news.changes.filter(({ from, to }) => from !== to);
  return [
    ...judgeTakenBack(news, moved),
    ...judgeWentBack(news, moved, known),
    ...judgeRevived(news, moved),
    ...judgeOpenCases(news, moved, facts),
    ...(known === 0
      ? judgeFirstFile(news, moved, facts)
      : judgeVolume(news, moved, known, facts, span)),
    ...judgeDates(news),
    ...judgeTime(news, moved, facts),
  ];
}

/** A clerk or a court takes back a few acceptances; a wrong file takes back all of them. */
function judgeTakenBack(
  { number, before }: ElectionNews,
  moved: readonly StatusChange[],
): Finding[] {
  const from: readonly string[] = finalStatuses;
  const back = moved.filter((one) => isOneOf(from, one.from) && !from.includes(one.to));
  const final = sum(finalStatuses.map((status) => before[status] ?? 0));
  const allowed = Math.min(50, Math.max(3, Math.floor(final / 1000)));
  const rows = countOf(back);
  const concerned = from.filter((status) => back.some((one) => one.from === status));
  const most = sum(concerned.map((status) => before[status] ?? 0));
  if (rows <= allowed && !isMostOf(rows, most, 2)) return [];
  const to = [...new Set(back.map((one) => one.to))];
  const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(final)} ballots that are accepted or voted in person would become ${describeCounts(back)}. ${describeUsual(rows, allowed, most)}`;
  return [{ code: 'taken-back', detail, rows, where: { election: number, from, to } }];
}

/** Of a few ballots, most: no number is small then. */
function isMostOf(rows: number, all: number, atLeast = 3): boolean {
  return rows >= atLeast && rows * 2 > all;
}

/** Why so many are too many, also where a larger election may have as many. */
function describeUsual(rows: number, allowed: number, all: number): string {
  if (rows > allowed) return `Up to ${formatCount(allowed)} in one file is usual.`;
  return `That is ${rows === all ? 'all' : 'most'} of the ballots that have come that far.`;
}

function judgeWentBack(
  { number, before }: ElectionNews,
  moved: readonly StatusChange[],
  known: number,
): Finding[] {
  const back = moved.filter(({ from, to }) => from !== null && isBehind[from]?.includes(to));
  const allowed = Math.max(5, Math.ceil(known * 0.005));
  const rows = countOf(back);
  const ahead = sum(
    [...new Set(back.map(({ from }) => from))].map((from) => before[from ?? ''] ?? 0),
  );
  if (rows <= allowed && !isMostOf(rows, ahead)) return [];
  const where = { election: number, ...endsOf(back) };
  const ifTo = (end: string, words: string) => (back.some(({ to }) => to === end) ? words : '');
  const cancels = ifTo('cancelled', ' or be cancelled after their return');
  const votes = ifTo('in-person', ' or be voted in person after their return');
  const columns = ifTo('in-person', ', or did two columns change places');
  const detail = `Election ${number}: ${formatCount(rows)} ballots would go back to an earlier step${cancels}${votes}: ${describeCounts(back)}. ${describeUsual(rows, allowed, ahead)} Is this an old file${columns}?`;
  return [{ code: 'went-back', detail, rows, where }];
}

/** What becomes of an envelope that its voter has not fixed in time. */
export const unfixed = { from: 'rejected-curable', to: ['rejected', 'not-counted'] } as const;

/**
 * Voters can fix their envelopes at least until election day is over, and until the deadline where it is known: a clerk rejects one of them
 * before, and seldom most. Of a list of open cases, even the only one: nothing else in the file could show that its status is wrong.
 */
function judgeOpenCases(
  { number, date, before }: ElectionNews,
  moved: readonly StatusChange[],
  { today, isOfOpenCases, fixableUntil, gone }: BallotFacts,
): Finding[] {
  const { from, to } = unfixed;
  const closed = countOf(moved.filter((one) => one.from === from && one.to === 'accepted'));
  // Of a list, those that are on it: the others have left it, and may be fixed.
  const left = isOfOpenCases ? (gone.get(number) ?? 0) + closed : 0;
  // So is what it shows for the first time. From election day on, envelopes that come too late begin as refused.
  const begin = isOfOpenCases && today < date ? moved.filter((one) => one.from === null) : [];
  const open = (before[from] ?? 0) - left + countOf(begin);
  const refused = [...moved.filter((one) => one.from === from), ...begin].filter((one) =>
    isOneOf(to, one.to),
  );
  const rows = countOf(refused);
  const deadline = fixableUntil.get(number) ?? date;
  const isOver = today > date && today > deadline;
  // Several may begin as refused beside others. A status that is wrong in every row refuses them all.
  const isKnown = refused.some((one) => one.from === from);
  const areMost = isKnown ? isMostOf(rows, open, isOfOpenCases ? 1 : 2) : rows > 1 && rows === open;
  if (isOver || !areMost) return [];
  const [who, what] =
    rows === 1 ? ['this voter', 'the envelope'] : ['these voters', 'their envelopes'];
  const until =
    today > date ? `the deadline is ${formatDay(deadline, today)}` : 'election day is not over';
  const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(open)} open cases would be rejected, and ${until}: ${who} can still fix ${what}. Is the status right?`;
  const where = { election: number, ...endsOf(refused) };
  return [{ code: 'rejected-too-soon', detail, rows, where }];
}

/** An election may start anywhere, except that most of it was never rejected. */
function judgeFirstFile(
  { number }: ElectionNews,
  moved: readonly StatusChange[],
  { firstStatuses }: BallotFacts,
): Finding[] {
  // A list of problems has nothing else.
  const listsProblems = firstStatuses.length > 0 && !firstStatuses.includes('accepted');
  const total = countOf(moved);
  return Object.entries(usualLimits).flatMap(([status, { few, share }]) => {
    if (share > 0.1 || (listsProblems && firstStatuses.includes(status))) return [];
    const rows = countOf(moved.filter(({ to }) => to === status));
    if (rows <= Math.max(12, few, Math.ceil(total * 0.1))) return [];
    const detail = `Election ${number}: its first file lists ${formatCount(rows)} of ${formatCount(total)} ballots as ${status}. Up to 10% would be usual.`;
    return [{ code: 'many-at-first', detail, rows, where: { election: number, to: [status] } }];
  });
}

/** The files whose changes are judged together. */
export interface Span {
  /** How many days as busy as the limit it may have. */
  readonly times: number;
  readonly when: string;
  readonly length: string;
}
export const spans = {
  file: { times: 1, when: 'at once', length: 'one file' },
  day: { times: 1, when: 'today, with those of earlier files', length: 'one day' },
  week: { times: fullDays, when: 'within a week, with those of earlier files', length: 'a week' },
} as const satisfies Record<string, Span>;

/** @param moved of the files of the span */
export function judgeVolume(
  { number, date, before }: ElectionNews,
  moved: readonly StatusChange[],
  known: number,
  facts: BallotFacts,
  span: Span,
): Finding[] {
  const findings: Finding[] = [];
  const listed = known + countOf(moved.filter(({ from }) => from === null));
  const isOver = facts.today >= date;
  const unreturned = sum(['requested', 'printed', 'sent'].map((status) => before[status] ?? 0));
  const votersShare = unreturned > known * 0.1 ? returnedVoters : listedVoters;
  const decided = countOf(
    moved.filter(({ to }) =>
      [...finalStatuses, 'rejected', 'not-counted', 'rejected-curable'].includes(to),
    ),
  );
  for (const [status, { few, share }] of Object.entries(usualLimits)) {
    const news = moved.filter(({ to }) => to === status);
    const mayBeFirst = facts.firstStatuses.includes(status);
    const grows = share < 0.1 && isOver ? timesAfterElection : 1;
    const allowed =
      span.times *
      Math.max(
        few,
        Math.ceil(listed * share * grows),
        timesUsual * secondMost(facts.earlier, status),
        status.startsWith('rejected') ? Math.ceil(decided * rejectedShare) : 0,
        mayBeFirst && share > 0.1 ? Math.ceil(facts.voters * votersShare) : 0,
      );
    // Of a list of open cases, new ones are measured by the roll, and those that change by the list.
    const isNewCase = ({ from }: StatusChange) =>
      facts.isOfOpenCases && mayBeFirst && share < 0.1 && from === null;
    const cases = countOf(news.filter(isNewCase));
    const mostCases = Math.max(allowed, span.times * Math.ceil(facts.voters * newCases * grows));
    const areTooMany = cases > mostCases;
    const rows = countOf(news) - (areTooMany ? 0 : cases);
    if (rows > allowed)
      findings.push({
        code: 'volume',
        detail: `Election ${number}: ${formatCount(rows)} of ${formatCount(listed)} ballots would become ${status} ${span.when}. Up to ${formatCount(areTooMany ? mostCases : allowed)} in ${span.length} would be usual.`,
        rows,
        where: { election: number, to: [status] },
      });
    else if (!mayBeFirst && afterMailing.includes(status))
      findings.push(...judgeFirstStatus({ number, status, listed }, news, facts, span));
  }
  return findings;
}

/** Most ballots are listed before they come back, unless the format says otherwise. */
function judgeFirstStatus(
  {
    number,
    status,
    listed,
  }: { readonly [Name in 'number' | 'status']: string } & {
    readonly listed: number;
  },
  news: readonly StatusChange[],
  { earlier }: BallotFacts,
  { times }: Span,
): Finding[] {
  const rows = countOf(news.filter(({ from }) => from === null));
  const usual = timesUsual * secondMost(earlier, `new ${status}`);
  const allowed = times * Math.max(10, Math.ceil(listed * 0.02), usual);
  if (rows <= allowed) return [];
  const detail = `Election ${number}: ${formatCount(rows)} ballots that no file has listed before appear as ${status}. Up to ${formatCount(allowed)} would be usual. If your files list only such ballots, add "first_statuses" to the format.`;
  return [
    { code: 'first-status', detail, rows, where: { election: number, from: [null], to: [status] } },
  ];
}

const steps = [
  ...['application-received', 'application-incomplete', 'application-approved', 'requested'],
  ...['printed', 'sent', 'returned'],
];

/** How far a ballot has come: a verdict follows the envelope's return, and nothing follows the end. */
function stepOf(status: string): number {
  if (isOneOf(finalStatuses, status)) return steps.length + 1;
  const step = steps.indexOf(status);
  return step < 0 ? steps.length : step;
}

/** Whether most ballots that would move would go back, as an older file has them. */
export function goesMostlyBack(elections: readonly ElectionNews[]): boolean {
  const moved = elections.flatMap(({ changes }) =>
    changes.filter(({ from, to }) => from !== null && from !== to),
  );
  const back = moved.filter(({ from, to }) => stepOf(to) < stepOf(from ?? ''));
  return countOf(back) * 2 > countOf(moved);
}

/** Ballots whose status becomes another. */
export function countMoved(elections: readonly ElectionNews[]): number {
  return sum(
    elections.map(({ changes }) => countOf(changes.filter(({ from, to }) => from !== to))),
  );
}

/** Ballots that no file listed before, or only a corrected one. */
export function countFirst(elections: readonly ElectionNews[]): number {
  return sum(elections.map(({ changes }) => countOf(changes.filter(({ from }) => from === null))));
}

/** Ballots that are back or decided when they are first listed. */
export function countBack(elections: readonly ElectionNews[]): number {
  const back: readonly string[] = [...afterMailing, 'in-person'];
  const isBack = ({ from, to }: StatusChange) =>
    from === null && to !== 'undeliverable' && back.includes(to);
  return sum(elections.map(({ changes }) => countOf(changes.filter(isBack))));
}

/** Robust against one unusually large file, which a second person may have approved. */
function secondMost(earlier: readonly EarlierFile[], status: string): number {
  const counts = earlier.map(({ learned }) => learned?.news[status] ?? 0);
  return counts.sort((a, b) => b - a)[1] ?? 0;
}

/** What later files are compared with: of elections that had ballots before. */
export function countNews(elections: readonly ElectionNews[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { before, changes } of elections) {
    if (Object.keys(before).length === 0) continue;
    for (const { from, to, count } of changes) {
      if (from === to) continue;
      counts[to] = (counts[to] ?? 0) + count;
      if (from === null) counts[`new ${to}`] = (counts[`new ${to}`] ?? 0) + count;
    }
  }
  return counts;
}

/** What the later files of the day and the week are counted with: of elections that had ballots before. */
export function listChanges(elections: readonly ElectionNews[]): LearnedChange[] {
  return elections
    .filter(({ before }) => Object.keys(before).length > 0)
    .flatMap(({ number: election, changes }) =>
      changes.flatMap(({ from, to, count }) =>
        from === to ? [] : [{ election, from, to, count }],
      ),
    );
}

function isOneOf(statuses: readonly string[], status: string | null): boolean {
  return status !== null && statuses.includes(status);
}
