import { crc32, deflateRawSync } from 'node:zlib';

/** A zip of these files (APPNOTE 4.3), compressed. */
export function zip(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = deflateRawSync(content);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed]);
    locals.push(local);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name));
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(locals.length, 4);
  end.writeUInt16LE(locals.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, listed, Buffer.from('PK\x05\x06'), end]);
}

/**
 * A cell of a workbook: a text, a number as Excel stores it, a day, a day by its number in the workbook, the number of a text that cells
 * share, or the error of a formula.
 */
export type Cell =
  | string
  | { readonly number: string }
  | { readonly day: string }
  | { readonly serial: number }
  | { readonly shared: number }
  | { readonly error: string };

type Rows = readonly (readonly Cell[])[];

/** An Excel workbook with these rows in a sheet named Export (ECMA-376), as small as Excel opens it. */
export function workbook(rows: Rows, shared?: readonly string[]): Buffer {
  return workbookOf({ Export: rows }, shared);
}

/**
 * An Excel workbook of several sheets by name.
 * @param how.hidden names of sheets that Excel does not show
 * @param how.properties attributes of the workbook
 */
export function workbookOf(
  sheets: Readonly<Record<string, Rows>>,
  shared: readonly string[] = [],
  how: { readonly hidden?: readonly string[]; readonly properties?: string } = {},
): Buffer {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packaged = 'http://schemas.openxmlformats.org/package/2006';
  const names = Object.keys(sheets);
  const stateOf = (name: string) => (how.hidden?.includes(name) ? ' state="hidden"' : '');
  const forEach = (write: (name: string, number: number) => string) =>
    names.map((name, place) => write(name, place + 1)).join('');
  return zip({
    '[Content_Types].xml': `${head}<Types xmlns="${packaged}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${forEach((_, n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)}<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packaged}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr ${how.properties ?? ''}/><sheets>${forEach((name, n) => `<sheet name="${name}" sheetId="${n}"${stateOf(name)} r:id="rId${n}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packaged}/relationships">${forEach((_, n) => `<Relationship Id="rId${n}" Type="${office}/worksheet" Target="worksheets/sheet${n}.xml"/>`)}<Relationship Id="rId${names.length + 1}" Type="${office}/styles" Target="styles.xml"/><Relationship Id="rId${names.length + 2}" Type="${office}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    'xl/sharedStrings.xml': `${head}<sst xmlns="${main}">${shared.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((rows, place) => [
        `xl/worksheets/sheet${place + 1}.xml`,
        `${head}<worksheet xmlns="${main}"><sheetData>${rows.map(writeRow).join('')}</sheetData></worksheet>`,
      ]),
    ),
  });
}

function writeRow(row: readonly Cell[], y: number): string {
  return `<row r="${y + 1}">${row.map((cell, x) => writeCell(cell, x, y)).join('')}</row>`;
}

function writeCell(cell: Cell, x: number, y: number): string {
  const place = `${columnName(x)}${y + 1}`;
  if (typeof cell === 'string') {
    const text = cell.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`;
  }
  if ('shared' in cell) return `<c r="${place}" t="s"><v>${cell.shared}</v></c>`;
  if ('error' in cell) return `<c r="${place}" t="e"><f>X</f><v>${cell.error}</v></c>`;
  if ('number' in cell) return `<c r="${place}"><v>${cell.number}</v></c>`;
  if ('serial' in cell) return `<c r="${place}" s="1"><v>${cell.serial}</v></c>`;
  // Days since the last day of 1899, one more after the 29 February 1900 that Excel believes in.
  const days = Math.round((Date.parse(cell.day) - Date.UTC(1899, 11, 30)) / 86_400_000);
  return `<c r="${place}" s="1"><v>${days}</v></c>`;
}

function columnName(x: number): string {
  const letter = String.fromCharCode(65 + (x % 26));
  return x < 26 ? letter : `${columnName(Math.floor(x / 26) - 1)}${letter}`;
}
