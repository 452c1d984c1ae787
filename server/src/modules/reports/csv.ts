import { stringify } from 'csv-stringify/sync';

/**
 * A table as in RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe in front, because names of
 * elections come from outside.
 */
export function writeCsv<Row extends object>(
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  return stringify(rows as Row[], {
    header: true,
    columns: [...columns],
    record_delimiter: 'windows',
    escape_formulas: true,
  });
}

/** Comes first in a file that people open: without it Excel reads `José` and `→` in the letters of its own country. */
export const utf8Mark = '\uFEFF';
