import * as fc from 'fast-check';
import { type Layout, renderTable, type Table, type TextStyle } from './layout.ts';

/** How another version of an office's software, or a spreadsheet, writes the same file. */
export const style = fc.record({
  letters: fc.constantFrom('as they are', 'upper', 'lower'),
  days: fc.constantFrom('as they are', 'ISO 8601', 'without zeros'),
  /** At the end of each value. */
  hasBlanks: fc.boolean(),
  /** The others follow it, and then those before it. */
  firstColumn: fc.nat(40),
  text: fc.constantFrom<Partial<TextStyle>>(
    {},
    { quotes: 'all' },
    { delimiter: ';', quotes: 'all' },
    { delimiter: '\t', quotes: 'all' },
    { encoding: 'utf8-bom' },
  ),
});
export type Style = typeof style extends fc.Arbitrary<infer Value> ? Value : never;

/** Without a line of names, values and their places are all by which a format is known, so its files are always written alike. */
export const canBeOtherwise = ({ text }: Layout): boolean => text.hasHeader;

/** The same words, written in this style. */
export function renderOtherwise(layout: Layout, table: Table, style: Style): Buffer {
  if (!canBeOtherwise(layout)) return renderTable(layout, table);
  const { letters, days, hasBlanks, firstColumn, text } = style;
  const id = layout.columns.indexOf(layout.places.id);
  const inLetters = (cell: string) => {
    if (letters === 'upper') return cell.toUpperCase();
    return letters === 'lower' ? cell.toLowerCase() : cell;
  };
  const asDay = (cell: string) => {
    const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell) ?? [];
    if (year === undefined || days === 'as they are') return cell;
    return days === 'ISO 8601'
      ? `${year}-${month}-${day}`
      : `${Number(month)}/${Number(day)}/${year}`;
  };
  const write = (cell: string, place: number) =>
    place === id || cell === '' ? cell : inLetters(asDay(cell)) + (hasBlanks ? '  ' : '');
  const first = firstColumn % table.columns.length;
  const turn = (cells: readonly string[]) => [...cells.slice(first), ...cells.slice(0, first)];
  const usual = layout.text;
  const only = {
    // A format without quotes has none in any version.
    ...(usual.quotes === 'none' && { quotes: usual.quotes }),
    // Another encoding would bring letters that the office's own lost.
    ...(usual.encoding !== 'utf8' && { encoding: usual.encoding }),
  };
  return renderTable(
    { ...layout, text: { ...usual, ...text, ...only } },
    {
      ...table,
      columns: turn(table.columns),
      rows: table.rows.map((row) => turn(row.map(write))),
    },
  );
}
