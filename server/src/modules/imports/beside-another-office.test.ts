import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../testing/office.ts';
import { sql } from '../../../../testing/sql.ts';
import { findWaitingImport, type ImportOutcome } from './index.ts';

/** An office that is alone, one with the same files, and the other office in whose database that one is. */
let alone: TestOffice;
let office: TestOffice;
let other: TestOffice;
let folder: string;
let cureList: string;

beforeAll(async () => {
  alone = await createTestOffice();
  other = await createTestOffice({ subdomain: 'lake' });
  office = await createTestOffice({}, other);
  folder = mkdtempSync(join(tmpdir(), 'beacon-beside-'));
  cureList = join(folder, 'cure-list.json');
  const list = {
    ...{ name: 'cure-list', title: 'Open cases', source: 'The office', holds: 'ballots' },
    required: ['Voter', 'Election', 'Problem'],
    fields: {
      ...{ registration_id: 'Voter', election: 'Election' },
      ...{ ballot_number: 'Number', returned_on: 'Received' },
    },
    status: {
      columns: ['Problem'],
      rules: [{ when: { Problem: { filled: true } }, becomes: 'rejected-curable' }],
    },
    missing_rows: 'succeeded',
  };
  writeFileSync(cureList, JSON.stringify(list));
  for (const one of [alone, office]) await one.addElection('7', '2026-11-03');
  // Under the same number it is another election, and its files are of later days.
  await other.addElection('7', '2026-11-10');
});
afterAll(async () => {
  for (const one of [alone, office, other]) await one.close();
  rmSync(folder, { recursive: true });
});

interface File {
  readonly format: string;
  readonly name: string;
  readonly rows: readonly string[];
  readonly isFull?: boolean;
}

function load(one: TestOffice, { format, name, rows, isFull = false }: File, more: object = {}) {
  const bytes = Buffer.from(`${rows.join('\n')}\n`);
  const file = { name, size: bytes.length, open: () => Readable.from([bytes]) };
  return one.import(format, bytes, { file, isFull, ...more });
}

/** Loads a file whatever the gate says of it. */
async function force(one: TestOffice, file: File): Promise<void> {
  const { state, importId } = await load(one, file);
  if (state !== 'file-held' || importId === null) return;
  const released = await findWaitingImport(one.db.database.system, importId);
  await load(one, file, { released, operator: 'operator:second' });
}

/** All that is known of an office, without the numbers of rows. */
async function know({ db, account: { accountId } }: TestOffice): Promise<unknown[]> {
  const tables = [
    sql`select registration_id, firstname, lastname, birthdate, zipcode, is_active, is_confidential, token_comparison is null
      from voters where account_id = ${accountId} order by 1`,
    sql`select e.number, v.registration_id, b.ballot_number, b.current_status, b.office_record, b.outbound_expected_delivery_date,
        (select json_agg(array[n.kind::text, n.status, n.raw_status, n.occurred_on::text] order by n.event_id)
          from ballot_events n where n.ballot_id = b.ballot_id and n.account_id = b.account_id) as events
      from ballots b join elections e using (election_id) join voters v using (voter_id)
      where b.account_id = ${accountId} order by 2, 3`,
    sql`select p.tracking_code, p.direction, p.mailed_on, v.registration_id
      from mail_pieces p join ballots b using (ballot_id) join voters v using (voter_id)
      where p.account_id = ${accountId} order by 1, 4`,
    sql`select tracking_code, scanned_at, op_code, facility_city, expected_delivery_date
      from mail_scans where account_id = ${accountId} order by 1, 2`,
    sql`select format, state, rows_read, rows_refused from imports where account_id = ${accountId} order by import_id`,
  ];
  const found: unknown[] = [];
  for (const table of tables) found.push((await table.execute(db.database.system)).rows);
  return found;
}

/** A report without what is its import's own. */
function plain({ state, report }: ImportOutcome): unknown {
  const { reading: _, seconds: __, rejectsFile: ___, ...said } = report;
  const written = JSON.stringify([state, said]);
  return JSON.parse(written.replaceAll(/(import |correct |"ballot":|"election":)\d+/g, '$10'));
}

/**
 * @param name of the files, which begin alike
 * @param rows of the office, beside those of the other, which are loaded first
 * @returns the state of the office's import, which is the same as where the office is alone
 */
async function importBoth(
  day: string,
  file: Omit<File, 'rows'>,
  rows: readonly string[],
  othersRows: readonly string[],
): Promise<string> {
  for (const one of [alone, office]) one.clock.set(`${day}T15:00:00Z`);
  const later = new Date(Date.parse(day) + 5 * 86_400_000).toISOString();
  other.clock.set(`${later.slice(0, 10)}T15:00:00Z`);
  const named = (written: string) => ({
    ...file,
    name: `${file.name}-${written.slice(0, 10)}.csv`,
  });
  await force(other, { ...named(later), rows: othersRows });
  const others = await know(other);
  const own = { ...named(day), rows };
  const [expected, outcome] = [await load(alone, own), await load(office, own)];
  expect(plain(outcome)).toEqual(plain(expected));
  expect(await know(office)).toEqual(await know(alone));
  expect(await know(other)).toEqual(others);
  return outcome.state;
}

const people = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);
const rollHeader =
  'registration_id,firstname,lastname,birthdate,zipcode,is_active,is_confidential,security_token';
const person = (id: number | string, first: string, more = 'yes,no,') =>
  `${id},${first},Lee,01/02/1950,99301,${more}`;
const roll = { format: 'beacon-voters', name: 'roll' } as const;

/** Judged by its own office’s voters. */
async function importRolls(): Promise<void> {
  const hidden = (id: number) => (id <= 10 ? 'yes,yes,' : 'yes,no,');
  const first = [rollHeader, ...people(1, 60).map((id) => person(id, 'Ann', hidden(id)))];
  // Most of the other's are inactive, protected, and other people with the same tokens; and it has these IDs with a zero.
  const others = [
    rollHeader,
    ...people(1, 60).map((id) =>
      person(id, 'Bea', `${id > 30 ? 'no' : 'yes'},yes,k7qm-${id}-3xpd`),
    ),
    ...people(101, 110).map((id) => person(`0${id}`, 'Cai')),
  ];
  const load = (day: string, rows: readonly string[], isFull = false) =>
    importBoth(day, { ...roll, isFull }, rows, others);
  await importWrongRolls();
  expect(await load('2026-10-01', first)).toBe('done');
  const added = people(101, 105).map((id) => person(id, 'Dee', `yes,no,k7qm-${id}-3xpd`));
  const tokens = people(1, 60).map((id) => person(id, 'Ann', `${hidden(id)}k7qm-${id}-3xpd`));
  expect(await load('2026-10-02', [rollHeader, ...tokens, ...added])).toBe('done');
  const unhidden = people(1, 3).map((id) => person(id, 'Ann'));
  expect(await load('2026-10-03', [rollHeader, ...unhidden])).toBe('file-held');
  const most = [...tokens.slice(0, 50), ...added];
  expect(await load('2026-10-04', [rollHeader, ...most], true)).toBe('file-held');
  const some = [...tokens.slice(0, 58), ...added];
  expect(await load('2026-10-05', [rollHeader, ...some], true)).toBe('done');
}

/** Of a first roll that waits, the examples are its own office’s voters. */
async function importWrongRolls(): Promise<void> {
  const header = 'registration_id,firstname,lastname,birthdate,zipcode,county';
  const wrong = (county: string) => ({
    ...roll,
    rows: [header, ...people(1, 60).map((id) => person(id, 'Ann', county))],
  });
  await force(other, wrong('Clay'));
  for (const one of [alone, office]) {
    const { report } = await load(one, wrong('Benton'));
    const examples = Array.from({ length: 5 }, () => ({ from: 'Adams', to: 'Benton' }));
    expect(report.gate).toMatchObject([{ code: 'other-county', examples }]);
  }
}

const ballotHeader = 'registration_id,election,ballot_number,status,sent_on,returned_on,status_on';
const ballots = { format: 'beacon-ballots', name: 'ballots' } as const;
const ballot = (id: number, status: string, returned = '', decided = returned) =>
  `${id},7,A${id},${status},10/05/2026,${returned},${decided}`;

/** Judged by what its own office said before. */
async function importBallots(): Promise<void> {
  const load = (day: string, of: (id: number) => string, othersOf: (id: number) => string) =>
    importBoth(
      day,
      ballots,
      [ballotHeader, ...people(1, 55).map(of)],
      [ballotHeader, ...people(1, 60).map(othersOf)],
    );
  const back = '10/12/2026';
  const sent = (id: number) => ballot(id, 'sent');
  const returned = (most: number) => (id: number) =>
    id <= most ? ballot(id, 'returned', back) : sent(id);
  const rejected = (from: number) => (id: number) =>
    ballot(id, id < from ? 'rejected' : 'accepted', '10/14/2026');
  expect(await load('2026-10-06', sent, rejected(50))).toBe('done');
  expect(await load('2026-10-13', returned(15), rejected(1))).toBe('done');
  expect(await load('2026-10-14', returned(15), rejected(50))).toBe('nothing-new');
  const refused = (id: number) =>
    id <= 12 ? ballot(id, 'rejected', back, '10/15/2026') : returned(15)(id);
  expect(await load('2026-10-15', refused, rejected(1))).toBe('file-held');
  expect(await load('2026-10-16', returned(18), rejected(50))).toBe('done');
}

/** What a list lacks is of its own office. */
async function importCases(): Promise<void> {
  const list = { format: cureList, name: 'cures' };
  const header = 'Voter,Election,Number,Received,Problem';
  const cases = (...ids: number[]) => [
    header,
    ...ids.map((id) => `${id},7,A${id},10/17/2026,No signature`),
  ];
  const load = (day: string, own: readonly string[], others: readonly string[]) =>
    importBoth(day, list, own, others);
  expect(await load('2026-10-18', cases(41, 42, 43), cases(41, 42, 43, 44))).toBe('done');
  expect(await load('2026-10-19', cases(41, 42), cases(43, 44))).toBe('done');
  expect(await load('2026-10-20', cases(41, 42), cases(44))).toBe('done');
  const [, ballotsNow] = await know(office);
  expect(ballotsNow).toContainEqual(
    expect.objectContaining({ registration_id: '43', current_status: 'accepted' }),
  );
}

const code = (serial: number) => `00716123456${String(serial).padStart(9, '0')}`;

/** Barcodes are its own office’s, also where another has the same. */
async function importScans(): Promise<void> {
  const pieces = (from: number, to: number, mailed: string) => [
    'registration_id,election,ballot_number,mailed_on,outbound_imb',
    ...people(from, to).map((id) => `${id},7,A${id},${mailed},${code(id)}`),
  ];
  const asPieces = { format: 'beacon-mailpieces', name: 'pieces' };
  // The other's are of ballots with other numbers, which do not fall in the way of ours.
  const others = pieces(21, 50, '10/15/2026').map((row) => row.replace(/^(\d+),7,A\d+,/, '$1,7,,'));
  expect(await importBoth('2026-10-21', asPieces, pieces(21, 32, '10/06/2026'), others)).toBe(
    'done',
  );
  const scans = (from: number, to: number, ...at: readonly string[]) => [
    JSON.stringify({
      events: people(from, to).flatMap((id) =>
        at.map((scanDatetime) => ({
          ...{ imb: `${code(id)}993011234`, scanDatetime, mailPhase: '2a' },
          ...{ handlingEventType: 'A', scanEventCode: '517', scanFacilityZip: '99201' },
        })),
      ),
    }),
  ];
  const asScans = { format: 'usps-iv-mtr', name: 'scans' };
  const [early, first, late] = ['20T09:00:00', '22T09:00:00', '24T11:00:00'].map(
    (time) => `2026-10-${time}`,
  ) as [string, string, string];
  const others1 = scans(21, 50, early, late);
  expect(await importBoth('2026-10-25', asScans, scans(21, 24, first), others1)).toBe('done');
  // What it brings now the other has had for long, and of some barcodes the other alone has an envelope.
  const mine = scans(21, 40, early, late);
  expect(await importBoth('2026-10-26', asScans, mine, scans(21, 50, first))).toBe('done');
  const [, ballotsNow] = await know(office);
  expect(ballotsNow).toContainEqual(
    expect.objectContaining({ registration_id: '21', current_status: 'in-transit' }),
  );
}

test('whatever an office imports comes out as if no other office had the same voters, elections and barcodes', async () => {
  await importRolls();
  await importBallots();
  await importCases();
  await importScans();
});
