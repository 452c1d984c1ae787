import type { EarlierFile } from '../kinds/kind.ts';

/** Without files of other elections alone: an office's system may write one file for each. @param numbers of the elections of a file; none for a roll */
export function ofSameElections(
  earlier: readonly EarlierFile[],
  numbers: readonly string[],
): EarlierFile[] {
  return earlier.filter(({ learned }) => mayBeOfSame(learned?.elections ?? [], numbers));
}

/** Whether two files are of one election, as far as they say so. */
export function mayBeOfSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length === 0 || others.length === 0) return true;
  return some.some((number) => others.includes(number));
}
