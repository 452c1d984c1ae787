import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

/** A state's roll, with so many voters of the account's county and of another, and one whose year of birth is wrong. */
function stateRoll(own: number, others: number, wrong: readonly string[] = []): string {
  const row = (county: string, id: string, year: string) =>
    `${county}\t${id}\tLEE\tANN\tA\t99301\t${year}`;
  return [
    'county_desc\tncid\tlast_name\tfirst_name\tstatus_cd\tzip_code\tbirth_year',
    ...Array.from({ length: own }, (_, n) => row('ADAMS', `AD${n}`, '1950')),
    ...Array.from({ length: others }, (_, n) => row('WAKE', `WK${n}`, '1950')),
    ...wrong.map((id) => row('ADAMS', id, '3050')),
  ].join('\n');
}

test('how short a state’s roll is of a county is counted without the rows of other counties', async () => {
  const importWhole = (content: string) => office.import('nc-voters', content, { isFull: true });
  const first = await importWhole(stateRoll(100, 50));
  expect([first.state, first.report.rows.added]).toEqual(['done', 100]);
  const short = await importWhole(stateRoll(88, 50, ['AD99']));
  expect([short.state, short.report.gate?.map(({ detail }) => detail)]).toEqual([
    'file-held',
    ['It has 89 rows; the roll has 100 active voters, and your limit is 10% fewer.'],
  ]);
  expect((await importWhole(stateRoll(89, 50, ['AD99']))).state).toBe('done');
});

test('a row of a state’s roll that names no county is of the account’s own', async () => {
  const content = stateRoll(2, 3).replace('ADAMS\tAD1', '\tAD1');
  const { report } = await office.import('nc-voters', content);
  expect(report.rows).toMatchObject({ added: 2, refused: 0 });
});
