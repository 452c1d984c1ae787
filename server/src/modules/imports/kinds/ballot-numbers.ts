import type { Format } from '../formats/format.ts';
import { rewriteDay } from '../read/dates.ts';
import { datesOf, type ReadCell, type RowReader } from '../read/row-reader.ts';

/** Whether a ballot's number is made of several columns, such as a way of voting and a day. */
export function hasJoinedNumbers({ fields }: Format): boolean {
  const source = fields.ballot_number;
  if (typeof source !== 'object') return false;
  const sources = 'first' in source ? source.first : [source];
  return sources.some((one) => typeof one === 'object' && 'join' in one);
}

/**
 * Reads which of a voter's ballots a row is of, '' where the office does not number them.
 *
 * A number that is made of several columns has words, such as a way of voting. They count in capital letters: when another version
 * of the office's software writes them otherwise, no voter may have a second ballot.
 */
export function createNumberReader(reader: RowReader): ReadCell {
  const read = reader.field('ballot_number');
  return hasJoinedNumbers(reader.format) ? (cells) => read(cells).toUpperCase() : read;
}

/** What {@link createNumberReader} reads where an earlier version of the product stored this number, in the office's own letters. */
export function rewriteNumber(format: Format, number: string): string {
  const inCapitals = number.toUpperCase();
  if (format.filled_later.length === 0) return inCapitals;
  const dates = datesOf(format);
  // The day is at the end. It may have spaces within it, before a time.
  for (const { index } of inCapitals.matchAll(/\b\d/g)) {
    const day = inCapitals.slice(index);
    const rewritten = rewriteDay(day, dates);
    if (rewritten !== day) return inCapitals.slice(0, index) + rewritten;
  }
  return inCapitals;
}
