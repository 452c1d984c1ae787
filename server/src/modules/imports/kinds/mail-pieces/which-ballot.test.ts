import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import { putBackImport } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice({ import_limits: { refused_percent: 100 } });
  office.clock.set('2026-10-10T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,01/02/1950,99301\n2,Bo,Lee,01/02/1960,99301',
  );
});
afterEach(() => office.close());

const importBallots = (...rows: string[]) =>
  office.import(
    'beacon-ballots',
    ['registration_id,election,ballot_number,status,sent_on', ...rows].join('\n'),
  );
const importPieces = (...rows: string[]) =>
  office.import('beacon-mailpieces', ['registration_id,election,outbound_imb', ...rows].join('\n'));

async function listPieces(): Promise<string[]> {
  const { rows } = await sql<{ piece: string }>`
    select concat_ws(' ', v.registration_id, nullif(b.ballot_number, ''), p.tracking_code) as piece
    from mail_pieces p join ballots b using (ballot_id) join voters v using (voter_id)
    order by p.mail_piece_id`.execute(office.db.database.system);
  return rows.map(({ piece }) => piece);
}

const code = '00741123456000000001';

test('an envelope is of the ballot, and never of the application for it', async () => {
  const header = 'registration_id,election,application_status,received_on,decided_on';
  await office.import(
    'beacon-applications',
    [header, '1,7,approved,2026-09-01,2026-09-05', '2,7,received,2026-09-01,'].join('\n'),
  );
  await importBallots('1,7,,sent,2026-10-05');
  const { report } = await importPieces(`1,7,${code}`, '2,7,00741123456000000002');
  expect(report.refusals.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '3 the voter has no such ballot in this election: import the ballot file first',
  ]);
  expect(await listPieces()).toEqual([`1 ${code}`]);
});

test('a ballot that only a corrected file had is none of an envelope’s', async () => {
  const { importId } = await importBallots(
    '1,7,wrong,sent,2026-10-05',
    '2,7,wrong,sent,2026-10-05',
  );
  if (importId === null) throw new Error('It waits.');
  await office.db.database.transaction((tx) => putBackImport(tx, importId, office.clock.now()));
  await importBallots('1,7,right,sent,2026-10-05');
  const { report } = await importPieces(`1,7,${code}`, '2,7,00741123456000000002');
  expect(report.refusals.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
    '3 the voter has no such ballot in this election: import the ballot file first',
  ]);
  expect(await listPieces()).toEqual([`1 right ${code}`]);
});
