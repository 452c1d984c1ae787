import { stringify } from 'csv-stringify/sync';

/**
 * A table as RFC 4180 has it. A text that a spreadsheet would take for a formula begins with an apostrophe: names of
 * elections come from files that others write.
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
