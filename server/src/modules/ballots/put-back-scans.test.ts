import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { runs } from '../../../../testing/runs.ts';
import { sql } from '../../../../testing/sql.ts';
import type { ImportId } from '../../platform/ids.ts';
import { findWaitingImport, putBackImport } from '../imports/index.ts';
import { buildStatusHistory, deriveBallotStatus } from './rules.ts';
import { readBallots } from './store.ts';

let office: TestOffice;
const voters = [1, 2, 3] as const;
const code = (stid: string, voter: number): string =>
  `00${stid}123456${String(voter).padStart(9, '0')}`;

beforeEach(openOffice);
afterEach(() => office.close());

async function openOffice(): Promise<void> {
  office = await createTestOffice();
  office.clock.set('2026-11-25T20:00:00Z');
  await office.addElection('7', '2026-12-08');
  await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode',
      ...voters.map((id) => `${id},Ann,Lee,01/02/1950,99301`),
    ].join('\n'),
  );
  await office.import(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on',
      ...voters.map((voter) => `${voter},7,sent,2026-11-1${voter}`),
    ].join('\n'),
  );
}

/** Of each voter, on whose envelopes the barcodes with this number are. */
async function importPieces(owners: readonly number[]): Promise<ImportId> {
  const rows = owners.map(
    (number, index) => `${index + 1},7,${code('716', number)},${code('777', number)}`,
  );
  return load(
    'beacon-mailpieces',
    ['registration_id,election,outbound_imb,inbound_imb', ...rows].join('\n'),
  );
}

/** @param rows status and days of each voter's ballot */
const importBallots = (rows: readonly string[]): Promise<ImportId> =>
  load(
    'beacon-ballots',
    [
      'registration_id,election,status,sent_on,returned_on,status_on',
      ...rows.map((row, index) => `${index + 1},7,${row}`),
    ].join('\n'),
  );

interface Scan {
  readonly stid: '716' | '777' | '270';
  readonly number: number;
  readonly day: number;
  readonly phase: string;
  readonly expected: string;
}
const importScans = (scans: readonly Scan[]): Promise<ImportId> =>
  load(
    'usps-iv-mtr',
    JSON.stringify({
      events: scans.map(({ stid, number, day, phase, expected }) => ({
        imb: `${code(stid, number)}99301`,
        scanDatetime: `2026-11-${day}T11:00:00`,
        mailPhase: phase,
        handlingEventType: 'A',
        scanEventCode: '517',
        scanFacilityState: 'WA',
        ...(expected && { expectedDeliveryDate: expected }),
      })),
    }),
  );

let files = 0;

/** Approved where the gate asks for it. */
async function load(format: string, content: string): Promise<ImportId> {
  files += 1;
  // No two files have the same bytes: a file that comes again says nothing new.
  const text = `${content}${'\n'.repeat(files)}`;
  const { importId, state } = await office.import(format, text);
  if (importId === null) throw new Error(`The file is ${state}.`);
  const released = await findWaitingImport(office.db.database.system, importId);
  if (released) await office.import(format, text, { released });
  return importId;
}

const putBack = (importId: ImportId) =>
  office.db.database.transaction((tx) => putBackImport(tx, importId, office.clock.now()));

/** What the voters see, and what later work goes by. */
async function readState() {
  const { database } = office.db;
  const db = database.forAccount(office.account.accountId);
  const { rows } = await sql<{
    voter_id: never;
    status: string;
    out: string | null;
    back: string | null;
  }>`
    select voter_id, b.current_status as status, b.outbound_expected_delivery_date as out,
      b.inbound_expected_delivery_date as back
    from ballots b join voters v using (voter_id) order by v.registration_id`.execute(
    database.system,
  );
  return Promise.all(
    rows.map(async ({ voter_id, ...stored }) => {
      const [shown] = await readBallots(db, {
        ...{ voterId: voter_id, isElectionActive: true, timeZone: office.account.timeZone },
      });
      const events = shown?.events ?? [];
      const { status, when } = deriveBallotStatus(events);
      return { ...stored, shown: [status, when], history: buildStatusHistory(events) };
    }),
  );
}

const inMail: Scan = { stid: '716', number: 1, day: 17, phase: '2a', expected: '2026-11-19' };
const onItsWayBack: Scan = { stid: '777', number: 2, day: 20, phase: '1', expected: '2026-11-24' };

test('scans of a wrong file count no longer, and count again once the right file has them', async () => {
  await importPieces([1, 2, 3]);
  await importScans([inMail]);
  const before = await readState();
  expect(before[0]).toMatchObject({ out: '2026-11-19', back: null });
  const wrong = await importScans([inMail, { ...inMail, day: 16 }, onItsWayBack]);
  expect((await readState())[1]).toMatchObject({ out: null, back: '2026-11-24' });
  expect((await readState()).map(({ status }) => status)).toEqual([
    ...['in-transit', 'return-in-transit', 'sent'],
  ]);
  expect(await putBack(wrong)).toEqual({ of: 'scans', withdrawn: 2 });
  expect(await readState()).toEqual(before);
  await importScans([onItsWayBack]);
  expect((await readState()).map(({ status }) => status)).toEqual([
    ...['in-transit', 'return-in-transit', 'sent'],
  ]);
});

test('a barcode whose day and way a wrong file changed has its own again', async () => {
  const importPiece = (way: string, day: string) =>
    load(
      'beacon-mailpieces',
      `registration_id,election,${way}_imb,mailed_on\n1,7,${code('270', 1)},2026-11-${day}`,
    );
  const readPieces = async () => {
    const { rows } = await sql<object>`
      select direction, mailed_on from mail_pieces`.execute(office.db.database.system);
    return rows;
  };
  await importPiece('outbound', '12');
  const wrong = await importPiece('inbound', '15');
  expect(await readPieces()).toEqual([{ direction: 'inbound', mailed_on: '2026-11-15' }]);
  await putBack(wrong);
  expect(await readPieces()).toEqual([{ direction: 'outbound', mailed_on: '2026-11-12' }]);
});

test('the days that USPS expects stay while the office’s files change the status', async () => {
  await importPieces([1, 2, 3]);
  await importScans([inMail, onItsWayBack]);
  await importBallots([
    'returned,2026-11-11,2026-11-21,',
    'returned,2026-11-12,2026-11-21,',
    'sent,2026-11-13,,',
  ]);
  expect(await readState()).toMatchObject([
    { status: 'returned', out: '2026-11-19', back: null },
    { status: 'returned', out: null, back: '2026-11-24' },
    { status: 'sent', out: null, back: null },
  ]);
});

test('scans of a wrong file that came before their barcodes count no longer', async () => {
  const wrong = await importScans([onItsWayBack]);
  await importPieces([1, 2, 3]);
  expect((await readState())[1]).toMatchObject({ status: 'return-in-transit' });
  await putBack(wrong);
  expect((await readState())[1]).toMatchObject({ status: 'sent', back: null });
});

test('ballots that a wrong file listed first have no record of the office any more, also once they were scanned', async () => {
  const { system } = office.db.database;
  const { rows } = await sql<{ import_id: ImportId }>`
    select import_id from imports where format = 'beacon-ballots'`.execute(system);
  await importPieces([1, 2, 3]);
  await importScans([inMail]);
  expect(await putBack(rows[0]?.import_id as ImportId)).toMatchObject({ restored: 3 });
  const { rows: records } = await sql<{ office_record: string | null }>`
    select office_record from ballots`.execute(system);
  expect(records).toEqual(voters.map(() => ({ office_record: null })));
});

describe('of an envelope whose barcode does not say its way', () => {
  const imb = code('270', 1);
  const importWay = (way: string) =>
    load('beacon-mailpieces', `registration_id,election,imb,direction\n1,7,${imb},${way}`);
  const seen: Scan = { ...inMail, stid: '270' };

  test('what a wrong file said of it counts no longer for what USPS saw before and since', async () => {
    await importWay('');
    await importScans([seen]);
    const before = await readState();
    const wrong = await importWay('inbound');
    await importScans([seen, { ...seen, day: 18 }]);
    expect((await readState())[0]).toMatchObject({
      ...{ status: 'return-in-transit', out: null, back: '2026-11-19' },
    });
    await putBack(wrong);
    expect(await readState()).toEqual(before);
    await importWay('outbound');
    expect((await readState())[0]).toMatchObject({
      ...{ status: 'in-transit', out: '2026-11-19', back: null },
    });
  });

  test('the word of a later file counts on when the file that was the first to list it is put back', async () => {
    const wrong = await importWay('');
    const right = await importWay('outbound');
    await importScans([seen]);
    const before = await readState();
    expect(before[0]).toMatchObject({ status: 'in-transit', out: '2026-11-19' });
    await putBack(wrong);
    expect(await readState()).toEqual(before);
    await putBack(right);
    expect((await readState())[0]).toMatchObject({ status: 'sent', out: null });
  });
});

test('what USPS saw while a wrong file had moved the barcodes goes to the right voters', async () => {
  await importPieces([1, 2, 3]);
  const wrong = await importPieces([2, 3, 1]);
  await importScans([inMail, onItsWayBack]);
  await putBack(wrong);
  expect((await readState()).map(({ status }) => status)).toEqual([
    ...['in-transit', 'return-in-transit', 'sent'],
  ]);
  const corrected = await readState();
  await office.close();
  await openOffice();
  await importPieces([1, 2, 3]);
  await importScans([inMail, onItsWayBack]);
  expect(corrected).toEqual(await readState());
});

test('whatever wrong files came between, the end is the one without them', async () => {
  const scan = fc.record({
    stid: fc.constantFrom('716', '777'),
    number: fc.constantFrom(...voters),
    day: fc.integer({ min: 14, max: 24 }),
    phase: fc.constantFrom('1a', '2a', '3c', '4c'),
    expected: fc.constantFrom('', '2026-11-23', '2026-11-27'),
  }) satisfies fc.Arbitrary<Scan>;
  const keyOf = ({ stid, number, day }: Scan) => `${stid} ${number} ${day}`;
  const scans = fc.uniqueArray(scan, { maxLength: 5, selector: keyOf });
  const owners = fc.shuffledSubarray([...voters], { minLength: 3 });
  const list = fc.array(
    fc.constantFrom(
      ...['sent,2026-11-11,,', 'sent,2026-11-18,,', 'reprinted,2026-11-11,,2026-11-18'],
      ...['returned,2026-11-11,2026-11-20,', 'accepted,2026-11-11,2026-11-20,2026-11-21'],
      ...['rejected,2026-11-11,2026-11-20,2026-11-21', 'undeliverable,2026-11-11,,2026-11-18'],
    ),
    { minLength: 3, maxLength: 3 },
  );
  const all = fc.record({ first: scans, wrong: scans, right: scans, moved: owners, list });
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 });
  await fc.assert(
    fc.asyncProperty(all, order, order, async (drawn, came, went) => {
      const take = async (hasWrong: boolean) => {
        await office.close();
        await openOffice();
        await importPieces([1, 2, 3]);
        await importScans(drawn.first);
        // What a wrong file adds to a scan that was known before stays.
        const known = new Set(drawn.first.map(keyOf));
        const wrongFiles = [
          () => importScans(drawn.wrong.filter((one) => !known.has(keyOf(one)))),
          () => importPieces(drawn.moved),
          () => importBallots(drawn.list),
        ];
        const wrong = new Map<number, ImportId>();
        for (const kind of hasWrong ? came : [])
          wrong.set(kind, (await wrongFiles[kind]?.()) as ImportId);
        await importScans(drawn.right);
        for (const kind of hasWrong ? went : []) await putBack(wrong.get(kind) as ImportId);
        // A scan that the wrong file had first counts again once the right file comes again.
        await importScans(drawn.right);
        return readState();
      };
      expect(await take(true)).toEqual(await take(false));
    }),
    { numRuns: runs(5), endOnFailure: true },
  );
});
