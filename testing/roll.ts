import { expect } from 'vitest';
import type { TestApi } from './api.ts';
import type { Beacon } from './beacon.ts';

const rollHeader = 'registration_id,firstname,lastname,birthdate,zipcode,county,state';

/** A file of `beacon-voters` for an office as `addOffice` creates it. @param lastname of every voter */
export function writeRoll(voters: number, lastname = 'Fox'): string {
  const rows = Array.from(
    { length: voters },
    (_, place) => `R${place},Vera,${lastname},1970-02-03,34811,Test,FL\n`,
  );
  return `${rollHeader}\n${rows.join('')}`;
}

/** Imports a roll of an office as the whole one. */
export function importRoll(beacon: Beacon, account: string, name: string, content: string) {
  const file = beacon.write(name, content);
  return beacon.run(
    ...['import', file, '--account', account],
    ...['--format', 'beacon-voters', '--full'],
  );
}

/** The same roll with a security token for each voter. */
const withTokens = (roll: string) =>
  roll.replaceAll('\n', ',K7QM-3XPD\n').replace('K7QM-3XPD', 'security_token');

/** Imports a whole roll of 40 voters, and then one with only a few of them, which waits. @returns its number */
export async function holdRoll(
  api: TestApi,
  beacon: Beacon,
  account: string,
  { few = 10, lastname = 'Fox' } = {},
): Promise<number> {
  await importRoll(beacon, account, 'all.csv', withTokens(writeRoll(40, lastname)));
  await importRoll(beacon, account, `few-${few}.csv`, withTokens(writeRoll(few, lastname)));
  const [newest] = await api.query<{ import_id: number; state: string }>(
    'select import_id, state from imports order by import_id desc limit 1',
  );
  expect(newest?.state).toBe('file-held');
  return newest?.import_id ?? 0;
}
