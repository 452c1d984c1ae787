import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { findWaitingImport, putBackImport } from '../../index.ts';
import { judgePieceNews, pieceFaults } from './gate-rules.ts';

let office: TestOffice;
const voters = Array.from({ length: 30 }, (_, n) => n + 1);

beforeEach(async () => {
  office = await createPieceOffice(voters);
});
afterEach(() => office.close());

interface Piece {
  readonly serial: number;
  readonly printedOn?: string;
  readonly mailedOn?: string;
}
const rowOf = (voter: number, { serial, printedOn, mailedOn }: Piece) =>
  [voter, 7, printedOn ?? '2026-10-01', mailedOn ?? '2026-10-05', barcodeOf(serial)].join(',');
const importPieces = (change: (voter: number) => Piece, of = voters, name = 'pieces.csv') => {
  const rows = of.map((voter) => rowOf(voter, change(voter)));
  const text = ['registration_id,election,printed_on,mailed_on,outbound_imb', ...rows].join('\n');
  return importText(text, name);
};
async function importText(text: string, name: string, more: object = {}) {
  const bytes = Buffer.from(text);
  return office.import('beacon-mailpieces', text, {
    file: { name, size: bytes.length, open: () => Readable.from([bytes]) },
    ...more,
  });
}

/** What voters see of their envelopes. */
async function see(): Promise<unknown> {
  const { rows } = await sql`
    select v.registration_id, b.current_status, p.tracking_code, p.mailed_on,
      (select array_agg(e.occurred_on order by e.event_id) from ballot_events e where e.ballot_id = b.ballot_id
        and not exists (select from withdrawn_imports w where w.import_id = e.import_id)) as days
    from ballots b join voters v using (voter_id) left join mail_pieces p using (ballot_id)
    order by v.registration_id, p.mail_piece_id`.execute(office.db.database.system);
  return rows;
}

describe('a mail house’s file waits, and no voter sees anything of it', () => {
  beforeEach(async () => {
    expect((await importPieces((serial) => ({ serial }))).state).toBe('done');
  });

  test.each<[string, string, (voter: number) => Piece]>([
    [
      'the day of printing and mailing changed places',
      'other-dates',
      (serial) => ({ serial, printedOn: '2026-10-05', mailedOn: '2026-10-01' }),
    ],
    [
      'its envelopes were mailed a year ago',
      'dates-off',
      (serial) => ({ serial, mailedOn: '2025-10-05' }),
    ],
    [
      'its envelopes will be printed in a month',
      'dates-off',
      (serial) => ({ serial, printedOn: '2026-11-05' }),
    ],
    [
      'every barcode is the one of the row below',
      'barcodes-moved',
      (voter) => ({ serial: (voter % 30) + 1 }),
    ],
    [
      'its barcodes are those of another office',
      'other-barcodes',
      (voter) => ({ serial: 700_000 + voter }),
    ],
  ])('when %s', async (_, code, change) => {
    const before = await see();
    const { state, report } = await importPieces(change);
    expect(state).toBe('file-held');
    const reason = report.gate?.find((one) => one.code === code);
    expect(reason?.rows).toBe(30);
    expect(reason?.examples).toHaveLength(5);
    expect(await see()).toEqual(before);
  });

  test('when its few new barcodes are all another office’s, beside days that were corrected', async () => {
    const { state, report } = await importPieces((voter) => ({
      serial: voter > 26 ? 700_000 + voter : voter,
      mailedOn: voter > 6 ? '2026-10-05' : '2026-10-06',
    }));
    expect([state, report.gate?.map(({ code, rows }) => [code, rows])]).toEqual([
      'file-held',
      [['other-barcodes', 4]],
    ]);
  });

  test('when barcodes moved, and its examples name the voters who had them', async () => {
    const { report } = await importPieces((voter) => ({ serial: (voter % 30) + 1 }));
    const reason = report.gate?.find(({ code }) => code === 'barcodes-moved');
    expect(reason?.examples?.[0]).toEqual({
      voter: '1',
      from: 'barcode of another envelope',
      to: `barcode ${barcodeOf(2)} of voter 2`,
      line: 2,
    });
  });

  test('when it is the file of an earlier day', async () => {
    await importPieces((serial) => ({ serial }), [1, 2], 'pieces-2026-10-07.csv');
    const before = await see();
    const old = await importPieces(
      (serial) => ({ serial, mailedOn: '2026-10-06' }),
      [3],
      'pieces-2026-10-06.csv',
    );
    expect([old.state, old.report.gate?.[0]?.detail]).toEqual([
      'file-held',
      'This is the file of Oct 6; the file of Oct 7 is already in (import 4).',
    ]);
    expect(old.report.gate?.[0]?.examples).toHaveLength(1);
    expect(await see()).toEqual(before);
  });

  test.each<[string, (voter: number) => Piece]>([
    ['new barcodes', (voter) => ({ serial: 700_000 + voter, printedOn: '2026-10-02' })],
    ['other days', (serial) => ({ serial, mailedOn: '2025-10-05' })],
  ])('until a second person approves it, and its %s go when it is corrected', async (_, change) => {
    const before = await see();
    const rows = voters.map((voter) => rowOf(voter, change(voter)));
    const text = ['registration_id,election,printed_on,mailed_on,outbound_imb', ...rows].join('\n');
    const { importId, state } = await importText(text, 'wrong.csv');
    expect(state).toBe('file-held');
    if (importId === null) throw new Error('A waiting file has a number.');
    const { database } = office.db;
    const released = await findWaitingImport(database.system, importId);
    expect((await importText(text, 'wrong.csv', { released })).state).toBe('released');
    expect(await see()).not.toEqual(before);
    await database.transaction((tx) => putBackImport(tx, importId, office.clock.now()));
    expect(await see()).toEqual(before);
    // The right file says the same again, as if there had been no wrong one.
    expect((await importPieces((serial) => ({ serial }))).state).toBe('done');
    expect(await see()).toEqual(before);
  });
});

describe('a mail house’s file is loaded', () => {
  test('when it lists a part of the ballots, then the others, then all of them again', async () => {
    const same = (serial: number) => ({ serial });
    expect((await importPieces(same, voters.slice(0, 10))).state).toBe('done');
    expect((await importPieces(same, voters.slice(10))).state).toBe('done');
    const { state, report } = await importPieces(same);
    expect([state, report.rows]).toEqual(['done', expect.objectContaining({ unchanged: 30 })]);
  });

  test('when envelopes are to be mailed next week, or a few days were corrected', async () => {
    const planned = (serial: number) => ({ serial, mailedOn: '2026-10-15' });
    expect((await importPieces(planned)).state).toBe('done');
    const corrected = (voter: number) =>
      voter > 8 ? planned(voter) : { serial: voter, mailedOn: '2026-10-14' };
    expect((await importPieces(corrected)).state).toBe('done');
  });

  test('when the return envelopes come in a file of their own', async () => {
    await importPieces((serial) => ({ serial }));
    const rows = voters.map(
      (voter) => `${voter},7,${barcodeOf(voter).replace(/^00\d{3}/, '00777')}`,
    );
    const text = ['registration_id,election,inbound_imb', ...rows].join('\n');
    const { state, report } = await importText(text, 'return.csv');
    expect([state, report.gate ?? [], report.rows.added]).toEqual(['done', [], voters.length]);
  });

  test('when it exchanges the envelopes of two voters, and lists for the first time in which all return their ballots', async () => {
    await importPieces((serial) => ({ serial }));
    const rows = voters.map((voter) => {
      const back = barcodeOf(voter).replace(/^00\d{3}/, '00777');
      return `${voter},7,${barcodeOf(voter < 3 ? 3 - voter : voter)},${back}`;
    });
    const text = ['registration_id,election,outbound_imb,inbound_imb', ...rows].join('\n');
    const { state, report } = await importText(text, 'pieces.csv');
    expect([state, report.gate ?? [], report.rows.added]).toEqual(['done', [], 32]);
  });

  test('when a few envelopes were printed anew, and their return envelopes are listed for the first time', async () => {
    await importPieces((serial) => ({ serial }));
    const rows = voters.map((voter) => {
      if (voter > 3) return `${voter},7,${barcodeOf(voter)},`;
      return `${voter},7,${barcodeOf(900 + voter)},${barcodeOf(voter).replace(/^00\d{3}/, '00777')}`;
    });
    const text = ['registration_id,election,outbound_imb,inbound_imb', ...rows].join('\n');
    const { state, report } = await importText(text, 'pieces.csv');
    expect([state, report.gate ?? [], report.rows.added]).toEqual(['done', [], 6]);
  });

  test('when a second envelope is listed beside the first', async () => {
    const first = voters.map((voter) => rowOf(voter, { serial: voter }));
    const header = 'registration_id,election,printed_on,mailed_on,outbound_imb';
    await importText([header, ...first].join('\n'), 'pieces.csv');
    const second = voters.map((voter) => rowOf(voter, { serial: 500 + voter }));
    const both = await importText([header, ...first, ...second].join('\n'), 'pieces.csv');
    expect(both.state).toBe('done');
  });

  test.each(['2026-08-02', ''])(
    'when a serial number comes round after its 45 days: mailed on "%s"',
    async (mailedOn) => {
      const early = (voter: number) => ({ serial: voter, printedOn: '2026-08-01', mailedOn });
      // Without a day of mailing, the day of the file counts.
      office.clock.set('2026-08-03T15:00:00Z');
      await importPieces(early, voters.slice(0, 15));
      office.clock.set('2026-10-08T15:00:00Z');
      const again = (voter: number) => ({ serial: voter - 15 });
      expect((await importPieces(again, voters.slice(15))).state).toBe('done');
    },
  );
});

test.each([
  ['printed', '2026-10-08', '2026-10-09'],
  ['mailed', '2026-10-22', '2026-10-23'],
  ['printed', '2026-01-07', '2026-01-06'],
  ['mailed', '2026-01-07', '2026-01-06'],
])(
  'envelopes for November 3 may be %s on %s, and on October 8 a file with %s waits',
  async (day, last, off) => {
    const importDay = (date: string) => importPieces((serial) => ({ serial, [`${day}On`]: date }));
    expect((await importDay(off)).report.gate?.map(({ code }) => code)).toEqual(['dates-off']);
    expect((await importDay(last)).state).toBe('done');
  },
);

test.each([
  ['2026-08-24', 'done'],
  ['2026-08-25', 'file-held'],
])(
  'on October 8, barcodes of envelopes mailed on %s move to those of other voters: %s',
  async (mailedOn, state) => {
    office.clock.set('2026-08-26T15:00:00Z');
    const early = await importPieces(
      (serial) => ({ serial, printedOn: '2026-08-20', mailedOn }),
      voters.slice(0, 15),
    );
    expect(early.state).toBe('done');
    office.clock.set('2026-10-08T15:00:00Z');
    const again = await importPieces((voter) => ({ serial: voter - 15 }), voters.slice(15));
    expect(again.state).toBe(state);
  },
);

test('a day of mailing that was sorted without the others waits, and a corrected tray does not', async () => {
  await office.close();
  const many = Array.from({ length: 60 }, (_, n) => n + 1);
  office = await createPieceOffice(many);
  const load = (mailedOn: (voter: number) => string) =>
    importPieces((serial) => ({ serial, mailedOn: mailedOn(serial) }), many);
  const dayOf = (voter: number) => `2026-10-0${5 + (voter % 5)}`;
  expect((await load(dayOf)).state).toBe('done');
  const tray = await load((voter) => (voter % 5 === 0 ? '2026-10-04' : dayOf(voter)));
  expect(tray.state).toBe('done');
  const mixed = await load((voter) => (voter > 45 ? dayOf(voter + 1) : dayOf(voter)));
  expect([mixed.state, mixed.report.gate?.[0]?.code]).toEqual(['file-held', 'other-dates']);
  expect(mixed.report.gate?.[0]?.detail).toContain('or was one sorted without the others?');
});

test('three barcodes that moved wait, however many rows beside them change nothing', async () => {
  await office.close();
  const many = Array.from({ length: 160 }, (_, n) => n + 1);
  office = await createPieceOffice(many);
  expect((await importPieces((serial) => ({ serial }), many)).state).toBe('done');
  const before = await see();
  const { state, report } = await importPieces(
    (voter) => ({ serial: voter > 3 ? voter : (voter % 3) + 1 }),
    many,
  );
  expect([state, report.gate?.map(({ code }) => code)]).toEqual(['file-held', ['barcodes-moved']]);
  expect(await see()).toEqual(before);
});

test('a limit’s number of rows is ordinary, and one more is not', () => {
  const quiet = {
    changed: 1_000,
    known: 1_000,
    added: 0,
    datesOff: 0,
    redated: 0,
    ways: 1,
    otherBarcodes: 0,
    moved: 0,
  };
  const codes = (news: Partial<typeof quiet>) =>
    judgePieceNews({ ...quiet, ...news }).map(({ code }) => code);
  expect(codes({})).toEqual([]);
  expect([codes({ datesOff: 20 }), codes({ datesOff: 21 })]).toEqual([[], ['dates-off']]);
  expect([codes({ redated: 333 }), codes({ redated: 334 })]).toEqual([[], ['other-dates']]);
  expect([codes({ added: 10, otherBarcodes: 5 }), codes({ added: 10, otherBarcodes: 6 })]).toEqual([
    [],
    ['other-barcodes'],
  ]);
  expect([codes({ moved: 20 }), codes({ moved: 21 })]).toEqual([[], ['barcodes-moved']]);
  const all = {
    changed: 2,
    known: 2,
    added: 2,
    datesOff: 2,
    redated: 2,
    ways: 1,
    otherBarcodes: 2,
    moved: 2,
  };
  expect(codes(all)).toEqual([]);
  expect(codes({ ...all, datesOff: 3, redated: 3, otherBarcodes: 3, moved: 3 })).toEqual([
    ...pieceFaults,
  ]);
});
