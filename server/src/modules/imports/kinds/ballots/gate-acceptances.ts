import { formatCount } from '../gate-words.ts';
import {
  type BallotFacts,
  countOf,
  describeCounts,
  type ElectionNews,
  endsOf,
  type Finding,
  isOneOf,
  refusals,
  type StatusChange,
  sum,
} from './election-news.ts';

const acceptances: readonly string[] = ['accepted', 'counted'];

/** What hardly ever goes well after it has ended: its voter votes by another envelope, or applies once more. */
const endings: readonly {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly what: string;
}[] = [
  {
    from: ['reprinted', 'cancelled', 'undeliverable'],
    to: acceptances,
    what: 'ballots that were replaced, cancelled or undeliverable',
  },
  {
    from: refusals,
    to: [...acceptances, 'rejected-curable'],
    what: 'rejected ballots',
  },
  {
    from: ['application-refused'],
    to: ['application-approved'],
    what: 'refused applications',
  },
];

/** A status that was filled down a column makes envelopes accepted that never came back, or were rejected. */
export function judgeRevived(
  { number, before }: ElectionNews,
  moved: readonly StatusChange[],
  { opensRefused }: BallotFacts,
): Finding[] {
  const known = sum(Object.values(before));
  return endings.flatMap(({ from: ended, to, what }) => {
    const revived = moved.filter(
      (one) =>
        isOneOf(ended, one.from) &&
        to.includes(one.to) &&
        !(opensRefused && one.to === 'rejected-curable'),
    );
    const rows = countOf(revived);
    const all = sum(ended.map((status) => before[status] ?? 0));
    const isMost = rows >= 3 && rows * 2 > all;
    if (rows <= Math.max(5, Math.ceil(known * 0.005)) && !isMost) return [];
    const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(all)} ${what} would become ${describeCounts(revived)}. Is the status right, or was one filled in for every row?`;
    return [{ code: 'revived', detail, rows, where: { election: number, ...endsOf(revived) } }];
  });
}

/** How a file dates the return of the ballots that it has as accepted, as returned or as rejected. */
export interface ReturnDays {
  /** Of the election. */
  readonly number: string;
  readonly status: 'accepted' | 'returned' | 'rejected';
  /** Ballots to which the file would give the status, and how many of them have no day of return. */
  readonly newly: number;
  readonly undated: number;
  /** Of all ballots in the file that have such a status, those with such a day and those without. */
  readonly allDated: number;
  readonly allUndated: number;
  /** Ballots in the file that are back, whatever became of them, and have such a day. */
  readonly backDated: number;
}

/** Whether many more of them lack a day of return than is usual in this office's file. */
export function lackDays({ newly, undated, allDated, allUndated, backDated }: ReturnDays): boolean {
  const usual = (allUndated - undated) / Math.max(1, allDated + allUndated - undated);
  return undated >= 3 && backDated >= 3 && undated > 2 + newly * (0.01 + 3 * usual);
}

export function explainUndated(one: ReturnDays): string {
  const { number, status, undated, newly, backDated } = one;
  const others = status === 'accepted' ? 'accepted ballots' : 'ballots that are back';
  const become = status === 'rejected' ? 'be rejected' : `become ${status}`;
  return `Election ${number}: ${formatCount(undated)} of ${formatCount(newly)} ballots that would ${become} have no day of return; ${formatCount(backDated)} ${others} in this file have one. Is the status right, or was it filled in for too many rows?`;
}
