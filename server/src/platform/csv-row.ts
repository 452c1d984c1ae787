import { stringify } from 'csv-stringify/sync';

/**
 * A line of comma-separated values (RFC 4180), which a spreadsheet program opens without running any of it: a cell that
 * begins like a formula gets an apostrophe, because what people wrote into files comes through here (OWASP, CSV Injection).
 *
 * @param lineEnd `windows` for what people open, `unix` for what programs read on
 */
export function writeCsvRow(cells: readonly string[], lineEnd: 'windows' | 'unix'): string {
  return stringify([[...cells]], {
    record_delimiter: lineEnd,
    escape_formulas: true,
    quoted_match: /[\r\n]/,
  });
}
