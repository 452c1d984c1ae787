import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { runs } from '../../../../../../testing/runs.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { checkFormat, listFormats, putBackImport, recognizeFormat } from '../../index.ts';

let office: TestOffice;

const settings = { mail: { stids: { 280: 'outbound' } }, import_limits: { refused_percent: 100 } };

beforeEach(async () => {
  office = await createTestOffice(settings);
  await office.addElection('7', '2026-11-03');
  const ids = Array.from({ length: 20 }, (_, n) => n + 1);
  await office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode',
      ...ids.map((id) => `${id},Ann,Lee,01/02/1950,99301`),
    ].join('\n'),
  );
  // Voter 1 to 13 and 16, 17 have one ballot, 14 none, 15 two.
  const ballots = ids
    .filter((id) => id !== 14)
    .map((id) => `${id},7,${id === 1 || id === 15 ? 1 : ''},sent,2026-10-05`);
  await office.import(
    'beacon-ballots',
    [
      'registration_id,election,ballot_number,status,sent_on',
      ...ballots,
      '15,7,2,sent,2026-10-09',
    ].join('\n'),
  );
});
afterEach(() => office.close());

const importPieces = (...rows: string[]) => office.import('beacon-mailpieces', rows.join('\n'));

/** `voter ballot direction code day`, in the order in which the barcodes were reported. */
async function pieces(): Promise<string[]> {
  const { rows } = await sql<{ piece: string }>`
    select concat_ws(' ', v.registration_id, nullif(b.ballot_number, ''), coalesce(p.direction, '?'),
      p.tracking_code, p.mailed_on) as piece
    from mail_pieces p join ballots b using (ballot_id) join voters v using (voter_id)
    order by p.mail_piece_id`.execute(office.db.database.system);
  return rows.map(({ piece }) => piece);
}

const header = 'registration_id,election,outbound_imb,inbound_imb';
const out = (serial: number) => `00741123456${String(serial).padStart(9, '0')}`;
const back = (serial: number) => `00778123456${String(serial).padStart(9, '0')}`;

describe('the mail house’s file ties each envelope to its ballot', () => {
  const name = 'beacon-mailpieces.csv';
  const fixture = readFileSync(new URL(`../../formats/fixtures/${name}`, import.meta.url));

  test('it is known by its first line; digits and bars, one column each way or one for both', async () => {
    const recognized = await recognizeFormat(
      { name, open: () => Readable.from([fixture]) },
      await listFormats(),
    );
    expect(recognized).toMatchObject({ ok: true, format: { name: 'beacon-mailpieces' } });
    const { report } = await office.import('beacon-mailpieces', fixture);
    expect((await pieces()).sort()).toEqual([
      '1 1 inbound 00778123456100000001 2026-10-05',
      '1 1 outbound 00741123456000000001 2026-10-05',
      '2 outbound 00741123456000000002 2026-10-05',
      '3 inbound 00778123456100000003',
      '4 outbound 00741123456000000004 2026-10-05',
      '5 inbound 00270123456000000005 2026-10-05',
      '6 ? 00270123456000000006 2026-10-05',
    ]);
    expect(report.after).toEqual({ '7 inbound': 3, '7 of unknown direction': 1, '7 outbound': 3 });
    expect(report.rows).toMatchObject({ read: 18, added: 7, refused: 12 });
    expect(report.warnings).toEqual([
      {
        message:
          'imb has service type 270, which we do not know: it counts as inbound, as the file says',
        count: 1,
      },
      {
        message:
          'imb has service type 270, which we do not know: its scans are stored and not shown. Give a direction, or add it to mail.stids in the account file',
        count: 1,
      },
    ]);
  });

  test('every row that is refused is listed with its line and reason', async () => {
    const { report } = await office.import('beacon-mailpieces', fixture);
    const reasons = report.refusals.map(({ line, reason }) => `${line} ${reason}`).sort();
    expect(reasons).toEqual(
      [
        '8 the row has no barcode',
        '9 outbound_imb is of inbound mail by its barcode (service type 778), not outbound: correct the row, or add the service type to mail.stids in the account file',
        '10 outbound_imb was rounded by a spreadsheet program: export the column as text',
        '11 direction is neither outbound nor inbound',
        '12 the row has one barcode for both ways',
        '13 the barcode is given for several ballots',
        '15 the voter has no such ballot in this election: import the ballot file first',
        '16 the voter has several ballots in this election: give their numbers in ballot_number',
        '17 no voter has this registration_id. Did Excel drop the leading zeros? Otherwise import the voter file first',
        '18 election 8 does not exist. You have: 7',
        '19 mailed_on is a date that does not exist',
      ].sort(),
    );
    const rejects = readFileSync(report.rejectsFile ?? '', 'utf8')
      .trim()
      .split('\n');
    expect(rejects[0]).toMatch(/^line,reason,registration_id,election/);
    expect(rejects.slice(1).map((row) => Number(row.split(',')[0]))).toEqual([
      8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
  });

  test('a barcode that one row gives as outbound and another as inbound is neither', async () => {
    const unknownType = '00270123456000000009';
    const { report } = await importPieces(header, `2,7,${unknownType},`, `2,7,,${unknownType}`);
    expect(report.rows).toMatchObject({ added: 0, refused: 2 });
    expect(report.refusals).toMatchObject([{ reason: 'the barcode is given for both ways' }]);
    expect(await pieces()).toEqual([]);
  });

  test('a file without barcodes is refused as a whole, and says which column it wants', async () => {
    const { state, report } = await importPieces('registration_id,election', '1,7');
    expect(state).toBe('refused');
    expect(report.refusedBecause).toContain('outbound_imb or inbound_imb or imb');
  });

  test('a format of the office’s own is tried on a sample before', async () => {
    const [format] = (await listFormats()).filter((one) => one.name === 'beacon-mailpieces');
    if (!format) throw new Error('The format is gone.');
    const check = await checkFormat(
      format,
      { name, open: () => Readable.from([fixture]) },
      '2026-11-21',
    );
    expect(check.columns.map(({ column, becomes }) => `${column} ${becomes}`)).toContain(
      'outbound_imb outbound_imb',
    );
    expect(check.refusals.map(({ line }) => line).sort((a, b) => a - b)).toEqual([
      8, 9, 10, 11, 12, 19,
    ]);
  });
});

test('a file that only adds the direction leaves the day of mailing', async () => {
  const code = '00270123456000000002';
  await importPieces('registration_id,election,imb,mailed_on', `2,7,${code},2026-10-05`);
  expect(await pieces()).toEqual([`2 ? ${code} 2026-10-05`]);
  await importPieces('registration_id,election,imb,direction', `2,7,${code},outbound`);
  expect(await pieces()).toEqual([`2 outbound ${code} 2026-10-05`]);
});

test('what a wrong file changed of a barcode is put back, and what another changed stays', async () => {
  const [two, three] = ['00270123456000000002', '00270123456000000003'];
  const days = 'registration_id,election,imb,mailed_on';
  await importPieces(days, `2,7,${two},2026-10-05`, `3,7,${three},2026-10-05`);
  const directions = 'registration_id,election,imb,direction';
  await importPieces(directions, `3,7,${three},outbound`);
  const { importId } = await importPieces(directions, `2,7,${two},inbound`);
  const { database } = office.db;
  await database.transaction((tx) => putBackImport(tx, importId as ImportId, office.clock.now()));
  expect(await pieces()).toEqual([`2 ? ${two} 2026-10-05`, `3 outbound ${three} 2026-10-05`]);
});

describe('what the mail house has barcodes for is printed', () => {
  const columns = 'registration_id,election,imb,printed_on';
  const importOf = (...rows: string[]) =>
    office.import(
      'beacon-ballots',
      ['registration_id,election,status,requested_on,sent_on', ...rows].join('\n'),
    );
  const statuses = async () => {
    const { rows } = await sql<{ event: string }>`
      select concat_ws(' ', b.current_status, e.kind, e.occurred_on) as event
      from ballots b join voters v using (voter_id) left join ballot_events e on e.event_id = b.current_event_id
      where v.registration_id in ('14', '2') order by v.registration_id`.execute(
      office.db.database.system,
    );
    return rows.map(({ event }) => event);
  };
  beforeEach(() => importOf('14,7,requested,2026-10-01,'));

  test('of a requested ballot, once; what the office says of a ballot that is further stays', async () => {
    const { report } = await importPieces(
      columns,
      `14,7,${out(14)},2026-10-04`,
      `14,7,${back(14)},`,
      `2,7,${out(2)},2026-10-02`,
    );
    expect(report.events).toBe(2);
    expect(await statuses()).toEqual(['printed print 2026-10-04', 'sent office 2026-10-05']);
    const again = await importPieces(columns, `2,7,${out(2)},`, `14,7,${out(14)},2026-10-04`);
    expect(again.report.events).toBe(0);
    // That another ballot was printed on a day says nothing of this one.
    const sameDay = await importPieces(columns, `2,7,${out(2)},2026-10-04`);
    expect(sameDay.report.events).toBe(1);
    // The day before is news of the ballot too.
    const earlier = await importPieces(columns, `14,7,${out(14)},2026-10-03`);
    expect(earlier.report.events).toBe(1);
  });

  test('without a day too, and the office’s next word counts', async () => {
    const { report } = await importPieces(columns, `14,7,${out(14)},`, `2,7,${out(2)},`);
    expect(report.events).toBe(1);
    expect(await statuses()).toEqual(['printed print', 'sent office 2026-10-05']);
    // The office's own system does not know of printing, and says again what it said.
    await importOf('14,7,requested,2026-10-02,');
    expect(await statuses()).toEqual(['printed print', 'sent office 2026-10-05']);
    await importOf('14,7,sent,2026-10-02,2026-10-06');
    expect(await statuses()).toEqual(['sent office 2026-10-06', 'sent office 2026-10-05']);
  });

  test('again by the right file, once a wrong one was put back', async () => {
    const { importId } = await importPieces(columns, `14,7,${out(14)},2026-10-04`);
    const { database } = office.db;
    await database.transaction((tx) => putBackImport(tx, importId as ImportId, office.clock.now()));
    expect(await statuses()).toEqual(['requested office 2026-10-01', 'sent office 2026-10-05']);
    const right = [`14,7,${out(14)},2026-10-04`, `14,7,${back(14)},`];
    expect((await importPieces(columns, ...right)).report.events).toBe(1);
    expect(await statuses()).toEqual(['printed print 2026-10-04', 'sent office 2026-10-05']);
  });

  test('not by a format whose rows do not say so', async () => {
    const found = (await listFormats()).find(({ name }) => name === 'beacon-mailpieces');
    if (!found) throw new Error('The format is gone.');
    const { row_means: _, ...format } = found;
    const file = [columns, `14,7,${out(14)},2026-10-04`].join('\n');
    await office.import('beacon-mailpieces', file, { format });
    expect(await statuses()).toEqual(['requested office 2026-10-01', 'sent office 2026-10-05']);
  });
});

describe('an office may send its file again, in part or corrected', () => {
  test('the same rows in another file change nothing', async () => {
    await importPieces(header, `1,7,${out(1)},${back(1)}`, `2,7,${out(2)},`);
    const before = await pieces();
    const { report } = await importPieces(
      'imb,election,registration_id',
      `${out(2)},7,2`,
      `${back(1)},7,1`,
    );
    expect(report.rows).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    expect(await pieces()).toEqual(before);
  });

  test('a row that is there twice counts once', async () => {
    const { report } = await importPieces(header, `2,7,${out(2)},`, `2,7,${out(2)},`);
    expect(report.rows).toMatchObject({ added: 1, passedOver: 1, refused: 0 });
  });

  test('of several days of one barcode in a file the last one counts', async () => {
    const days = ['2026-10-06', '2026-10-07', '2026-10-05'];
    const rows = days.map((day) => `2,7,${out(2)},${day},${day}`);
    await importPieces('registration_id,election,imb,mailed_on,printed_on', ...rows);
    expect(await pieces()).toEqual([`2 outbound ${out(2)} 2026-10-07`]);
    const printed = await sql`select occurred_on from ballot_events where kind = 'print'`.execute(
      office.db.database.system,
    );
    expect(printed.rows).toEqual([{ occurred_on: '2026-10-07' }]);
  });

  test('a corrected day is taken; a day left out takes none back', async () => {
    const withDay = 'registration_id,election,imb,mailed_on';
    await importPieces(withDay, `2,7,${out(2)},2026-10-05`);
    await importPieces(withDay, `2,7,${out(2)},2026-10-06`);
    const { report } = await importPieces(withDay, `2,7,${out(2)},`);
    expect(report.rows).toMatchObject({ changed: 0, unchanged: 1 });
    expect(await pieces()).toEqual([`2 outbound ${out(2)} 2026-10-06`]);
  });

  test('a barcode belongs to the ballot that was reported last', async () => {
    await importPieces(header, `2,7,${out(2)},`);
    await importPieces(header, `3,7,${out(2)},`);
    expect((await pieces()).at(-1)).toBe(`3 outbound ${out(2)}`);
    const { report } = await importPieces(header, `2,7,${out(2)},`, `4,7,${out(4)},`);
    expect(report.rows).toMatchObject({ added: 1, changed: 1 });
    expect(await pieces()).toEqual([
      `3 outbound ${out(2)}`,
      `2 outbound ${out(2)}`,
      `4 outbound ${out(4)}`,
    ]);
  });

  test('one ballot’s pieces are found without its number, and again once it has been replaced', async () => {
    await importPieces(header, `2,7,${out(2)},`);
    const columns = 'registration_id,election,ballot_number,status,sent_on';
    await office.import('beacon-ballots', [columns, '2,7,2,sent,2026-10-09'].join('\n'));
    const { report } = await importPieces(header, `2,7,${out(2)},`, `2,7,${out(22)},`);
    expect(report.rows).toMatchObject({ unchanged: 1, refused: 1 });
    const numbered = 'registration_id,election,ballot_number,imb';
    await importPieces(numbered, `2,7,2,${out(22)}`);
    expect(await pieces()).toEqual([`2 outbound ${out(2)}`, `2 2 outbound ${out(22)}`]);
  });

  test('a service type of the office’s own counts from the account file', async () => {
    const { report } = await importPieces(
      'registration_id,election,imb',
      '2,7,00280123456000000002',
    );
    expect(report.warnings).toEqual([]);
    expect(await pieces()).toEqual(['2 outbound 00280123456000000002']);
  });

  test('cut into several files, in any order and however often, it ends as the whole does', async () => {
    const voters = [2, 3, 4, 5, 6, 7];
    const rows = voters.flatMap((id) => [`${id},7,${out(id)},`, `${id},7,,${back(id)}`]);
    await importPieces(header, ...rows);
    const whole = (await pieces()).sort();
    const cuts = fc.array(fc.subarray(rows, { minLength: 1 }), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        cuts,
        fc.shuffledSubarray(rows, { minLength: rows.length }),
        async (some, all) => {
          const { system } = office.db.database;
          await sql`delete from mail_pieces`.execute(system);
          // Else a file that another example had, and whose envelopes are gone, would wait as an old one.
          await sql`delete from imports where format = 'beacon-mailpieces'`.execute(system);
          for (const part of [...some, all.slice(0, 5), all.slice(4)]) {
            const { report } = await importPieces(header, ...part, '');
            expect(report.gate ?? []).toEqual([]);
          }
          expect((await pieces()).sort()).toEqual(whole);
        },
      ),
      { numRuns: runs(8) },
    );
  });

  test('the same file is read again once the office says what its barcodes mean', async () => {
    const file = ['registration_id,election,imb', '2,7,00270123456000000002'];
    await importPieces(...file);
    expect((await importPieces(...file)).report.isRepeat).toBe(true);
    const mail = { ...office.account.settings.mail, stids: { 270: 'inbound' as const } };
    const account = { ...office.account, settings: { ...office.account.settings, mail } };
    const { report } = await office.import('beacon-mailpieces', file.join('\n'), { account });
    expect(report.rows).toMatchObject({ changed: 1 });
    expect(await pieces()).toEqual(['2 inbound 00270123456000000002']);
  });

  test('with more rows refused than the account allows, nothing of the file is taken', async () => {
    await office.close();
    office = await createTestOffice();
    await office.addElection('7', '2026-11-03');
    const { state } = await importPieces(header, `1,7,${out(1)},`);
    expect(state).toBe('refused');
    expect(await pieces()).toEqual([]);
  });
});
