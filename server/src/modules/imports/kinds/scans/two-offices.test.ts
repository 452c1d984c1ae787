import { afterEach, beforeEach, expect, test } from 'vitest';
import { barcodeOf, createPieceOffice } from '../../../../../../testing/mail-pieces.ts';
import type { TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { createEstimateSettler } from '../../index.ts';

/** Two offices whose mail house gave the same barcode to a voter of each; that of lake keeps an earlier clock. */
let adams: TestOffice;
let lake: TestOffice;

beforeEach(async () => {
  adams = await createPieceOffice([1, 2], { time_zone: 'America/New_York' });
  lake = await createPieceOffice([1], { subdomain: 'lake', county: 'Lake' }, adams);
  for (const office of [adams, lake]) {
    await importPiece(office, 1);
    office.clock.set('2026-10-20T20:00:00Z');
  }
});
afterEach(async () => {
  await lake.close();
  await adams.close();
});

const importPiece = (office: TestOffice, voter: number) =>
  office.import(
    'beacon-mailpieces',
    `registration_id,election,mailed_on,outbound_imb\n${voter},7,2026-10-08,${barcodeOf(voter)}`,
  );

interface Scan {
  readonly voter?: number;
  readonly at: string;
  readonly phase?: string;
  readonly expected?: string;
}
async function push(office: TestOffice, { voter = 1, at, phase = '2a', expected }: Scan) {
  const event = {
    ...{ imb: `${barcodeOf(voter)}993011234`, scanDatetime: at, mailPhase: phase },
    ...{ handlingEventType: 'A', scanEventCode: '517', scanFacilityState: 'WA' },
    ...{ scanFacilityZip: '99201', ...(expected && { expectedDeliveryDate: expected }) },
  };
  const { report } = await office.import('usps-iv-mtr', JSON.stringify({ events: [event] }));
  return report;
}

/** `status, expected day, days of scans` of an office's first voter. */
async function seeFirst({ account, db }: TestOffice): Promise<unknown[]> {
  const { rows } = await sql<{ status: string; expected: string | null; scans: string[] }>`
    select b.current_status as status, b.outbound_expected_delivery_date as expected,
      array(select e.occurred_on::text from ballot_events e where e.ballot_id = b.ballot_id and e.scan_id is not null
        order by e.event_id) as scans
    from ballots b join voters v using (voter_id)
    where b.account_id = ${account.accountId} and v.registration_id = '1'`.execute(
    db.database.system,
  );
  return rows.flatMap(({ status, expected, scans }) => [status, expected, ...scans]);
}

test('a scan counts at each office that got it, and says nothing of another office’s envelope', async () => {
  const scan = { at: '2026-10-12T09:15:00', expected: '2026-10-15' };
  expect(await push(adams, scan)).toMatchObject({ rows: { added: 1 }, events: 1 });
  const known = ['in-transit', '2026-10-15', '2026-10-12'];
  expect(await seeFirst(adams)).toEqual(known);
  // A later scan that lake alone got.
  expect(await push(lake, { at: '2026-10-13T09:15:00' })).toMatchObject({ events: 1 });
  expect(await seeFirst(adams)).toEqual(known);
  expect(await seeFirst(lake)).toEqual(['in-transit', null, '2026-10-13']);
  expect(await push(lake, scan)).toMatchObject({ rows: { added: 1 }, events: 1 });
  expect(await seeFirst(lake)).toEqual(['in-transit', '2026-10-15', '2026-10-13', '2026-10-12']);
});

test('a barcode that only another office’s mail house gave is in no file', async () => {
  await importPiece(adams, 2);
  const scan = { voter: 2, at: '2026-10-12T09:15:00' };
  expect((await push(adams, scan)).warnings).toEqual([]);
  expect((await push(lake, scan)).warnings).toEqual([
    { message: expect.stringContaining('in no mail-piece file'), count: 1 },
  ]);
});

test('an estimate counts once its day is over by the clock of its own office', async () => {
  const scan = { at: '2026-10-20T06:12:00', phase: '3c' };
  for (const office of [adams, lake]) await push(office, scan);
  const settle = createEstimateSettler(adams.db.database, adams.clock);
  const statuses = async () => [(await seeFirst(adams))[0], (await seeFirst(lake))[0]];
  for (const [now, count, ...expected] of [
    ['2026-10-21T03:59:00Z', 0, 'in-transit', 'in-transit'],
    ['2026-10-21T04:01:00Z', 1, 'delivered', 'in-transit'],
    ['2026-10-21T06:59:00Z', 0, 'delivered', 'in-transit'],
    ['2026-10-21T07:01:00Z', 1, 'delivered', 'delivered'],
  ] as const) {
    adams.clock.set(now);
    expect([now, await settle()]).toEqual([now, count]);
    expect(await statuses()).toEqual(expected);
  }
});

test('an estimate counts while a file of another office is being imported', async () => {
  await push(lake, { at: '2026-10-20T06:12:00', phase: '3c' });
  adams.clock.set('2026-10-22T12:00:00Z');
  await adams.db.database.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('import'), ${adams.account.accountId})`.execute(
      tx,
    );
    expect(await createEstimateSettler(adams.db.database, adams.clock)()).toBe(1);
  });
});
