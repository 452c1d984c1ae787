import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeCsvRow } from '../../../platform/csv-row.ts';
import { type Dialect, RecordReader } from './records.ts';

const csv: Dialect = { delimiter: ',', quote: '"', encoding: 'windows-1252' };

function read(
  pieces: readonly Uint8Array[],
  dialect = csv,
  fields?: number,
  wanted?: readonly number[],
) {
  const records: string[][] = [];
  const texts: string[] = [];
  const lines: number[] = [];
  const broken: [number, string][] = [];
  const reader = new RecordReader(dialect, {
    onRecord: (cells, line, text) => {
      records.push([...cells]);
      texts.push(text);
      lines.push(line);
    },
    onBroken: (line, reason) => broken.push([line, reason]),
    wants: (line) => wanted?.includes(line) !== false,
  });
  reader.fields = fields;
  for (const piece of pieces) reader.push(Buffer.from(piece));
  const cutOff = reader.end();
  const { redecoded, hasLongRecords } = reader;
  return { records, texts, lines, broken, cutOff, redecoded, hasLongRecords };
}

const cell = fc.string({
  unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', 'é', '漢', '😀'),
  maxLength: 6,
});
const record = fc.array(cell, { minLength: 2, maxLength: 4 });

test('what is written by RFC 4180 is read back, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(200), { maxLength: 6 }),
      (records, newline, cuts) => {
        const quoted = records.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`));
        const bytes = Buffer.from(quoted.map((cells) => `${cells.join(',')}${newline}`).join(''));
        const places = [...cuts, 0, bytes.length]
          .map((place) => Math.min(place, bytes.length))
          .sort((a, b) => a - b);
        const pieces = places.slice(1).map((end, n) => bytes.subarray(places[n], end));
        expect(read(pieces).records).toEqual(records);
      },
    ),
  );
});

test('a refused row as we list it is read back, but for the apostrophe before what begins like a formula', () => {
  const typed = fc.string({
    unit: fc.constantFrom('a', "'", ',', '"', '\n', '\r', '\t', ...'=+-@＝＋－＠'),
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(typed, { minLength: 2, maxLength: 4 }), (cells) => {
      const { records } = read([Buffer.from(writeCsvRow(cells, 'unix'))]);
      expect(records).toEqual([
        cells.map((text) => (/^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text)),
      ]);
    }),
  );
});

test('the text of a record, read alone, has its cells', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', 'é'), maxLength: 60 }),
      (file) => {
        const { records, texts } = read([Buffer.from(`${file}\n`)]);
        const alone = texts.map((text) => read([Buffer.from(`${text}\r\n`)]).records);
        expect(alone).toEqual(records.map((cells) => [cells]));
      },
    ),
  );
});

test('lines are counted as an editor does, across values that span lines', () => {
  const { lines } = read([Buffer.from('a,b\n"1\n2",x\n\nc,d\n')]);
  expect(lines).toEqual([1, 2, 5]);
});

test('lines that nobody wants are counted and not cut', () => {
  const text = 'a,b\n1,"x, ""y"""\r\n2,Robert "Bob" Lee\n\n3,z\n4,"last"\n';
  const all = read([Buffer.from(text)]);
  expect(all.hasLongRecords).toBe(false);
  for (const wanted of [[1, 2, 6], [3], [1, 5], []]) {
    const some = read([Buffer.from(text.slice(0, 9)), Buffer.from(text.slice(9))], csv, 2, wanted);
    expect(some.lines).toEqual(wanted);
    expect(some.records).toEqual(wanted.map((line) => all.records[all.lines.indexOf(line)]));
  }
  expect(read([Buffer.from('a,"b\nc"\n')]).hasLongRecords).toBe(true);
});

test.each([
  [
    'a stray quote inside a value means itself',
    '1,Robert "Bob" Lee\n',
    [['1', 'Robert "Bob" Lee']],
    [],
  ],
  [
    'text after a closing quote breaks the line',
    '"a"b,c\nd,e\n',
    [['d', 'e']],
    [[1, 'has text after a closing quotation mark']],
  ],
  ['an empty last field counts', 'a,\n', [['a', '']], []],
  [
    'mixed line ends are line ends',
    'a,b\r\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
    [],
  ],
  ['a NUL breaks its line', 'a,\0b\nc,d\n', [['c', 'd']], [[1, 'contains a NUL character']]],
  [
    'a NUL in a quoted field breaks its line',
    '"a\0b",c\nc,d\n',
    [['c', 'd']],
    [[1, 'contains a NUL character']],
  ],
  ['a missing field breaks the line', 'a\nc,d\n', [['c', 'd']], [[1, 'has 1 field, not 2']]],
  ['a surplus field breaks the line', 'a,b,c\nc,d\n', [['c', 'd']], [[1, 'has 3 fields, not 2']]],
])('%s', (_what, text, records, broken) => {
  expect(read([Buffer.from(text)], csv, 2)).toMatchObject({ records, broken, cutOff: null });
});

test('a quote that nothing closes costs one line, however long the file goes on', () => {
  const rest = Array.from({ length: 20_000 }, (_, n) => `${n},x\n`).join('');
  const { records, broken } = read([Buffer.from(`1,"open\n${rest}`)], csv, 2);
  expect(broken).toEqual([[1, 'opens a quotation mark that nothing closes']]);
  expect(records).toHaveLength(20_000);
});

test('a line longer than a megabyte costs itself alone, however long it is', () => {
  const long = Buffer.alloc(64 * 1024, 'x');
  const pieces = [
    Buffer.from('1,a\n2,'),
    ...Array<Buffer>(1024).fill(long),
    Buffer.from('\n3,c\n'),
  ];
  const { records, lines, broken } = read(pieces, csv, 2);
  expect(records).toEqual([
    ['1', 'a'],
    ['3', 'c'],
  ]);
  expect(lines).toEqual([1, 3]);
  expect(broken).toEqual([[2, 'is longer than a megabyte']]);
  const whole = read([Buffer.concat(pieces)], csv, 2);
  expect(whole).toMatchObject({ records, broken });
});

test('a long line after a quotation mark that nothing closes costs those two lines', () => {
  const long = Buffer.alloc(2 * 1024 * 1024, 'x');
  const { records, broken } = read(
    [Buffer.from('1,"a\n'), Buffer.from('2,b\n'), long, Buffer.from('\n4,d\n')],
    csv,
    2,
  );
  expect(records).toEqual([
    ['2', 'b'],
    ['4', 'd'],
  ]);
  expect(broken).toEqual([
    [1, 'opens a quotation mark that nothing closes'],
    [3, 'is longer than a megabyte'],
  ]);
});

test('a last line cut off is told apart from one without a line break', () => {
  expect(read([Buffer.from('a,b\nc,d\n \u001a')], csv, 2).cutOff).toBeNull();
  expect(read([Buffer.from('a,b\nc,d')], csv, 2).cutOff).toEqual({ line: 2, reason: null });
  expect(read([Buffer.from('a,b\nc')], csv, 2).cutOff).toEqual({
    line: 2,
    reason: 'has 1 field, not 2',
  });
  expect(read([Buffer.from('a,b\n"c')], csv, 2).cutOff).toMatchObject({ line: 2 });
});

test('each line is read in its own encoding', () => {
  const utf8 = Buffer.from('1,Núñez\n');
  const windows = Buffer.from([...Buffer.from('2,'), 0x4e, 0xfa, 0xf1, 0x65, 0x7a, 0x92, 0x0a]);
  const { records, redecoded } = read([utf8, windows]);
  expect(records).toEqual([
    ['1', 'Núñez'],
    ['2', 'Núñez’'],
  ]);
  expect(redecoded).toBe(1);
  const dos = Buffer.from([...Buffer.from('3,'), 0xa4, 0x82, 0x0a]);
  expect(read([dos], { ...csv, encoding: 'cp437' }).records).toEqual([['3', 'ñé']]);
});

test('a format without quotes reads a quotation mark as itself', () => {
  const dialect: Dialect = { ...csv, delimiter: '|', quote: null };
  expect(read([Buffer.from('"a|b"\n')], dialect).records).toEqual([['"a', 'b"']]);
});
