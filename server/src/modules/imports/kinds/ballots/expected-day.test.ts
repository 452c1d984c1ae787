import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { sql } from '../../../../../../testing/sql.ts';
import type { ImportId } from '../../../../platform/ids.ts';
import { putBackImport } from '../../index.ts';

let office: TestOffice;

beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
  const voters = [1, 2].map((id) => `${id},Ann,Lee,01/02/1950,99301`);
  await office.import(
    'beacon-voters',
    ['registration_id,firstname,lastname,birthdate,zipcode', ...voters].join('\n'),
  );
});
afterEach(() => office.close());

const mailed = 'registration_id,election,status,sent_on,expected_on,returned_on';

async function expectedDays(): Promise<(string | null)[]> {
  const { rows } = await sql<{ day: string | null }>`
    select office_expected_on as day from ballots order by ballot_id`.execute(
    office.db.database.system,
  );
  return rows.map(({ day }) => day);
}

test('the day on which the office expects a ballot follows its newest file, and comes back when that file is put back', async () => {
  await office.import(
    'beacon-ballots',
    `${mailed}\n1,7,sent,2026-10-05,2026-10-09,\n2,7,sent,2026-10-05,,\n`,
  );
  expect(await expectedDays()).toEqual(['2026-10-09', null]);
  const later = await office.import(
    'beacon-ballots',
    `${mailed}\n1,7,sent,2026-10-05,2026-10-12,\n2,7,returned,2026-10-05,,2026-10-14\n`,
  );
  expect(await expectedDays()).toEqual(['2026-10-12', null]);
  await office.db.database.transaction((tx) =>
    putBackImport(tx, later.importId as ImportId, office.clock.now()),
  );
  expect(await expectedDays()).toEqual(['2026-10-09', null]);
});

test('a ballot that is not mailed yet is not expected', async () => {
  await office.import(
    'beacon-ballots',
    `${mailed}\n1,7,requested,,2026-10-09,\n2,7,printed,,2026-10-09,\n`,
  );
  expect(await expectedDays()).toEqual([null, null]);
});

test('a file without the column says nothing new of ballots that an earlier version knew', async () => {
  const old = 'registration_id,election,status,sent_on\n1,7,sent,2026-10-05\n';
  await office.import('beacon-ballots', old);
  const { rows } = await sql<{
    record: string;
  }>`select office_record as record from ballots`.execute(office.db.database.system);
  // Nine parts, as before there was an expected day.
  expect(rows[0]?.record.split('\x1f')).toHaveLength(9);
  const { report } = await office.import('beacon-ballots', `${mailed}\n1,7,sent,2026-10-05,,\n`);
  expect(report.rows).toMatchObject({ unchanged: 1, changed: 0 });
});
