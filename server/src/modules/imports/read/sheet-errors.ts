import type { CellValue } from 'read-excel-file/node';
import { decodeEntities } from './entities.ts';

/** Cells of a sheet, by row and column from 0. */
export type SheetRows = (CellValue | null)[][];

/** What stands in a cell whose formula failed, whatever its error is called. */
const failed = '#N/A';

/** Writes an error into each of these cells: the reader of workbooks leaves it empty, as if the office said nothing. */
export function markErrors(
  rows: SheetRows,
  cells: readonly { readonly row: number; readonly column: number }[],
): void {
  for (const { row, column } of cells) {
    while (rows.length < row) rows.push([]);
    const marked = rows[row - 1] ?? [];
    while (marked.length < column) marked.push(null);
    marked[column - 1] = failed;
  }
}

/**
 * The part of a workbook that contains a sheet; undefined where the workbook does not say.
 *
 * @param sheets `xl/workbook.xml`
 * @param relations `xl/_rels/workbook.xml.rels`
 * @param named a sheet's name, in any case, or its number from 1
 */
export function findSheetPart(
  sheets: string,
  relations: string,
  named: string | number,
): string | undefined {
  const listed = tagsOf(sheets, 'sheet');
  const sheet =
    typeof named === 'number'
      ? listed[named - 1]
      : listed.find((tag) => fold(attributeOf(tag, 'name')) === fold(named));
  const id = sheet && attributeOf(sheet, String.raw`\w+:id`);
  const relation = tagsOf(relations, 'Relationship').find((tag) => attributeOf(tag, 'Id') === id);
  const target = relation && attributeOf(relation, 'Target');
  return target?.startsWith('/') ? target.slice(1) : target && `xl/${target}`;
}

/**
 * The numbers, from 1, of the sheets that Excel does not show, such as one of parameters that a program writes first.
 * @param sheets `xl/workbook.xml`
 */
export function listHidden(sheets: string): readonly number[] {
  return tagsOf(sheets, 'sheet').flatMap((tag, place) =>
    /hidden/i.test(attributeOf(tag, 'state')) ? [place + 1] : [],
  );
}

function tagsOf(xml: string, name: string): string[] {
  return [...xml.matchAll(new RegExp(String.raw`<(?:\w+:)?${name}\s([^>]*)>`, 'g'))].map(
    ([, attributes = '']) => ` ${attributes}`,
  );
}

function attributeOf(tag: string, name: string): string {
  const [, one, other] =
    new RegExp(String.raw`\s${name}="([^"]*)"|\s${name}='([^']*)'`).exec(tag) ?? [];
  return decodeEntities(one ?? other ?? '');
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
