import { formatCount } from '../gate-words.ts';
import type { EarlierFile } from '../kind.ts';
import { fullDays } from '../pace.ts';
import {
  type BallotFacts,
  countOf,
  type ElectionNews,
  type Finding,
  finalStatuses,
  refusals,
  type StatusChange,
  sum,
  usualLimits,
} from './election-news.ts';

/** Statuses that an envelope has only after it was mailed. */
export const afterMailing = [
  ...['returned', 'accepted', 'counted', 'rejected', 'not-counted', 'rejected-curable'],
  'undeliverable',
];
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

/** An election may start anywhere, except that most of it was never rejected. */
export function judgeFirstFile(
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

/** Files whose changes are judged together. */
export interface Span {
  /** How many days as busy as the limit it may have. */
  readonly times: number;
  readonly when: string;
  readonly length: string;
}
export const oneFile: Span = { times: 1, when: 'at once', length: 'one file' };
export const ofWeek: Span = {
  ...{ times: fullDays, length: 'a week' },
  when: 'within a week, with those of earlier files',
};
/** @param times as many as the days that its files are of */
export const ofDay = (times: number): Span => ({
  ...{ times, length: times === 1 ? 'one day' : `the files of ${times} days` },
  when: 'today, with those of earlier files',
});

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
    moved.filter(({ to }) => [...finalStatuses, ...refusals, 'rejected-curable'].includes(to)),
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
        timesUsual * secondMost(facts.earlier, { election: number, to: status }),
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
  }: { readonly number: string; readonly status: string; readonly listed: number },
  news: readonly StatusChange[],
  { earlier }: BallotFacts,
  span: Span,
): Finding[] {
  const rows = countOf(news.filter(({ from }) => from === null));
  const usual = timesUsual * secondMost(earlier, { election: number, from: null, to: status });
  const allowed = span.times * Math.max(10, Math.ceil(listed * 0.02), usual);
  if (rows <= allowed) return [];
  const when = span === oneFile ? '' : ` ${span.when}`;
  const detail = `Election ${number}: ${formatCount(rows)} ballots that no file has listed before appear as ${status}${when}. Up to ${formatCount(allowed)} would be usual. If your files list only such ballots, add "first_statuses" to the format.`;
  return [
    { code: 'first-status', detail, rows, where: { election: number, from: [null], to: [status] } },
  ];
}

/**
 * Robust against one unusually large file, which a second person may have approved. What is usual of a large election says nothing of a small
 * one.
 */
function secondMost(
  earlier: readonly EarlierFile[],
  { election, from, to }: { readonly election: string; readonly from?: null; readonly to: string },
): number {
  const counts = earlier.map(({ learned }) => {
    // A report of an earlier version does not say of which election they were.
    if (!learned?.changes) return learned?.news[from === null ? `new ${to}` : to] ?? 0;
    const ofThese = learned.changes.filter(
      (one) => one.election === election && one.to === to && (from !== null || one.from === null),
    );
    return sum(ofThese.map(({ count }) => count));
  });
  return counts.sort((a, b) => b - a)[1] ?? 0;
}
