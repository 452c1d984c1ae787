// Longer than 400 lines: every test pushes scans of the same office and its envelopes, through the same helpers.
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import {
  createEstimateSettler,
  describeReport,
  listFormats,
  recognizeFormat,
} from '../../index.ts';

let office: TestOffice;

/** Of First-Class ballots on their way out, and of reply envelopes. */
const code = (stid: string, voter: number): string =>
  `00${stid}123456${String(voter).padStart(9, '0')}`;
const outbound = (voter: number) => code('716', voter);
const inbound = (voter: number) => code('777', voter);

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-12-08');
  const voters = [1, 2, 3].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...voters].join('\n'),
  );
});
afterEach(() => office.close());

const importBallots = (...rows: string[]) =>
  office.import(
    'beacon-ballots',
    ['registration_id,election,status,sent_on,returned_on,status_on', ...rows].join('\n'),
  );
const importPieces = (...voters: number[]) =>
  office.import(
    'beacon-mailpieces',
    [
      'registration_id,election,outbound_imb,inbound_imb',
      ...voters.map((voter) => `${voter},7,${outbound(voter)},${inbound(voter)}`),
    ].join('\n'),
  );

const untold = {
  message:
    'the barcode is in no mail-piece file yet: the scan is kept, and shown once a file names it',
  count: 1,
};

interface Event {
  readonly imb?: string;
  readonly at: string;
  readonly phase?: string;
  readonly type?: string;
  readonly code?: string;
  readonly expected?: string;
}
/** As the post office pushes it. */
const pushed = ({ imb = outbound(1), at, phase = '2a', type = 'A', ...more }: Event) => ({
  imb: `${imb}993011234`,
  scanDatetime: at,
  mailPhase: phase,
  handlingEventType: type,
  scanEventCode: more.code ?? '517',
  scanFacilityState: 'WA',
  scanFacilityZip: '99201',
  ...(more.expected && { expectedDeliveryDate: more.expected }),
});
const push = (...events: Event[]) =>
  office.import('usps-iv-mtr', JSON.stringify({ msgGrpId: 'g1', events: events.map(pushed) }));

async function shownOf(voter: string): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    select concat_ws(' ', e.kind, e.status, coalesce(to_char(e.occurred_at at time zone 'America/Los_Angeles', 'YYYY-MM-DD HH24:MI'),
      e.occurred_on::text)) as event
    from ballot_events e join ballots b using (ballot_id) join voters v using (voter_id)
    where v.registration_id = ${voter} order by e.event_id`.execute(office.db.database.system);
  return rows.map((row) => row.event);
}
async function ballotOf(voter: string) {
  const { rows } = await sql<{ status: string; out: string | null; back: string | null }>`
    select b.current_status as status, b.outbound_expected_delivery_date as out,
      b.inbound_expected_delivery_date as back
    from ballots b join voters v using (voter_id) where v.registration_id = ${voter}`.execute(
    office.db.database.system,
  );
  return rows[0];
}

describe('a scan of a ballot’s envelope', () => {
  beforeEach(async () => {
    await importBallots('1,7,sent,2026-11-16,,', '2,7,sent,2026-11-16,,');
    await importPieces(1, 2);
  });

  test('shows the ballot in the mail, then likely delivered, then on its way back, each with its time', async () => {
    await push({ at: '2026-11-17T09:15:00', phase: 'Phase 1a - Origin Primary' });
    expect(await ballotOf('1')).toMatchObject({ status: 'in-transit' });
    await push({ at: '2026-11-19T11:02:10', phase: '4c' });
    expect(await ballotOf('1')).toMatchObject({ status: 'delivered' });
    await push({ imb: inbound(1), at: '2026-11-20T18:40:00', phase: '1' });
    expect(await ballotOf('1')).toMatchObject({ status: 'return-in-transit' });
    expect(await shownOf('1')).toEqual([
      'office sent 2026-11-16',
      'scan in-transit 2026-11-17 09:15',
      'scan delivered 2026-11-19 11:02',
      'scan return-in-transit 2026-11-20 18:40',
    ]);
    expect(await ballotOf('2')).toMatchObject({ status: 'sent' });
  });

  test('the report counts the ballots that moved, and says that it counts no others', async () => {
    await office.addElection('8', '2026-12-15');
    const { report } = await push({ at: '2026-11-17T09:15:00', phase: '1a' });
    expect(describeReport(report, 'scans.json').split('\n').slice(2)).toEqual([
      '',
      '    ballots that moved       before        after',
      '    7 in-transit                  0            1  (+1)',
      '    7 sent                        1            0  (−1)',
    ]);
    const later = await push({ at: '2026-11-17T10:15:00', phase: '1a' });
    expect(describeReport(later.report, 'scans.json').split('\n').slice(2)).toEqual([
      ...['', '    no ballot gets another status'],
    ]);
  });

  test('a scan of an unknown envelope is kept, and becomes an event once its piece is known', async () => {
    await importBallots('3,7,sent,2026-11-16,,');
    const { report } = await push({ imb: outbound(3), at: '2026-11-18T09:15:00' });
    expect(report.rows).toMatchObject({ read: 1, added: 1, refused: 0 });
    expect(report.events).toBe(0);
    expect(report.warnings).toEqual([untold]);
    expect(await ballotOf('3')).toMatchObject({ status: 'sent' });
    const pieces = await importPieces(3);
    expect(pieces.report.events).toBe(1);
    expect(await ballotOf('3')).toMatchObject({ status: 'in-transit' });
  });

  test('the same scan by push, in a pulled file and again is one', async () => {
    const event = { at: '2026-11-17T09:15:00', phase: '2a' };
    await push(event);
    const { imb, ...scan } = pushed(event);
    const pulled = {
      data: {
        imb,
        expected_delivery_date: '2026-11-19',
        scans: [
          {
            scan_date_time: scan.scanDatetime,
            scan_event_code: scan.scanEventCode,
            handling_event_type: 'A',
            mail_phase: '2a',
          },
        ],
      },
    };
    const again = await office.import('usps-iv-mtr', JSON.stringify(pulled));
    expect(again.report.rows).toMatchObject({ added: 0, changed: 1 });
    const third = await push(event, event);
    expect(third.report.rows).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    expect((await shownOf('1')).filter((line) => line.startsWith('scan'))).toHaveLength(1);
    // What only one of the tellings had is not lost by another.
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-19' });
  });

  test('the envelope is expected on the day that the latest scan names, also an earlier one', async () => {
    await push({ at: '2026-11-18T09:15:00', expected: '2026-11-19' });
    await push({ at: '2026-11-17T09:15:00', expected: '2026-11-21' });
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-19' });
  });

  test('a first file with a scan twice keeps it once, with all that either row says', async () => {
    const event = { at: '2026-11-17T09:15:00' };
    const { report } = await push({ ...event, expected: '2026-11-19' }, event, {
      at: '2026-11-18T07:00:00',
    });
    expect(report.rows).toMatchObject({ read: 3, added: 2, changed: 0, unchanged: 1 });
    expect((await shownOf('1')).slice(1)).toEqual([
      'scan in-transit 2026-11-17 09:15',
      'scan in-transit 2026-11-18 07:00',
    ]);
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-19' });
  });

  test('ten scans of a day are one event, the first of them, in whatever order they came', async () => {
    for (const hour of ['15', '09', '12', '11', '10'])
      await push({ at: `2026-11-17T${hour}:00:00` });
    const { rows } = await sql<{ count: number }>`select count(*) from mail_scans`.execute(
      office.db.database.system,
    );
    expect(rows[0]?.count).toBe(5);
    expect((await shownOf('1')).slice(1)).toEqual([
      'scan in-transit 2026-11-17 15:00',
      'scan in-transit 2026-11-17 09:00',
    ]);
    const { rows: current } = await sql<{ at: string }>`
      select to_char(e.occurred_at at time zone 'America/Los_Angeles', 'HH24') as at
      from ballots b join ballot_events e on e.event_id = b.current_event_id
      join voters v on v.voter_id = b.voter_id where v.registration_id = '1'`.execute(
      office.db.database.system,
    );
    expect(current[0]?.at).toBe('09');
  });

  test('a scan never proves receipt, and never undoes what the office says', async () => {
    await importBallots('1,7,accepted,2026-11-16,2026-11-19,2026-11-20');
    await push(
      { at: '2026-11-20T11:00:00', phase: '4c' },
      { imb: inbound(1), at: '2026-11-20T12:00:00', phase: '4c' },
    );
    expect(await ballotOf('1')).toMatchObject({ status: 'accepted' });
    await push({ imb: inbound(2), at: '2026-11-20T12:00:00', phase: '4c' });
    expect(await ballotOf('2')).toMatchObject({ status: 'return-in-transit' });
  });

  test('an office’s record after the scans counts with them: mailed before, the scan stays; after, it is old', async () => {
    await push({ at: '2026-11-17T11:00:00' });
    await importBallots('1,7,sent,2026-11-15,,');
    expect(await ballotOf('1')).toMatchObject({ status: 'in-transit' });
    await importBallots('1,7,reprinted,2026-11-19,,2026-11-19');
    expect(await ballotOf('1')).toMatchObject({ status: 'reprinted' });
    await importBallots('1,7,returned,2026-11-19,2026-11-20,');
    expect(await ballotOf('1')).toMatchObject({ status: 'returned' });
  });

  test('the expected day is the latest scan’s, each way', async () => {
    await push(
      { at: '2026-11-18T09:00:00', expected: '2026-11-21' },
      { at: '2026-11-17T09:00:00', expected: '2026-11-20' },
      { at: '2026-11-18T12:00:00' },
      { imb: inbound(1), at: '2026-11-20T12:00:00', expected: '2026-11-24' },
    );
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-21', back: '2026-11-24' });
    // Of two machines at one moment the later day counts.
    const [at, later] = ['2026-11-19T09:00:00', '2026-11-19T10:00:00'];
    await push({ at, expected: '2026-11-23' }, { at, code: '518', expected: '2026-11-22' });
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-23' });
    await push(
      { at: later, expected: '2026-11-20' },
      { at: later, code: '518', expected: '2026-11-22' },
    );
    expect(await ballotOf('1')).toMatchObject({ out: '2026-11-22' });
  });

  test('sorted for the carrier in the morning it is expected that day, and likely delivered from the next', async () => {
    office.clock.set('2026-11-20T20:00:00Z');
    await push({ at: '2026-11-20T06:12:00', phase: '3c', expected: '2026-11-23' });
    expect(await ballotOf('1')).toMatchObject({ status: 'in-transit', out: '2026-11-20' });
    expect(await shownOf('1')).toContain('estimate delivered 2026-11-20');
    office.clock.set('2026-11-21T20:00:00Z');
    await push({
      imb: outbound(2),
      at: '2026-11-20T10:00:00',
      phase: '3c',
      expected: '2026-11-23',
    });
    await createEstimateSettler(office.db.database, office.clock)();
    expect(await ballotOf('1')).toMatchObject({ status: 'delivered' });
    // From ten on the carrier has left.
    expect(await ballotOf('2')).toMatchObject({ status: 'in-transit', out: '2026-11-23' });
  });

  test('an estimate of a week ago counts once an import that is under way is done', async () => {
    office.clock.set('2026-11-20T20:00:00Z');
    await push({ at: '2026-11-20T06:12:00', phase: '3c' });
    office.clock.set('2026-11-27T20:00:00Z');
    const settle = createEstimateSettler(office.db.database, office.clock);
    await office.db.database.transaction(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('import'), ${office.account.accountId})`.execute(
        tx,
      );
      expect(await settle()).toBe(0);
    });
    expect(await ballotOf('1')).toMatchObject({ status: 'in-transit' });
    expect([await settle(), await settle()]).toEqual([1, 0]);
    expect(await ballotOf('1')).toMatchObject({ status: 'delivered' });
  });

  test('scans from 120 days before the election to 60 days after it are of its envelope', async () => {
    office.clock.set('2027-02-10T20:00:00Z');
    const days = ['2026-08-09', '2026-08-10', '2027-02-06', '2027-02-07'];
    await push(...days.map((day) => ({ at: `${day}T11:00:00` })));
    expect((await shownOf('1')).filter((one) => one.startsWith('scan'))).toEqual([
      ...['scan in-transit 2026-08-10 11:00', 'scan in-transit 2027-02-06 11:00'],
    ]);
  });

  test('scans from three days before the day of mailing are of the envelope', async () => {
    await office.import(
      'beacon-mailpieces',
      `registration_id,election,mailed_on,outbound_imb\n1,7,2026-11-19,${outbound(1)}`,
    );
    await push({ at: '2026-11-15T11:00:00' }, { at: '2026-11-16T12:00:00' });
    expect((await shownOf('1')).filter((one) => one.startsWith('scan'))).toEqual([
      'scan in-transit 2026-11-16 12:00',
    ]);
  });

  test('an unknown clock gives the day alone', async () => {
    const event = { ...pushed({ at: '2026-11-17T23:30:00' }), scanFacilityState: 'TN' };
    await office.import('usps-iv-mtr', JSON.stringify({ events: [event] }));
    expect((await shownOf('1')).at(-1)).toBe('scan in-transit 2026-11-17');
  });

  test('two facilities of one state may have two clocks', async () => {
    const events = [
      {
        ...pushed({ at: '2026-11-17T09:00:00' }),
        scanFacilityState: 'FL',
        scanFacilityZip: '32099',
      },
      {
        ...pushed({ imb: outbound(2), at: '2026-11-17T09:00:00' }),
        ...{ scanFacilityState: 'FL', scanFacilityZip: '32501' },
      },
    ];
    await office.import('usps-iv-mtr', JSON.stringify({ events }));
    expect((await shownOf('1')).slice(1)).toEqual(['scan in-transit 2026-11-17 06:00']);
    expect((await shownOf('2')).slice(1)).toEqual(['scan in-transit 2026-11-17 07:00']);
  });

  test('scans of one day by the office’s clock are one event, whatever the facilities’ clocks say', async () => {
    const inNewYork = { scanFacilityState: 'NY', scanFacilityZip: '10001' };
    const events = [
      { ...pushed({ at: '2026-11-18T01:30:00' }), ...inNewYork },
      pushed({ at: '2026-11-17T23:00:00' }),
    ];
    await office.import('usps-iv-mtr', JSON.stringify({ events }));
    await push({ at: '2026-11-17T23:30:00' });
    expect((await shownOf('1')).slice(1)).toEqual(['scan in-transit 2026-11-17 22:30']);
  });

  test('a barcode used again for another ballot leaves the old one its scans', async () => {
    await push({ at: '2026-11-17T11:00:00' });
    await office.addElection('8', '2027-03-09');
    office.clock.set('2027-02-03T20:00:00Z');
    await office.import(
      'beacon-ballots',
      'registration_id,election,status,sent_on\n2,8,sent,2027-02-01',
    );
    await office.import(
      'beacon-mailpieces',
      `registration_id,election,mailed_on,outbound_imb\n2,8,2027-02-01,${outbound(1)}`,
    );
    await push({ at: '2027-02-02T11:00:00' });
    expect((await shownOf('1')).slice(1)).toEqual(['scan in-transit 2026-11-17 11:00']);
    expect(await shownOf('2')).toContain('scan in-transit 2027-02-02 11:00');
  });

  test('a barcode of one election is of the ballot that was reported last, also once it is the first again', async () => {
    const load = (voter: number) =>
      office.import('beacon-mailpieces', `registration_id,election,imb\n${voter},7,${outbound(1)}`);
    await load(2);
    await push({ at: '2026-11-17T11:00:00' });
    await load(1);
    await push({ at: '2026-11-18T11:00:00' });
    expect(await shownOf('2')).toEqual([
      ...['office sent 2026-11-16', 'scan in-transit 2026-11-17 11:00'],
    ]);
    expect(await shownOf('1')).toContain('scan in-transit 2026-11-18 11:00');
  });

  test('a barcode that a voter has at each election brings no scans of the election before', async () => {
    office.clock.set('2026-12-24T20:00:00Z');
    const days = ['2026-11-25', '2026-12-22', '2026-12-23'];
    await push(...days.map((day) => ({ imb: inbound(1), at: `${day}T11:00:00` })));
    await office.addElection('8', '2027-03-09');
    office.clock.set('2027-01-20T20:00:00Z');
    await office.import(
      'beacon-ballots',
      'registration_id,election,status,sent_on\n1,8,sent,2027-01-19',
    );
    await office.import(
      'beacon-mailpieces',
      `registration_id,election,inbound_imb\n1,8,${inbound(1)}`,
    );
    await push({ imb: inbound(1), at: '2027-01-20T11:00:00' });
    const { rows } = await sql<{ number: string; event: string }>`
      select n.number, e.status || ' ' || e.occurred_on as event from ballot_events e
      join ballots b using (ballot_id) join elections n using (election_id) where e.kind = 'scan'`.execute(
      office.db.database.system,
    );
    expect(rows).toEqual([
      { number: '7', event: 'return-in-transit 2026-11-25' },
      { number: '7', event: 'return-in-transit 2026-12-22' },
      { number: '7', event: 'return-in-transit 2026-12-23' },
      { number: '8', event: 'return-in-transit 2026-12-23' },
      { number: '8', event: 'return-in-transit 2027-01-20' },
    ]);
  });
});

describe('files of scans', () => {
  const fixture = (name: string) =>
    readFileSync(new URL(`../../formats/fixtures/${name}`, import.meta.url));
  const keptScans = async () => {
    const { rows } = await sql<{ scan: string }>`
      select concat_ws(' ', right(tracking_code, 1), scanned_at::text, nullif(event_type, ''),
        nullif(left(mail_phase, 8), ''), nullif(op_code, ''), nullif(facility_zip, ''), expected_delivery_date::text) as scan
      from mail_scans order by scan_id`.execute(office.db.database.system);
    return rows.map(({ scan }) => scan);
  };

  test.each([
    [
      'usps-iv-mtr.ndjson',
      'usps-iv-mtr',
      [
        '1 2026-11-16 21:04:10 A Phase 1a 493 99224 2026-11-19',
        '1 2026-11-19 06:12:44 A Phase 3c 919 99301 2026-11-19',
        '2 2026-11-17 10:15:00 A Phase 2a 517 99224 2026-11-18',
        '3 2026-11-18 14:20:11 L 99301',
        '4 2026-11-18 19:00:00 A Miscella 891 99352',
      ],
      { read: 7, added: 5, refused: 1, passedOver: 1 },
      [{ reason: 'scanDatetime is after 11/22/2026', count: 1, line: 7 }],
    ],
    [
      'usps-iv-mtr.txt',
      'usps-iv-mtr',
      ['1 2026-11-16 21:04:10 A 1a 493 99224 2026-11-19', '6 2026-11-17 21:15:00 A PARS 460 99224'],
      { read: 2, added: 2, refused: 0 },
      [],
    ],
    [
      'usps-scan-records.csv',
      'usps-scan-records',
      ['1 2026-11-16 22:56:00 918 99224', '2 2026-11-17 00:05:00 517 99224'],
      { read: 3, added: 2, refused: 1 },
      [{ reason: 'scan_date has no time of the day', count: 1, line: 4 }],
    ],
  ])('%s is known by its shape and read as %s', async (name, format, kept, rows, refusals) => {
    const content = fixture(name);
    const file = { name, size: content.length, open: () => Readable.from([content]) };
    const recognized = await recognizeFormat(file, await listFormats());
    expect(recognized).toMatchObject({ ok: true, format: { name: format } });
    const { state, report } = await office.import(format, content);
    expect(state).toBe('done');
    expect(report).toMatchObject({ rows, refusals });
    expect((await keptScans()).sort()).toEqual([...kept].sort());
    const dry = await office.import(format, Buffer.concat([content, Buffer.from('\n')]), {
      isDryRun: true,
    });
    expect(dry.report.rows).toMatchObject({ added: 0, changed: 0 });
  });

  test('events are read alike however the file is cut into pieces, and however it is laid out', async () => {
    const events = [1, 2, 3].map((voter) =>
      pushed({ imb: outbound(voter), at: '2026-11-17T09:00:00' }),
    );
    const layouts = [
      JSON.stringify({ note: 'a 6" [{\\', events, after: { scans: 1 } }, null, 2),
      JSON.stringify(events),
      events.map((event) => JSON.stringify(event)).join('\n'),
      JSON.stringify([{ events: events.slice(0, 1) }, { events: events.slice(1) }]),
      `\ufeff ${JSON.stringify({ events })}\n`,
    ];
    for (const [index, layout] of layouts.entries()) {
      const bytes = Buffer.from(layout);
      const pieces = [...bytes].map((byte) => Buffer.from([byte]));
      const { report } = await office.import('usps-iv-mtr', bytes, {
        file: { name: 'x.json', open: () => Readable.from(pieces) },
      });
      expect(report.rows, layout).toMatchObject({
        read: 3,
        added: index === 0 ? 3 : 0,
        refused: 0,
      });
    }
  });

  test('one bad event never loses the others, and each is counted with its reason', async () => {
    const good = pushed({ at: '2026-11-17T09:00:00' });
    const bad = [
      { ...good, imb: '12' },
      { ...good, imb: '' },
      { ...good, imb: 1234567890123456789012345678901n.toString().slice(0, 30) },
      { ...good, scanDatetime: '' },
      { ...good, scanDatetime: '2026-02-30T09:00:00' },
      { ...good, scanDatetime: '2026-11-17T25:00:00' },
      { ...good, scanDatetime: '2026-11-17' },
      { ...good, scanEventCode: '1'.repeat(11) },
      { ...good, mailPhase: 'x'.repeat(1000) },
      { odd: true },
      7,
      'text',
      null,
      [],
    ];
    const { state, report } = await office.import(
      'usps-iv-mtr',
      JSON.stringify({ events: [...bad, good, { ...good, expectedDeliveryDate: '7020-01-01' }] }),
    );
    expect(state).toBe('done');
    expect(report.rows).toMatchObject({ added: 1, refused: bad.length });
    expect(report.warnings).toEqual([
      { message: 'expectedDeliveryDate is after 12/31/2027: left out', count: 1 },
      { ...untold, count: 2 },
    ]);
    const rejects = readFileSync(report.rejectsFile ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(rejects).toHaveLength(bad.length + 1);
  });

  test.each([
    ['half a document', '{"events": [{"imb": "1"}'],
    ['brackets that do not fit', '{"events": [}]'],
    ['text after it', '{"events": []} and more'],
    ['a list of nothing', '[]'],
  ])('%s is refused as a whole', async (_what, content) => {
    const { state, report } = await office.import('usps-iv-mtr', content);
    expect(state).toBe('refused');
    expect(report.refusedBecause).toMatch(/\S+ \S+/);
  });

  test('nesting, control characters and giant values do no harm', async () => {
    const good = pushed({ at: '2026-11-17T09:00:00' });
    const deep = `${'{"events":['.repeat(400)}{}${']}'.repeat(400)}`;
    const deeper = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const giant = JSON.stringify({ ...good, mailPhase: 'x'.repeat(3_000_000) });
    const odd = JSON.stringify({ ...good, scanFacilityCity: 'A\u0000B\ud800', __proto__: null });
    const content = `[${deep},${deeper},${giant},${odd},{"__proto__":{"imb":"1"}}]`;
    const { state, report } = await office.import('usps-iv-mtr', content);
    expect(state).toBe('done');
    expect(report.rows).toMatchObject({ added: 1, refused: 4 });
  });
});
