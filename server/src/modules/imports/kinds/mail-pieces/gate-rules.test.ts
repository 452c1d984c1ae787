import { expect, test } from 'vitest';
import { judgePieceNews, type PieceNews } from './gate-rules.ts';

/** A mail house prints a thousand new envelopes, and lists a thousand that are known. */
const ordinary: PieceNews = {
  ...{ changed: 1_000, known: 1_000, added: 1_000 },
  ...{ datesOff: 0, redated: 0, ways: 1, otherBarcodes: 0, moved: 0 },
};

test('what is printed and mailed in a day is ordinary', () => {
  expect(judgePieceNews(ordinary)).toEqual([]);
});

test.each<readonly [string, keyof PieceNews, number, Partial<PieceNews>]>([
  ['dates-off', 'datesOff', 20, {}],
  ['dates-off', 'datesOff', 2, { changed: 10 }],
  ['other-dates', 'redated', 333, {}],
  ['other-dates', 'redated', 2, { known: 5 }],
  ['other-dates', 'redated', 3, { known: 9 }],
  ['other-dates', 'redated', 333, { ways: 5 }],
  ['other-dates', 'redated', 10, { ways: 6 }],
  ['other-dates', 'redated', 25, { ways: 6, known: 5_000 }],
  ['other-barcodes', 'otherBarcodes', 500, {}],
  ['other-barcodes', 'otherBarcodes', 2, { added: 4 }],
  ['barcodes-moved', 'moved', 20, {}],
  ['barcodes-moved', 'moved', 2, { changed: 10 }],
])('%s: %s of %i is ordinary, of one more not (%j)', (code, name, most, more) => {
  const judge = (count: number) => judgePieceNews({ ...ordinary, ...more, [name]: count });
  expect(judge(most - 1)).toEqual([]);
  expect(judge(most)).toEqual([]);
  expect(judge(most + 1)).toMatchObject([{ code, rows: most + 1 }]);
});
