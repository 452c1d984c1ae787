import { formatCount } from '../gate-words.ts';
import {
  countOf,
  describeCounts,
  type ElectionNews,
  endsOf,
  type Finding,
  type StatusChange,
  sum,
} from './election-news.ts';

/** An envelope that was replaced, cancelled or brought back. Its voter may vote by another, and hardly ever by this one. */
const ended: readonly string[] = ['reprinted', 'cancelled', 'undeliverable'];
const acceptances: readonly string[] = ['accepted', 'counted'];

/** A status that was filled down a column makes envelopes accepted that never came back. */
export function judgeRevived(
  { number, before }: ElectionNews,
  moved: readonly StatusChange[],
): Finding[] {
  const revived = moved.filter(
    ({ from, to }) => from !== null && ended.includes(from) && acceptances.includes(to),
  );
  const rows = countOf(revived);
  const known = sum(Object.values(before));
  const all = sum(ended.map((status) => before[status] ?? 0));
  const isMost = rows >= 3 && rows * 2 > all;
  if (rows <= Math.max(5, Math.ceil(known * 0.005)) && !isMost) return [];
  const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(all)} ballots that were replaced, cancelled or undeliverable would become ${describeCounts(revived)}. Is the status right, or was one filled in for every row?`;
  return [{ code: 'revived', detail, rows, where: { election: number, ...endsOf(revived) } }];
}

/** How a file dates the return of the ballots that it has as accepted. */
export interface AcceptanceDays {
  /** Of the election. */
  readonly number: string;
  /** Ballots that the file would make accepted, and how many of them have no day of return. */
  readonly newly: number;
  readonly undated: number;
  /** Of all accepted ballots in the file, those with such a day and those without. */
  readonly allDated: number;
  readonly allUndated: number;
}

/** Whether many more acceptances lack a day of return than is usual in this office's file. */
export function lackDays({ newly, undated, allDated, allUndated }: AcceptanceDays): boolean {
  const usual = (allUndated - undated) / Math.max(1, allDated + allUndated - undated);
  return undated >= 3 && allDated >= 3 && undated > 2 + newly * (0.01 + 3 * usual);
}

export function explainUndated({ number, undated, newly, allDated }: AcceptanceDays): string {
  return `Election ${number}: ${formatCount(undated)} of ${formatCount(newly)} ballots that would become accepted have no day of return; ${formatCount(allDated)} accepted ballots in this file have one. Is the status right, or was it filled in for too many rows?`;
}
