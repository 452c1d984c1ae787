import type { Format } from '../formats/format.ts';

/** Whether a record before the column names is a line that an exporter or a spreadsheet puts above them. */
export function isPreamble({ preamble }: Format, cells: readonly string[]): boolean {
  if (preamble.length === 0) return false;
  const text = preambleText(cells);
  return text === '' || preamble.some((start) => text.startsWith(start));
}

/** The line's words; a date and its label may be in two cells. */
export function preambleText(cells: readonly string[]): string {
  return cells.join(' ').replace(/\s+/g, ' ').trim();
}
