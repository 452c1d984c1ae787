import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../../../../testing/runs.ts';
import { workbook, zip } from '../../../../../testing/zip.ts';
import { findFormat, listFormats, openSourceFile, recognizeFormat } from '../index.ts';
import { readSource, type SourceFile } from './source-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beacon-exports-'));
});
afterAll(() => rm(folder, { recursive: true }));

function fileOf(content: Buffer, pieceSize = 64 * 1024): SourceFile {
  const pieces = Array.from({ length: Math.ceil(content.length / pieceSize) }, (_, n) =>
    content.subarray(n * pieceSize, (n + 1) * pieceSize),
  );
  return { name: 'export.csv', open: () => Readable.from(pieces) };
}

async function open(name: string, content: Buffer): Promise<SourceFile> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return openSourceFile(path, 'Adams');
}

/** The rows of a file after its header, read by the format that it is recognized as. */
async function readRows(file: SourceFile, format?: string): Promise<string[][]> {
  const found =
    format === undefined
      ? await recognizeFormat(file, await listFormats())
      : await findFormat(format);
  if (!found.ok) throw new Error(found.message);
  const rows: string[][] = [];
  const broken: string[] = [];
  await readSource(file, found.format, {
    onHeader: () => {},
    onRecord: (cells) => rows.push([...cells]),
    onBroken: (_, reason) => {
      broken.push(reason);
    },
    onPiece: async () => {},
  });
  expect(broken).toEqual([]);
  return rows;
}

const header = ['registration_id', 'firstname', 'lastname', 'birthdate', 'zipcode'];

/** A table as an office's program writes it. */
function write(
  rows: readonly (readonly string[])[],
  how: { delimiter: string; newline: string; encoding: string; namesDelimiter?: boolean },
): Buffer {
  const quote = (cell: string) =>
    /[",;\t|\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const lines = [header, ...rows].map((row) => row.map(quote).join(how.delimiter));
  // So that Excel opens the file in any country.
  if (how.namesDelimiter) lines.unshift(`sep=${how.delimiter}`);
  const text = lines.map((line) => `${line}${how.newline}`).join('');
  if (how.encoding === 'utf-8') return Buffer.from(text);
  if (how.encoding === 'utf-8 with its mark') return Buffer.from(`\uFEFF${text}`);
  const units = Buffer.from(how.encoding.includes('mark') ? `\uFEFF${text}` : text, 'utf16le');
  return how.encoding.startsWith('utf-16be') ? units.swap16() : units;
}

const name = fc.string({
  unit: fc.constantFrom('A', 'b', ' ', 'é', 'ß', '漢', '😀', ';', ',', '|', '"', "'"),
});
const row = fc.tuple(
  fc.stringMatching(/^[0-9]{1,8}$/),
  name,
  name,
  fc.constant('01/02/1950'),
  fc.constant('99301'),
);

test('every delimiter, line end and encoding of the same table is read alike, wherever the file is cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.record({
        delimiter: fc.constantFrom(',', ';', '\t', '|'),
        newline: fc.constantFrom('\n', '\r\n', '\r'),
        namesDelimiter: fc.boolean(),
        encoding: fc.constantFrom(
          'utf-8',
          'utf-8 with its mark',
          'utf-16le',
          'utf-16le with its mark',
          'utf-16be',
          'utf-16be with its mark',
        ),
      }),
      fc.integer({ min: 1, max: 50 }),
      async (rows, how, pieceSize) => {
        const file = fileOf(write(rows, how), pieceSize);
        expect(await readRows(file)).toEqual(rows);
      },
    ),
    { numRuns: runs(60) },
  );
});

test('a zip of several files, of which the last ends in the middle of a line, is refused', async () => {
  const part = (row: string) => `${header.join()}\n${row}`;
  const first = part('1,Ann,Lee,01/02/1950,99301');
  const whole = await open(
    'parts.zip',
    zip({ 'a.csv': first, 'b.csv': part('2,Bo,Lee,01/02/1950,99301') }),
  );
  expect((await readRows(whole)).map(([id]) => id)).toEqual(['1', '2']);
  const cut = await open('parts.zip', zip({ 'a.csv': first, 'b.csv': part('2,Bo,Le') }));
  await expect(readRows(cut)).rejects.toThrow('The file ends in the middle of line 3');
});

test('a file that names what divides its columns is read by it, also in a zip of several', async () => {
  const table = (id: string) =>
    `SEP=^\r\n${header.join('^')}\r\n${id}^Ann^Lee^01/02/1950^99301\r\n`;
  const expected = ['1', '2'].map((id) => [id, 'Ann', 'Lee', '01/02/1950', '99301']);
  expect(await readRows(fileOf(Buffer.from(table('1'))))).toEqual([expected[0]]);
  const parts = zip({ 'roll-1.csv': table('1'), 'roll-2.csv': table('2') });
  expect(await readRows(await open('parts.zip', parts))).toEqual(expected);
  const nameless = readFileSync(new URL('../formats/fixtures/fl-1s-2-043.txt', import.meta.url));
  const rows = await readRows(fileOf(nameless));
  expect(await readRows(fileOf(Buffer.concat([Buffer.from('sep=\t\n'), nameless])))).toEqual(rows);
});

test('Maine’s file, without quotation marks by its layout, is read as a spreadsheet program saves it', async () => {
  const columns = 'VOTER ID,ISSDATE,RECDATE,RECTYPE,ACC OR REJ,REJRSN,DUP';
  const file = fileOf(Buffer.from(`${columns}\n1,10/01/2026,10/09/2026,MV,ACC,"a, b",\n`));
  expect(await readRows(file)).toEqual([
    ['1', '10/01/2026', '10/09/2026', 'MV', 'ACC', 'a, b', ''],
  ]);
});

/** How a compound file of Office begins. */
const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2000)]);

describe('an Excel workbook', () => {
  const cell = fc.oneof(
    name.map((text) => text.trim()),
    fc.integer({ min: 0, max: 999_999_999 }).map((number) => ({ number: String(number) })),
    fc.integer({ min: 1, max: 20_000 }).map((days) => ({
      day: new Date(Date.UTC(1950, 0, days)).toISOString().slice(0, 10),
    })),
  );
  const shown = (one: string | { number: string } | { day: string }) =>
    typeof one === 'string' ? one : 'number' in one ? one.number : one.day;

  test('is read with its dates and IDs as text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell, cell, cell, cell), { minLength: 1, maxLength: 5 }),
        async (rows) => {
          const full = rows.map(([first, ...rest]) => [first === '' ? 'x' : first, ...rest]);
          const file = await open('roll.xlsx', workbook([header, ...full]));
          expect(await readRows(file)).toEqual(full.map((cells) => cells.map(shown)));
        },
      ),
      { numRuns: runs(20) },
    );
  });

  test('keeps the digits of large numbers', async () => {
    const rows = [header, [{ number: '1.5E+5' }, { number: '123456789012345' }, 'Lee', '', '']];
    const file = await open('roll.xlsx', workbook(rows));
    expect(await readRows(file)).toEqual([['150000', '123456789012345', 'Lee', '', '']]);
  });

  test('that unpacks to more than can be read is refused in a clerk’s words', async () => {
    const huge = zip({ 'xl/workbook.xml': '<x/>', 'xl/a.xml': Buffer.alloc(160 * 1024 ** 2, ' ') });
    await expect(open('huge.xlsx', huge)).rejects.toThrow(/too large.*Save As, then CSV UTF-8/);
  });

  test.each([
    ['a cell in the last row and column', '<row r="2"><c r="XFD1048576"><v>1</v></c></row>'],
    ['an empty row that is far away', '<row r="99999999999"></row>'],
    ['a row whose number is written otherwise', '<row r="1e12"></row>'],
    ['a place behind an entity', "<row r='2'><c s='1' r='&#88;FD9999999'><v>1</v></c></row>"],
  ])('%s is refused before the area up to it fills the memory', async (_what, row) => {
    const sheet = `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row>${row}</sheetData></worksheet>`;
    const far = zip({ 'xl/workbook.xml': '<x/>', 'xl/worksheets/sheet1.xml': sheet });
    await expect(open('far.xlsx', far)).rejects.toThrow(/far from its table.*Delete the rows/);
  });

  test('a text that many cells share is refused before the table fills the memory', async () => {
    const rows = Array.from({ length: 500 }, () => [{ shared: 0 }]);
    const long = workbook(rows, ['a'.repeat(1024 ** 2)]);
    await expect(open('long.xlsx', long)).rejects.toThrow(/too large to be read/);
    const short = await open(
      'short.xlsx',
      workbook([['registration_id'], [{ shared: 0 }]], ['X1']),
    );
    expect(short.size).toBe('registration_id\nX1\n'.length);
  });

  test('that is damaged is refused without its XML', async () => {
    const broken = zip({ 'xl/workbook.xml': '<workbook><sheets>' });
    await expect(open('broken.xlsx', broken)).rejects.toThrow(
      'The Excel workbook broken.xlsx cannot be read. In Excel choose Save As, then CSV UTF-8 (comma delimited), and import that file.',
    );
  });
});

test.each([
  ['roll.xlsb', 'xl/workbook.bin', 'roll.xlsb is a binary Excel workbook. In Excel choose Save As'],
  ['roll.numbers', 'Index/Document.iwa', 'In Numbers choose File, Export To, CSV'],
  ['roll.ods', 'content.xml', 'roll.ods is an OpenDocument file. Choose Save As, then Text CSV'],
  ['letter.docx', 'word/document.xml', 'letter.docx is a Word document. Ask for the data as CSV.'],
])('%s, a zip file inside, is named for what it is', async (file, part, words) => {
  const document = zip({ mimetype: 'x', [part]: '<x/>' });
  await expect(open(file, document)).rejects.toThrow(words);
});

test.each([
  [
    'roll.xlsx',
    'xl/workbook.xml',
    /^The Excel workbook roll\.xlsx is damaged or its end is missing/,
  ],
  ['roll.ods', 'content.xml', /^The OpenDocument file roll\.ods is damaged or its end is missing/],
  [
    'roll.docx',
    'word/document.xml',
    /^The Word document roll\.docx is damaged or its end is missing/,
  ],
  ['roll.zip', 'roll.csv', /^The zip is damaged or not complete/],
])('%s without its end is called what its owner calls it', async (file, part, words) => {
  const whole = zip({ [part]: '<x/>'.repeat(1000) });
  for (const length of [50, whole.length >> 1, whole.length - 1])
    await expect(open(file, whole.subarray(0, length))).rejects.toThrow(words);
});

test.each([
  [
    'a workbook with a password, whose part is far from the start',
    'roll.xlsx',
    old,
    /with a password/,
  ],
  ['a document of Word before 2007', 'roll.doc', old, /Word document/],
  [
    'a table of a web page',
    'roll.xls',
    '<html><table>',
    /named like a workbook\. Open it in Excel/,
  ],
])('%s is known by its name', async (_what, file, content, words) => {
  const opened = await open(file, Buffer.from(content));
  expect(await recognizeFormat(opened, await listFormats())).toMatchObject({
    message: expect.stringMatching(words),
  });
  await expect(readRows(opened, 'beacon-voters')).rejects.toThrow(words);
});

test('a zip of a workbook alone says to unpack it', async () => {
  const packed = zip({ 'export/roll.xlsx': workbook([['registration_id']]) });
  await expect(open('roll.zip', packed)).rejects.toThrow('unpack it, and import roll.xlsx.');
});

test('a packed file that unpacks to far too much is refused before it fills anything', async () => {
  const bomb = Buffer.alloc(100 * 1024 ** 2, 'a,b\n');
  for (const [file, content] of [
    ['bomb.gz', gzipSync(bomb)],
    ['bomb.zip', zip({ 'bomb.csv': bomb })],
  ] as const) {
    const opened = await open(file, content);
    await expect(readRows(opened, 'beacon-voters')).rejects.toThrow(
      /bomb.*unpacks to more than 200 times|no column/,
    );
    let bytes = 0;
    const reading = async () => {
      for await (const piece of opened.open()) bytes += piece.length;
    };
    await expect(reading()).rejects.toThrow(/unpacks to more than 200 times its size/);
    expect(bytes).toBeLessThan(40 * 1024 ** 2);
  }
});

describe('a file that is none of the formats', () => {
  const recognize = async (content: string | Buffer) => {
    const found = await recognizeFormat(fileOf(Buffer.from(content)), await listFormats());
    return found.ok ? found.format.name : found.message;
  };

  test.each([
    ['', /^export\.csv is empty/],
    ['\uFEFF\r\n', /^export\.csv is empty/],
    ['<!DOCTYPE html><html>', /web page/],
    ['%PDF-1.7', /looks like a PDF/],
    ['<table border="1"><tr><th>registration_id</th>', /web page/],
    ['<!-- saved --><p>Sign in', /web page/],
    ['{\\rtf1\\ansi registration_id', /document of a word processor/],
    ['From: a@mail.example\r\nSubject: the roll\r\n', /an email\. Save the file that is attached/],
    ['-----BEGIN PGP MESSAGE-----\n', /encrypted file/],
    [Buffer.from('377abcaf271c0004', 'hex'), /packed by 7-Zip\. Unpack it/],
    [Buffer.from('425a6839314159', 'hex'), /packed by bzip2\. Unpack it/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /Excel 97 to 2003.*Save As, then CSV UTF-8/],
    [
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      /Excel workbook with a password\. Save it without the password/,
    ],
    [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /looks like a picture or a program/],
    [
      'registration_id,firstname,lastname,Last Name,birthdate,zipcode\n',
      /looks like beacon-voters, but has two columns named Last Name\. Remove one/,
    ],
    [
      'Adams County, ballots\n\nregistration_id,election,status\n1,7,sent\n',
      /column names of beacon-ballots are on line 3\. Delete the lines above them/,
    ],
    [
      'one,two\n1,2\n',
      /do not recognize this file by its first line\. Choose a format with --format/,
    ],
  ])('says what it looks like: %j', async (content, message) => {
    expect(await recognize(content)).toMatch(message);
  });

  test('names the nearest formats and the columns that are missing', async () => {
    const columns = 'ElectionNumber,VoterID,BallotStatus,MailedDate,RejectionReason';
    expect(await recognize(`${columns}\n`)).toMatch(
      /The nearest formats:\n {2}voter-focus-ballots: missing ReturnedDate, RejectionDescription\n/,
    );
  });

  test.each([
    ['registration_id,birthdate,zipcode', 'beacon-voters: missing firstname, lastname'],
    [
      'registration_id,zipcode,phone,email,precinct',
      'beacon-voters: missing firstname, lastname, birthdate',
    ],
    ['ncid,status_cd,birth_year,zip_code,county_desc', 'nc-voters: missing last_name, first_name'],
    ['registration_id,election,sent_on,returned_on', 'beacon-ballots: missing status'],
  ])(
    'of a table with the columns %s, the format that knows most of them is nearest',
    async (columns, nearest) => {
      const message = await recognize(`${columns}\n`);
      expect(message).toContain(`The nearest formats:\n  ${nearest}\n`);
    },
  );
});

test('rows without any value are passed over like empty lines, as Excel exports them below a table', async () => {
  const roll = `${header.join(';')}\n1;Ann;Lee;01/02/1950;99301\n;;;;\n ; ;;;\n2;Bo;Lee;;\n;;;;\n`;
  expect(await readRows(fileOf(Buffer.from(roll)))).toEqual([
    ['1', 'Ann', 'Lee', '01/02/1950', '99301'],
    ['2', 'Bo', 'Lee', '', ''],
  ]);
});

test('of a zip, notes are passed over, and what cannot be read is listed by name', async () => {
  const roll = `${header.join(',')}\n1,Ann,Lee,01/02/1950,99301\n`;
  const noted = zip({ 'README.txt': 'notes', '__MACOSX/._roll.csv': 'x', 'roll.csv': roll });
  expect(await readRows(await open('noted.zip', noted))).toHaveLength(1);
  const mixed = await open('mixed.zip', zip({ 'a.txt': 'Dear office', 'b.txt': 'Dear office' }));
  expect(await recognizeFormat(mixed, await listFormats())).toMatchObject({
    ok: false,
    message: expect.stringContaining(
      'The zip has 2 files: a.txt, b.txt. Unpack it, and import each by itself.',
    ),
  });
  await expect(open('empty.zip', zip({}))).rejects.toThrow('The zip contains no file.');
});

test.each([
  '{"name": "beacon", "version": 1}',
  '[{"voter": "1", "eventType": "click"}]',
  '{"message": "Unauthorized"}',
])('JSON that has no scans is refused: %s', async (json) => {
  await expect(readRows(fileOf(Buffer.from(json)))).rejects.toThrow(
    'This JSON file has no USPS scans: no entry has imb or imbTrackingCode and scanDatetime.',
  );
});
