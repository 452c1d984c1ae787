import { afterEach, beforeEach, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { judgePieceNews, type PieceNews } from './gate-rules.ts';

const voters = Array.from({ length: 30 }, (_, n) => n + 1);
let office: TestOffice;

beforeEach(async () => {
  office = await createPieceOffice(voters);
  office.clock.set('2026-10-08T15:00:00Z');
  const own = voters.map((voter) => [voter, voter] as const);
  expect(await load(own)).toEqual(['done']);
  office.clock.set('2026-10-12T15:00:00Z');
});
afterEach(() => office.close());

/** Imports the barcodes with these serial numbers on the envelopes of these voters. */
async function load(rows: readonly (readonly [voter: number, serial: number])[]) {
  const lines = rows.map(([voter, serial]) => `${voter},7,2026-10-05,${barcodeOf(serial)}`);
  const header = 'registration_id,election,mailed_on,outbound_imb';
  const { state, report } = await office.import('beacon-mailpieces', [header, ...lines].join('\n'));
  return [state, ...(report.gate ?? []).map(({ detail }) => detail)];
}
/** Two barcodes that are on other envelopes, in the file of this place. */
const twoMoved = (place: number) =>
  load([1, 2].map((one) => [2 * place + one, 31 - 2 * place - one] as const));
const waits = (sum: string) => [
  'file-held',
  `2 barcodes are on the envelopes of other ballots, and voters would see where somebody else’s envelope is. Did the rows of a column move? With earlier files of ${sum}.`,
];

test('a mail house’s files of a day move no more barcodes than one may, and the next day may again', async () => {
  // In the evening by the office’s clock, when UTC has the next day.
  office.clock.set('2026-10-13T01:00:00Z');
  expect(await twoMoved(0)).toEqual(['done']);
  office.clock.set('2026-10-13T06:59:00Z');
  expect(await twoMoved(1)).toEqual(waits('today it is 4'));
  office.clock.set('2026-10-13T07:00:00Z');
  expect(await twoMoved(1)).toEqual(['done']);
});

test('a week moves no more than three days may, and what is older than a week no longer counts', async () => {
  // The first in the evening of the 12th by the office's clock.
  for (const [place, hour] of ['13T03', '13T15', '14T15', '15T15'].entries()) {
    office.clock.set(`2026-10-${hour}:00:00Z`);
    expect(await twoMoved(place)).toEqual(['done']);
  }
  office.clock.set('2026-10-18T15:00:00Z');
  expect(await twoMoved(4)).toEqual(waits('this week it is 10'));
  office.clock.set('2026-10-19T15:00:00Z');
  expect(await twoMoved(4)).toEqual(['done']);
});

test('envelopes that were printed anew have other barcodes, however many files list them', async () => {
  for (const place of [0, 1, 2, 3, 4, 5]) {
    const again = [1, 2].map((one) => [2 * place + one, 500 + 2 * place + one] as const);
    expect(await load(again)).toEqual(['done']);
  }
});

test('many new envelopes in the files of a day allow as many faults as in one file', () => {
  const news: PieceNews = {
    ...{ changed: 2, known: 0, added: 2, datesOff: 0, redated: 0, ways: 1 },
    ...{ otherBarcodes: 0, moved: 1 },
  };
  const earlier = (changed: number) => ({ day: { changed, moved: 19 }, week: {} });
  expect(judgePieceNews(news, earlier(998))).toEqual([]);
  expect(judgePieceNews(news, earlier(997))).toMatchObject([{ code: 'barcodes-moved', rows: 1 }]);
});
