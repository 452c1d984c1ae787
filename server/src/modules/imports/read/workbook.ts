import { Readable } from 'node:stream';
import type { CellValue } from 'read-excel-file/node';
import type yauzl from 'yauzl';
import { isUnavailable } from '../../../platform/postgres.ts';
import { AreaFinder } from './sheet-area.ts';
import { findSheetPart, listHidden, markErrors } from './sheet-errors.ts';
import { FileRefused, type SourceFile } from './source-file.ts';
import { readBytes, type StoredFile } from './stored-file.ts';
import { readEntry } from './zip-source.ts';

/** A sheet is read at once, as rows in memory: a gigabyte for a hundred megabytes of XML. */
const mostUnpacked = 150 * 1024 ** 2;
/** A million rows of twenty columns. */
const mostCells = 20_000_000;
/** Cells share their texts, so that a short workbook can be a long table. */
const mostText = 400 * 1024 ** 2;
const saveAsCsv =
  'In Excel choose Save As, then CSV UTF-8 (comma delimited), and import that file.';

const onlyOneSheet =
  'The workbook has several sheets, and only its first was read. Move the table to the first sheet, or name its sheet in a format file ("sheet").';

/** Whether a zip is an Excel workbook. */
export function isWorkbook(entries: readonly yauzl.Entry[]): boolean {
  return entries.some(({ fileName }) => fileName === 'xl/workbook.xml');
}

/** Documents that are zip files inside, by a part that each of them has. */
const otherDocuments: readonly (readonly [part: RegExp, message: string])[] = [
  [/^xl\/workbook\.bin$/, `is a binary Excel workbook. ${saveAsCsv}`],
  [
    /^Index\/.*\.iwa$|^Index\.zip$/,
    'is a Numbers document. In Numbers choose File, Export To, CSV, and import that file.',
  ],
  [
    /^content\.xml$/,
    'is an OpenDocument file. Choose Save As, then Text CSV, and import that file.',
  ],
  [/^word\/document\.xml$/, 'is a Word document. Ask for the data as CSV.'],
];

/** @throws {FileRefused} for a document that is a zip file inside and no workbook that can be read */
export function refuseOtherDocument(name: string, entries: readonly yauzl.Entry[]): void {
  for (const [part, message] of otherDocuments)
    if (entries.some(({ fileName }) => part.test(fileName)))
      throw new FileRefused(`${name} ${message}`);
}

/**
 * A sheet of an Excel workbook as tab-separated text. Dates become `YYYY-MM-DD`, numbers the digits that the workbook
 * contains: an ID keeps every digit, but leading zeros that Excel has dropped are gone. A formula that failed is an error, not empty.
 *
 * @param named its name, in any case, or its number from 1; undefined for the first that Excel shows, which must then be the only one with
 * its table
 * @throws {FileRefused} when it is damaged, has a password, is too large, has no such sheet, or more than one
 */
export async function openWorkbook(
  file: StoredFile,
  entries: readonly yauzl.Entry[],
  named: string | number | undefined,
): Promise<SourceFile> {
  const { name } = file;
  const parts = await checkSize(file, entries);
  const hidden = listHidden(parts.sheets);
  const sheets = entries.filter(({ fileName }) => /^xl\/worksheets\/[^/]+\.xml$/.test(fileName));
  const shown = sheets.findIndex((_, place) => !hidden.includes(place + 1)) + 1;
  const sheet = named ?? Math.max(1, shown);
  const bytes = await readBytes(file);
  // Few files need it, and every command would load it.
  const { readSheet } = await import('read-excel-file/node');
  const read = (one: string | number) =>
    readSheet(bytes, one, { parseNumber: plainNumber, trim: false }).then((found) => {
      if (countsFrom1904(parts.sheets)) found.flat().forEach(moveDay);
      return found;
    });
  const rows = await read(sheet)
    .catch((error: unknown) => {
      const sheets = sheetsOf(error);
      const sameName = sheets?.find((one) => foldSheet(one) === foldSheet(String(sheet)));
      if (sameName !== undefined && typeof sheet === 'string') return read(sameName);
      throw sheets === undefined ? error : new FileRefused(explainSheets(name, sheet, sheets));
    })
    .catch((error: unknown) => {
      if (error instanceof FileRefused) throw error;
      throw new FileRefused(`The Excel workbook ${name} cannot be read. ${saveAsCsv}`);
    });
  const part = findSheetPart(parts.sheets, parts.relations, sheet);
  markErrors(rows, parts.errors.get(part ?? '') ?? []);
  const text = Buffer.from(writeRows(name, rows));
  if (typeof sheet === 'number' && named === undefined)
    await refuseDivided(name, rows, { sheet, sheets: sheets.length, hidden }, read);
  return {
    ...{ name, size: text.length, open: () => Readable.from([text]) },
    ...(sheets.length > 1 && { hint: onlyOneSheet }),
  };
}

type Rows = readonly (readonly (CellValue | null)[])[];

/** A table that goes on in a second sheet, or stands there with the rows of another day: which rows count, nobody can say. */
async function refuseDivided(
  name: string,
  [header = []]: Rows,
  of: { readonly sheet: number; readonly sheets: number; readonly hidden: readonly number[] },
  read: (sheet: number) => Promise<Rows>,
): Promise<void> {
  const columns = header.map(toCell).join('\t');
  const where = of.sheet === 1 ? 'its first sheet' : `sheet ${of.sheet}`;
  for (let sheet = 1; sheet <= of.sheets; sheet += 1) {
    if (sheet === of.sheet) continue;
    // A chart's sheet has no rows, and is not counted among the others.
    const [other = [], ...rows] = await read(sheet).catch(() => []);
    if (rows.length === 0 || other.map(toCell).join('\t') !== columns) continue;
    const isHidden = of.hidden.includes(sheet) ? ', which is hidden' : '';
    throw new FileRefused(
      `The Excel workbook ${name} has the same columns on ${where} and on sheet ${sheet}${isHidden}, and only one sheet is read. Put all rows on one sheet, or delete the sheet that does not count.`,
    );
  }
}

/** The names of a workbook's sheets, where it was asked for another; the library's type leaves them out. */
function sheetsOf(error: unknown): readonly string[] | undefined {
  const { name, sheets } = error as { name?: unknown; sheets?: readonly string[] };
  return name === 'SheetNotFoundError' ? sheets : undefined;
}

function foldSheet(name: string): string {
  return name.trim().toLowerCase();
}

function explainSheets(name: string, sheet: string | number, sheets: readonly string[]): string {
  const asked = typeof sheet === 'number' ? `sheet ${sheet}` : `sheet named ${sheet}`;
  return `The Excel workbook ${name} has no ${asked}. Its sheets are: ${sheets.join(', ')}. Correct "sheet" in the format file.`;
}

/** What of a workbook's parts its reader leaves out. */
interface Parts {
  readonly sheets: string;
  readonly relations: string;
  /** The cells whose formula failed, by part. */
  readonly errors: ReadonlyMap<string, AreaFinder['errors']>;
}

/** Unpacks every part once, and keeps only small ones: the sizes that a zip and a sheet state need not be true. */
async function checkSize(file: StoredFile, entries: readonly yauzl.Entry[]): Promise<Parts> {
  const errors = new Map<string, AreaFinder['errors']>();
  const texts = new Map([
    ['xl/workbook.xml', ''],
    ['xl/_rels/workbook.xml.rels', ''],
  ]);
  let unpacked = 0;
  let most = 0;
  try {
    for (const entry of entries) {
      const finder = new AreaFinder();
      for await (const piece of readEntry(file, entry)) {
        finder.push(piece);
        const text = texts.get(entry.fileName);
        if (text !== undefined) texts.set(entry.fileName, text + piece.toString('utf8'));
        unpacked += piece.length;
        if (unpacked > mostUnpacked) throw new FileRefused('It is too large.');
      }
      const { rows, columns } = finder.area();
      most = Math.max(most, rows * columns, rows);
      errors.set(entry.fileName, finder.errors);
    }
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new FileRefused(
      `The Excel workbook ${file.name} is too large to be read, or damaged. ${saveAsCsv}`,
    );
  }
  if (most > mostCells)
    throw new FileRefused(
      `The Excel workbook ${file.name} has a cell far from its table, so it is too large to be read. Delete the rows below the table and the columns beside it. Or: ${saveAsCsv}`,
    );
  const [sheets = '', relations = ''] = texts.values();
  return { sheets, relations, errors };
}

/** @throws {FileRefused} when the table would be larger than any list of voters in a workbook */
function writeRows(name: string, rows: Rows): string {
  let length = 0;
  const lines = rows.map((row) => {
    const cells = row.map(toCell);
    length += cells.reduce((sum, cell) => sum + cell.length + 1, 0);
    if (length > mostText)
      throw new FileRefused(`The Excel workbook ${name} is too large to be read. ${saveAsCsv}`);
    return `${cells.join('\t')}\n`;
  });
  return lines.join('');
}

function toCell(value: CellValue | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? writeDate(value) : String(value);
  const line = text.replace(/[\t\r\n]+/g, ' ');
  return line.startsWith('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

/** A day, and the time after it unless it is midnight. Excel knows no time zone. */
function writeDate(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`;
}

/**
 * Whether a workbook counts its days from 1904, and says so in the letters of LibreOffice: the reader of workbooks knows only `1`.
 * @param properties `xl/workbook.xml`
 */
function countsFrom1904(properties: string): boolean {
  const [tag = ''] = /<(?:\w+:)?workbookPr\s[^>]*>/.exec(properties) ?? [];
  return /\sdate1904=["']true["']/.test(tag);
}

/** From a day counted from 1900 to the one counted from 1904. */
const daysTo1904 = 1462;

function moveDay(value: CellValue | null): void {
  if (value instanceof Date) value.setUTCDate(value.getUTCDate() + daysTo1904);
}

/** Excel writes some whole numbers as 1.5E+5. An ID such as 104E5 is a text, and stays. */
function plainNumber(text: string): string {
  if (!/^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
}
