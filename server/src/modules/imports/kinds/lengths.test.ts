import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';
import { sql } from '../../../../../testing/sql.ts';

/** Texts as long as they may be, and one character longer. */

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

/** Why this file's rows were refused, by line. */
async function refusalsOf(format: string, header: string, rows: readonly string[]) {
  const { report } = await office.import(format, [header, ...rows, ''].join('\n'));
  return report.refusals.map(({ reason, line }) => [line, reason]);
}

describe('of a voter', () => {
  const columns = [
    ...['registration_id', 'firstname', 'middlename', 'lastname', 'suffix', 'address', 'city'],
    ...['county', 'precinct', 'birthdate', 'zipcode'],
  ];
  const usual: Readonly<Record<string, string>> = {
    ...{ firstname: 'Ann', lastname: 'Lee', birthdate: '01/02/1950', zipcode: '99301' },
  };
  const voter = (id: number, column: string, text: string) =>
    columns
      .map((one) => (one === column ? text : one === 'registration_id' ? id : usual[one]))
      .join(',');

  test.each([
    ['registration_id', 40],
    ['firstname', 60],
    ['middlename', 60],
    ['lastname', 60],
    ['suffix', 20],
    ['address', 200],
    ['city', 100],
    ['county', 100],
    ['precinct', 40],
  ])('the %s has at most %i characters', async (column, most) => {
    const rows = [
      ...[voter(1, '', ''), voter(2, '', '')],
      ...[most, most + 1].map((length) => voter(length, column, 'x'.repeat(length))),
    ];
    expect(await refusalsOf('beacon-voters', columns.join(','), rows)).toEqual([
      [5, `${column} is longer than ${most} characters`],
    ]);
  });

  test('an email address has at most 254 characters, one @ and no space, or is left empty', async () => {
    const longest = `${'x'.repeat(242)}@example.com`;
    const emails = [longest, `x${longest}`, 'a@example.com', 'a@b@example.com', 'a b@example.com'];
    const rows = [...emails, '@example.com', 'a@'].map(
      (email, n) => `${voter(n, '', '')},${email}`,
    );
    const { report } = await office.import(
      'beacon-voters',
      [`${columns.join(',')},email`, ...rows, ''].join('\n'),
    );
    expect(report.warnings).toEqual([
      { message: 'email is not an email address, and was left empty', count: 5 },
    ]);
    const { rows: kept } = await sql<{ email: string }>`
      select email from voters where email <> '' order by registration_id`.execute(
      office.db.database.system,
    );
    expect(kept.map(({ email }) => email)).toEqual([longest, 'a@example.com']);
  });
});

test('a ballot number has at most 60 characters', async () => {
  await office.addElection('7', '2026-11-03');
  await office.import(
    'beacon-voters',
    'registration_id,firstname,lastname,birthdate,zipcode\n1,Ann,Lee,01/02/1950,99301\n2,Bo,Ek,01/02/1950,99301\n',
  );
  const rows = [60, 61].map((length, n) => `${n + 1},7,sent,${'9'.repeat(length)}`);
  const header = 'registration_id,election,status,ballot_number';
  expect(await refusalsOf('beacon-ballots', header, rows)).toEqual([
    [3, 'the ballot number is longer than 60 characters'],
  ]);
});

describe('of a scan', () => {
  const columns = ['handlingEventType', 'scanEventCode', 'mailPhase', 'scanFacilityCity'];
  const scan = (serial: number, column: string, text: string) =>
    [
      ...[`00716123456${String(serial).padStart(9, '0')}`, '2026-11-18T09:15:00'],
      ...columns.map((one) => (one === column ? text : '1')),
    ].join(',');
  const header = ['imb', 'scanDatetime', ...columns].join(',');

  test.each([
    ['handlingEventType', 20],
    ['scanEventCode', 10],
    ['mailPhase', 60],
  ])('the %s, by which it is known again, has at most %i characters', async (column, most) => {
    const rows = [most, most + 1].map((length) => scan(length, column, '7'.repeat(length)));
    expect(await refusalsOf('usps-iv-mtr', header, rows)).toEqual([
      [3, `${column} is longer than ${most} characters`],
    ]);
  });

  test('the city is cut after 60 characters', async () => {
    const rows = [60, 61].map((length) => scan(length, 'scanFacilityCity', 'x'.repeat(length)));
    expect(await refusalsOf('usps-iv-mtr', header, rows)).toEqual([]);
    const { rows: cities } = await sql<{ facility_city: string }>`
      select facility_city from mail_scans`.execute(office.db.database.system);
    expect(cities.map(({ facility_city: city }) => city.length)).toEqual([60, 60]);
  });
});
