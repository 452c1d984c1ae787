import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test.each(['=1+1', '+1', '-2', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＠SUM(A1)'])(
  'a cell that begins as %j is text to a spreadsheet',
  (text) => expect(toCsv([[text]])).toBe(`\uFEFF"'${text}"\r\n`),
);

test('quotes, commas and line breaks stay in their cell', () => {
  expect(
    toCsv([
      ['a "b", c', 'd\ne'],
      ['f', ''],
    ]),
  ).toBe('\uFEFF"a ""b"", c","d\ne"\r\n"f",""\r\n');
});
