import type { Format } from '../formats/format.ts';
import type { HeaderMatch } from '../formats/header.ts';
import { columnsOf } from '../formats/source.ts';
import { tokenColumn } from '../kinds/voters/rows.ts';
import type { Cells } from '../read/row-reader.ts';

/** As much of a value as shows what is wrong with it. */
const longestValue = 40;

/**
 * Finds in a refused row the value that the reason is about: reasons begin with the name of their column.
 *
 * @returns null where the reason is about no column, or about a security token
 */
export function createValueFinder(
  format: Format,
  { places }: HeaderMatch,
): (reason: string, cells: Cells) => string | null {
  const token = format.fields[tokenColumn];
  const secret: readonly string[] = token === undefined ? [] : columnsOf(token);
  const columns = [...places]
    .filter(([column]) => !secret.includes(column))
    .sort(([one], [other]) => other.length - one.length);
  return (reason, cells) => {
    const place = columns.find(([column]) => reason.startsWith(`${column} `))?.[1];
    const value = place === undefined ? '' : (cells[place] ?? '').trim();
    if (value === '') return null;
    return value.length > longestValue ? `${value.slice(0, longestValue)}…` : value;
  };
}
