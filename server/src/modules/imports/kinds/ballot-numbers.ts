import type { ReadCell, RowReader } from '../read/row-reader.ts';

/**
 * Reads which of a voter's ballots a row is of, '' where the office does not number them.
 *
 * A number that is made of several columns has words, such as a way of voting. They count in capital letters: when another version
 * of the office's software writes them otherwise, no voter may have a second ballot.
 */
export function createNumberReader(reader: RowReader): ReadCell {
  const read = reader.field('ballot_number');
  const source = reader.format.fields.ballot_number;
  const isJoined = typeof source === 'object' && 'join' in source;
  return isJoined ? (cells) => read(cells).toUpperCase() : read;
}
