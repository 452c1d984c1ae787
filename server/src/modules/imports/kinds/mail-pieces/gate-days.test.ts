import { afterEach, beforeEach, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';

let office: TestOffice;
const voters = Array.from({ length: 12 }, (_, n) => n + 1);

beforeEach(async () => {
  office = await createPieceOffice(voters);
});
afterEach(() => office.close());

async function importPieces(of: {
  readonly printed?: string;
  readonly mailed?: string;
  readonly serial?: (voter: number) => number;
}): Promise<string[]> {
  const { printed = '', mailed = '', serial = (voter) => voter } = of;
  const rows = voters.map((voter) => `${voter},7,${printed},${mailed},${barcodeOf(serial(voter))}`);
  const header = 'registration_id,election,printed_on,mailed_on,outbound_imb';
  const { report } = await office.import('beacon-mailpieces', [header, ...rows].join('\n'));
  return (report.gate ?? []).map(({ code }) => code);
}

test.each([
  ['printed today', { printed: '2026-10-08' }, false],
  ['printed tomorrow', { printed: '2026-10-09' }, true],
  ['to be mailed in two weeks', { mailed: '2026-10-22' }, false],
  ['to be mailed later', { mailed: '2026-10-23' }, true],
  ['printed 300 days before the election', { printed: '2026-01-07' }, false],
  ['printed 301 days before the election', { printed: '2026-01-06' }, true],
  ['mailed 300 days before the election', { mailed: '2026-01-07' }, false],
  ['mailed 301 days before the election', { mailed: '2026-01-06' }, true],
])('envelopes %s', async (_, days, waits) => {
  expect(await importPieces(days)).toEqual(waits ? ['dates-off'] : []);
});

test.each([
  ['2027-01-02', false],
  ['2027-01-03', true],
])('envelopes mailed on %s, two months after the election', async (mailed, waits) => {
  office.clock.set('2027-01-20T15:00:00Z');
  expect(await importPieces({ mailed })).toEqual(waits ? ['dates-off'] : []);
});

test.each([
  ['44 days', '2026-10-05', '2026-11-18T20:00:00Z', true],
  ['45 days', '2026-10-05', '2026-11-19T20:00:00Z', false],
  // Without a day of mailing they count from its file, of October 8.
  ['44 days of its file', '', '2026-11-21T20:00:00Z', true],
  ['45 days of its file', '', '2026-11-22T20:00:00Z', false],
])(
  'a number that USPS scanned is used again by another ballot after %s',
  async (_, known, now, waits) => {
    expect(await importPieces({ printed: '2026-10-01', mailed: known })).toEqual([]);
    office.clock.set(now);
    const mailed = now.slice(0, 10);
    const codes = await importPieces({ mailed, serial: (voter) => (voter % voters.length) + 1 });
    expect(codes.includes('barcodes-moved')).toBe(waits);
  },
);
