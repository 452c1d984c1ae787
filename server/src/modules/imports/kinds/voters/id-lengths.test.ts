import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../../testing/office.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
});
afterEach(() => office.close());

const importRoll = (ids: readonly string[]) =>
  office.import(
    'beacon-voters',
    [
      'registration_id,firstname,lastname,birthdate,zipcode',
      ...ids.map((id) => `${id},Ann,Lee,01/02/1950,99301`),
      '',
    ].join('\n'),
  );
/** @param digits of each */
const idsOf = (count: number, digits: number, first: string) =>
  Array.from({ length: count }, (_, n) => first + String(n).padStart(digits - 1, '0'));

test.each([
  [20, true],
  [21, false],
])('where %i of 400 IDs have another length, shorter ones wait: %s', async (others, wait) => {
  await importRoll([...idsOf(400 - others, 6, '1'), ...idsOf(others, 7, '2')]);
  const { report } = await importRoll(idsOf(30, 4, '3'));
  const codes = (report.gate ?? []).map(({ code }) => code);
  expect(codes.includes('ids-shortened')).toBe(wait);
});
