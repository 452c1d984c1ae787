import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';
import { isTokenOf } from '../../../voters/index.ts';

let office: TestOffice;
beforeAll(async () => {
  office = await createTestOffice();
});
afterAll(() => office.close());

test('a security token that is easy to guess is refused with the reason, and a good one opens however it is typed', async () => {
  const lines = [
    'registration_id,firstname,lastname,birthdate,zipcode,security_token',
    '1,Ann,Good,1950-02-01,99301,k7qm-3xpd',
    // Few rows in error leave the file acceptable.
    ...Array.from({ length: 60 }, (_, index) => `G${index},Dee,Other,1960-02-01,99301,`),
    '2,Bea,Short,1951-02-01,99301,1234',
    '3,Cai,Birthday,1952-02-01,99301,02-01-1952',
  ];
  await office.import('beacon-voters', lines.join('\n'));
  const { rows } = await office.db.database.systemPool.query<{
    registration_id: string;
    token_hash: string;
  }>('select registration_id, token_hash from voters order by 1');
  const good = rows.find((row) => row.registration_id === '1');
  expect(await isTokenOf('K7QM 3XPD', good?.token_hash ?? '')).toBe(true);
  expect(rows.filter((row) => row.registration_id !== '1').every((row) => !row.token_hash)).toBe(
    true,
  );
});
