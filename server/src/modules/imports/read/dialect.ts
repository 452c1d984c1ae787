import type { Format } from '../formats/format.ts';
import { matchHeader } from '../formats/header.ts';
import { isPreamble, readSeparator } from './preamble.ts';
import { type Dialect, RecordReader } from './records.ts';

/** What offices and their spreadsheet programs put between columns. */
const delimiters: readonly string[] = [',', ';', '\t', '|'];

/**
 * The dialects in which a file of a format can be written: the format's own first, then what a spreadsheet program makes of it.
 * @param named by the file itself
 */
function listDialects(
  { delimiter, quote, encoding, widths }: Format,
  named: string | undefined,
): Dialect[] {
  const fixed = { delimiter: ',', quote: null, encoding, widths };
  const own: readonly string[] = [delimiter].flat();
  const known = named === undefined ? delimiters : [...new Set([named, ...delimiters])];
  const others = known.filter((one) => !own.includes(one));
  return [
    // A spreadsheet program may have divided the fields since.
    ...(widths ? [fixed] : []),
    ...own.map((one): Dialect => ({ delimiter: one, quote, encoding })),
    ...others.map((one): Dialect => ({ delimiter: one, quote: '"', encoding })),
  ];
}

/** How a file of a format divides its records, by its first record. @param start the file's first text, as UTF-8 */
export function chooseDialect(format: Format, start: Buffer): Dialect {
  const named = readSeparator(start.toString('utf8', 0, 32))?.delimiter;
  const tried = listDialects(format, named).map((dialect) => ({
    dialect,
    first: readFirst(format, start, dialect),
  }));
  const fitting = tried.find(({ first }) => isFirstRecord(format, first));
  if (fitting) return fitting.dialect;
  // Of a file that is none of this format, the dialect that divides the first line most shows best what it is.
  const best = tried.reduce((most, one) => (one.first.length > most.first.length ? one : most));
  return best.dialect;
}

/** Whether a file can begin with this record: with the format's header, or with a row of a format without one. */
export function isFirstRecord(format: Format, first: readonly string[]): boolean {
  if (!format.header) return isRecognized(format, first);
  const { missing, repeated } = matchHeader(format, first);
  return format.required.length > 0 && missing.length === 0 && repeated.length === 0;
}

function isRecognized({ recognized_by, columns = [] }: Format, first: readonly string[]): boolean {
  if (!recognized_by || first.length !== columns.length) return false;
  return Object.entries(recognized_by).every(
    ([column, value]) => first[columns.indexOf(column)]?.trim() === value,
  );
}

/** The first record of a file's start after the format's preamble; empty when there is none. */
export function readFirst(format: Format, start: Buffer, dialect: Dialect): readonly string[] {
  const records: string[][] = [];
  const reader = new RecordReader(dialect, {
    onRecord: (cells) => {
      if (records.length === 0 && !isPreamble(format, cells)) records.push([...cells]);
    },
    onBroken: () => {},
    wants: () => records.length === 0,
  });
  reader.push(start);
  if (records.length === 0) reader.end();
  return records[0] ?? [];
}
