import { looksLikeJson } from './json-records.ts';

/** The name of the part that contains a document with a password. */
const encrypted = Buffer.from('EncryptedPackage', 'utf16le');

const inExcel = 'In Excel choose Save As, then CSV UTF-8 (comma delimited).';
const askForCsv = 'Ask for the data as CSV.';
const unpackFirst = 'Unpack it, and import the file in it.';

/** How files begin that are read as text, and that are no tables. */
const texts: readonly (readonly [start: RegExp, looks: string])[] = [
  [/^PK/, 'a zip file inside a zip file. Unpack it first.'],
  [/^%PDF/, `a PDF. ${askForCsv}`],
  [/^<\?xml/i, `XML. If it is from Excel, open it there. ${inExcel}`],
  [/^\{\\rtf/, `a document of a word processor. ${askForCsv}`],
  [/^-----BEGIN PGP/, `an encrypted file. Decrypt it, and import the file in it.`],
  [
    /^(From|Received|Return-Path|Delivered-To|MIME-Version|Subject): /i,
    'an email. Save the file that is attached to it, and import that file.',
  ],
];

/** How files begin that are no text, in hexadecimal. */
const packed: readonly (readonly [start: string, program: string])[] = [
  ['377abcaf271c', '7-Zip'],
  ['526172211a07', 'RAR'],
  ['425a68', 'bzip2'],
  ['fd377a585a00', 'xz'],
  ['28b52ffd', 'Zstandard'],
];

/**
 * What a file that is not a table looks like, and what to do.
 * @param name of the file, where it may say more than the start
 */
export function describeStart(start: Buffer, readable: Buffer, name: string): string | undefined {
  const looks = recognizeStart(start, readable, name);
  return looks && `It looks like ${looks}`;
}

/** A tag, a comment or the type of a document. */
const webPage = /^<(!|[a-z][a-z0-9]*[\s>/])/i;

function recognizeStart(start: Buffer, readable: Buffer, name: string): string | undefined {
  const hex = start.toString('hex', 0, 16);
  if (hex.startsWith('d0cf11e0')) return describeOldDocument(start, name);
  const program = packed.find(([magic]) => hex.startsWith(magic))?.[1];
  if (program !== undefined) return `a file packed by ${program}. ${unpackFirst}`;
  const text = start
    .toString('latin1', 0, 4096)
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart();
  if (webPage.test(text))
    return /\.xls[xmb]?$/i.test(name)
      ? `a table of a web page that is named like a workbook. Open it in Excel. ${inExcel}`
      : 'a web page: perhaps the sign-in page or an error came instead of the file. Download it again.';
  const known = texts.find(([pattern]) => pattern.test(text));
  if (known) return known[1];
  if (looksLikeJson(start)) return `JSON. ${askForCsv}`;
  // No text has these control characters.
  if (readable.some((byte) => byte < 9 || (byte > 13 && byte < 26)))
    return `a picture or a program, not a table. ${askForCsv}`;
  return undefined;
}

/** Of the compound files that Office wrote before 2007, and in which it keeps documents with a password. */
function describeOldDocument(start: Buffer, name: string): string {
  // The part's name may be anywhere in the file, but only a workbook with a password has this kind and this ending.
  if (start.includes(encrypted) || /\.xls[xmb]$/i.test(name))
    return 'an Excel workbook with a password. Save it without the password, or as CSV.';
  if (start.includes(Buffer.from('WordDocument', 'utf16le')) || /\.doc$/i.test(name))
    return `a Word document. ${askForCsv}`;
  return `a workbook of Excel 97 to 2003. ${inExcel}`;
}

/** A day or a number, which no office has for the name of a column. */
const value = /^"?(\d{1,2}\/\d{1,2}\/\d{2,4}|\d{4}-\d\d-\d\d|\d{4,})"?$/;

/** Whether a first line has values where the names of columns belong. */
export function hasValues(cells: readonly string[]): boolean {
  return cells.some((cell) => value.test(cell.trim()));
}

/** @param line with its quotation marks */
export function isSingleValue(line: string): boolean {
  return /^"([^"]|"")*[,;\t|]([^"]|"")*"$/.test(line);
}

export const explainSingleValue =
  'Every line is a single value in quotation marks, so nothing divides the columns. A spreadsheet program saved it that way: import the file as it was exported.';
