import type { Format } from '../formats/format.ts';

/** The line before the column names by which Excel knows what divides the columns, and the one character in it. */
const separatorLine = /^\s*"?sep=(.?)"?\s*$/i;

/** Whether a record before the column names is a line that an exporter or a spreadsheet puts above them. */
export function isPreamble({ preamble }: Format, cells: readonly string[]): boolean {
  const text = preambleText(cells);
  if (separatorLine.test(text)) return true;
  if (preamble.length === 0) return false;
  return text === '' || preamble.some((start) => text.startsWith(start));
}

/** The line's words; a date and its label may be in two cells. */
export function preambleText(cells: readonly string[]): string {
  return cells.join(' ').replace(/\s+/g, ' ').trim();
}

/** Where a text begins by saying what divides its columns: that character, and where the next line begins. */
export function readSeparator(
  text: string,
): { readonly delimiter: string; readonly end: number } | null {
  const end = text.indexOf('\n') + 1;
  if (end === 0 || end > 20) return null;
  const line = text
    .slice(0, end)
    .replace(/[\r\n]+$/, '')
    .replace(/^\uFEFF/, '');
  const delimiter = /^"?sep=(.)"?$/i.exec(line)?.[1];
  return delimiter === undefined ? null : { delimiter, end };
}
