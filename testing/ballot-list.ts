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
