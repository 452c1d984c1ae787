import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportOutcome } from '../server/src/modules/imports/index.ts';
import { createTestOffice, type TestOffice } from './office.ts';

/** From the first number up to the last, which is not among them. */
export const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

/** An office on October 28, six days before its election 7, with so many voters whose IDs are 0, 1 and so on. */
export async function openListOffice(voters = 300, settings: object = {}): Promise<TestOffice> {
  const office = await createTestOffice(settings);
  office.clock.set('2026-10-28T15:00:00Z');
  await office.addElection('7', '2026-11-03');
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  const rows = range(0, voters).map((n) => `${n},Ann,Lee,01/02/1950,99301`);
  await office.import('beacon-voters', [header, ...rows, ''].join('\n'));
  return office;
}

/** The state of an import, and why its file waits. */
export const reasonsOf = ({ state, report }: ImportOutcome) => [
  state,
  ...(report.gate ?? []).map(({ code }) => code),
];

/**
 * Writes the format of an office's list of open cases, with the columns Voter, Received, Problem and State.
 * @returns its path
 */
export function writeCasesFormat({ folder }: Pick<TestOffice, 'folder'>): string {
  const path = join(folder, 'cases.json');
  const fields = { registration_id: 'Voter', returned_on: 'Received', reason: 'Problem' };
  const rules = [{ when: { State: 'Open' }, becomes: 'rejected-curable' }];
  const format = {
    ...{ name: 'cases', title: 'Open cases', source: 'The office', holds: 'ballots', fields },
    ...{ required: ['Voter', 'State'], missing_rows: 'succeeded' },
    status: { columns: ['State'], rules },
  };
  writeFileSync(path, JSON.stringify(format));
  return path;
}
