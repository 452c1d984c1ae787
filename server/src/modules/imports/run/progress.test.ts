import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestOffice, type TestOffice } from '../../../../../testing/office.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await createTestOffice();
  await office.addElection('7', '2026-11-03');
});
afterEach(() => office.close());

/** The steps of an import in the order in which each is reported first. */
async function stepsOf(format: string, rows: readonly string[]): Promise<string[]> {
  const steps = new Set<string>();
  await office.import(format, rows.join('\n'), { onProgress: ({ step }) => steps.add(step) });
  return [...steps];
}

test('an import reports that it reads the rows, then that it writes them, then that it lists what it refused', async () => {
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  await office.import('beacon-voters', `${header}\n1,Ann,Lee,01/02/1950,99301\n`);
  const ballots = ['registration_id,election,status', '1,7,sent', '2,7,sent'];
  expect(await stepsOf('beacon-ballots', ballots)).toEqual([
    ...['reading', 'writing', 'listing refused rows'],
  ]);
  const scans = ['imb,scanDatetime', '00716123456000000001,2026-11-18T09:15:00'];
  expect(await stepsOf('usps-iv-mtr', scans)).toEqual(['reading', 'writing']);
});
