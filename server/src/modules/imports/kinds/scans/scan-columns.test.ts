import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

/** Of a First-Class ballot on its way out. */
const outbound = (voter: number): string => `00716123456${String(voter).padStart(9, '0')}`;

test('a table of scans is read under every name that its columns go by', async () => {
  const tables = [
    [
      'imb code,routing code,scan date time,operation code,event type,phase',
      'facility city,facility state,facility zip code,expected delivery',
    ],
    [
      'tracking code,delivery point,scan timestamp,event code,handlingEventType,mailPhase',
      'scanFacilityCity,scanFacilityState,scan facility zip code,expectedDeliveryDate',
    ],
  ];
  for (const [n, names] of tables.entries()) {
    const row = `${outbound(n + 1)},99301,2026-11-18T09:15:00,517,A,2a,Spokane,WA,99201,2026-11-20`;
    const { report } = await office.import('usps-iv-mtr', `${names.join(',')}\n${row}\n`);
    expect([report.rows.added, report.unknownColumns]).toEqual([1, []]);
  }
  const { rows } = await sql<object>`
    select routing_code, to_char(scanned_at, 'YYYY-MM-DD HH24:MI') as scanned_at, op_code, event_type, mail_phase,
      facility_city, facility_state, facility_zip, expected_delivery_date from mail_scans`.execute(
    office.db.database.system,
  );
  const scan = {
    ...{ routing_code: '99301', scanned_at: '2026-11-18 09:15', op_code: '517', event_type: 'A' },
    ...{ mail_phase: '2a', facility_city: 'Spokane', facility_state: 'WA', facility_zip: '99201' },
    expected_delivery_date: '2026-11-20',
  };
  expect(rows).toEqual([scan, scan]);
});

test('a barcode with its routing code goes before the tracking code beside it, and an older table names its ZIP code in full', async () => {
  const both = `imbTrackingCode,imb,scanDatetime\n${outbound(1)},${outbound(1)}993011234,2026-11-18T09:15:00\n`;
  await office.import('usps-iv-mtr', both);
  const older = `imb_digits,postnet,scan_date,scan_time,facility zip code\n${outbound(2)},99302,11/18/2026,09:15:00,99201\n`;
  const { report } = await office.import('usps-scan-records', older);
  expect(report.unknownColumns).toEqual([]);
  const { rows } = await sql<object>`
    select routing_code, facility_zip from mail_scans order by tracking_code`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([
    { routing_code: '993011234', facility_zip: '' },
    { routing_code: '99302', facility_zip: '99201' },
  ]);
});

test('a routing code within the barcode goes before that of another column', async () => {
  const table = `imb,routing code,scanDatetime\n${outbound(1)}993011234,99302,2026-11-18T09:15:00\n`;
  await office.import('usps-iv-mtr', table);
  const { rows } = await sql<{ routing_code: string }>`
    select routing_code from mail_scans`.execute(office.db.database.system);
  expect(rows).toEqual([{ routing_code: '993011234' }]);
});

test.each([
  ['Spokane,wa,99201', ['Spokane', 'WA', '99201']],
  ['Spokane,Washington,9920', ['Spokane', '', '']],
  ['Spokane,W,992011', ['Spokane', '', '']],
  [`${'x'.repeat(60)}y,WA,99201-1234`, ['x'.repeat(60), 'WA', '992011234']],
])('of a place written as %s what can be right is kept', async (written, kept) => {
  const names = 'imb,scanDatetime,scanFacilityCity,scanFacilityState,scanFacilityZip';
  await office.import('usps-iv-mtr', `${names}\n${outbound(1)},2026-11-18T09:15:00,${written}\n`);
  const { rows } = await sql<{ place: string[] }>`
    select array[facility_city, facility_state, facility_zip] as place from mail_scans`.execute(
    office.db.database.system,
  );
  expect(rows).toEqual([{ place: kept }]);
});

test('scans in other letters are the same scans', async () => {
  const scan = (event: string, phase: string, minute: number) =>
    `${outbound(1)},2026-11-18 09:${minute}:00,517,${event},${phase},Spokane,WA,99201`;
  const names =
    'imb,scanDatetime,scanEventCode,handlingEventType,mailPhase,scanFacilityCity,scanFacilityState,scanFacilityZip';
  const minutes = Array.from({ length: 20 }, (_, number) => 10 + number);
  const table = (event: string, phase: string) =>
    [names, ...minutes.map((minute) => scan(event, phase, minute))].join('\n');
  await office.import('usps-iv-mtr', table('A', 'Phase 2a'));
  const { state, report } = await office.import(
    'usps-iv-mtr',
    table('a', 'phase 2A').toLowerCase(),
  );
  expect([state, report.rows.added, report.events]).toEqual(['done', 0, 0]);
});

test('a scan is known again where its type is spelled out or a spreadsheet took the zeros of its operation', async () => {
  const scan = (voter: number, [event, operation]: readonly [string, string]) =>
    `${outbound(voter)},2026-11-18T09:15:00,${operation},${event}`;
  const names = 'imb,scanDatetime,scanEventCode,handlingEventType';
  const written = [
    [
      ['A', '091'],
      ['Actual', '91'],
      ['a', '0091'],
    ],
    [
      ['S', '517'],
      ['Assumed', '0517'],
      ['S - assumed', '517'],
    ],
    [
      ['L', ''],
      ['logical delivery', ''],
      ['LOGICAL', ''],
    ],
    [
      ['', '873'],
      ['', '0873'],
      ['', '873'],
    ],
    // What no table of meanings knows is kept, in capitals.
    [
      ['Z nine', 'KX'],
      ['z Nine', 'KX'],
      ['Z NINE', 'KX'],
    ],
  ] as const;
  for (const way of [0, 1, 2] as const) {
    const rows = written.map((ways, voter) => scan(voter, ways[way]));
    const { state, report } = await office.import('usps-iv-mtr', [names, ...rows].join('\n'));
    expect([state, report.rows.added]).toEqual(['done', way === 0 ? rows.length : 0]);
  }
  const { rows } = await sql<{ mark: string }>`
    select event_type || '/' || op_code as mark from mail_scans order by tracking_code`.execute(
    office.db.database.system,
  );
  expect(rows.map(({ mark }) => mark)).toEqual(['A/091', 'S/517', 'L/', '/873', 'Z NINE/KX']);
});

test('a table in which every barcode lost its zeros is refused, and one good row is enough to load it', async () => {
  const rows = [1, 2, 3].map((voter) => `71612345600000000${voter},2026-11-16 21:04:10`);
  const table = ['imb,scanDatetime', ...rows].join('\n');
  const { state, report } = await office.import('usps-iv-mtr', table);
  expect([state, report.refusedBecause]).toEqual([
    'refused',
    'None of the 3 rows can be read. The whole file was rejected.',
  ]);
  expect(report.refusals).toHaveLength(1);
  const mixed = await office.import(
    'usps-iv-mtr',
    `${table}\n00716123456000000004,2026-11-16 21:04:10`,
  );
  expect([mixed.state, mixed.report.rows]).toEqual([
    'done',
    expect.objectContaining({ added: 1, refused: 3 }),
  ]);
});
