import { Readable } from 'node:stream';
import type { CellValue } from 'read-excel-file/node';
import type yauzl from 'yauzl';
import { FileRefused, type SourceFile } from './source-file.ts';
import { readEntry } from './zip-source.ts';

/** A sheet is read at once, as rows in memory: a gigabyte for a hundred megabytes of XML. */
const mostUnpacked = 150 * 1024 ** 2;
const saveAsCsv =
  'In Excel choose Save As, then CSV UTF-8 (comma delimited), and import that file.';

/** Whether a zip is an Excel workbook. */
export function isWorkbook(entries: readonly yauzl.Entry[]): boolean {
  return entries.some(({ fileName }) => fileName === 'xl/workbook.xml');
}

/**
 * The first sheet of an Excel workbook as tab-separated text. Dates become `YYYY-MM-DD`, numbers the digits that the workbook
 * contains: an ID keeps every digit, but leading zeros that Excel has dropped are gone.
 *
 * @throws {FileRefused} when it is damaged, has a password or is too large
 */
export async function openWorkbook(
  path: string,
  name: string,
  entries: readonly yauzl.Entry[],
): Promise<SourceFile> {
  await checkSize(path, name, entries);
  // Few files need it, and every command would load it.
  const { readSheet } = await import('read-excel-file/node');
  const rows = await readSheet(path, {
    parseNumber: (digits: string) => digits,
    trim: false,
  }).catch(() => {
    throw new FileRefused(`The Excel workbook ${name} cannot be read. ${saveAsCsv}`);
  });
  const text = Buffer.from(rows.map((row) => `${row.map(toCell).join('\t')}\n`).join(''));
  return { name, size: text.length, open: () => Readable.from([text]) };
}

/** Unpacks every part once without keeping it: the sizes that a zip states need not be true. */
async function checkSize(path: string, name: string, entries: readonly yauzl.Entry[]) {
  let unpacked = 0;
  try {
    for (const entry of entries) {
      for await (const piece of readEntry(path, entry)) {
        unpacked += piece.length;
        if (unpacked > mostUnpacked) throw new FileRefused('It is too large.');
      }
    }
  } catch {
    throw new FileRefused(
      `The Excel workbook ${name} is too large to be read, or damaged. ${saveAsCsv}`,
    );
  }
}

function toCell(value: CellValue | null): string {
  if (value === null) return '';
  const text = value instanceof Date ? writeDate(value) : String(value);
  const line = plainNumber(text).replace(/[\t\r\n]+/g, ' ');
  return line.startsWith('"') ? `"${line.replaceAll('"', '""')}"` : line;
}

/** A day, and the time after it unless it is midnight. Excel knows no time zone. */
function writeDate(date: Date): string {
  const [day = '', time = ''] = date.toISOString().split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`;
}

/** Excel writes some whole numbers as 1.5E+5. */
function plainNumber(text: string): string {
  if (!/^-?\d+(\.\d+)?[eE][+-]?\d+$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? String(number) : text;
}
