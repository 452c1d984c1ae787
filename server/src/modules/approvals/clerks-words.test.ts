import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOffice, createTestApi, type TestApi } from '../../../../testing/api.ts';
import { type Beacon, createBeacon } from '../../../../testing/beacon.ts';
import { addPerson, type TestPerson } from '../../../../testing/people.ts';
import { importRoll, writeRoll } from '../../../../testing/roll.ts';

let api: TestApi;
let beacon: Beacon;
let releaser: TestPerson;

beforeEach(async () => {
  api = await createTestApi();
  const accountId = await addOffice(api.test, { subdomain: 'adams' });
  beacon = createBeacon(api.test.url, { clock: api.clock });
  const office = { accountId, host: 'adams.localhost' };
  releaser = await addPerson(api, office, 'Rosa Kim', ['releaser']);
  await releaser.signIn();
});
afterEach(async () => {
  await api.close();
  beacon.remove();
});

async function readNewest() {
  const { files } = (await releaser.browser.get('/api/office/files')).json();
  return (await releaser.browser.get(`/api/office/files/${files[0].import_id}`)).json();
}

test('the console names no command in why a file waits', async () => {
  for (const voters of [40, 41, 40])
    await importRoll(beacon, 'adams', `${voters}.csv`, writeRoll(voters));
  const { state, reasons } = await readNewest();
  expect(state).toBe('file-held');
  expect(reasons.map(({ detail }: { detail: string }) => detail)).toContainEqual(
    expect.stringMatching(/If import \d+ was wrong, correct it first$/),
  );
});

test('the console names no command in why rows, or a whole file, were refused', async () => {
  await beacon.do(
    ...['election', 'set', '--account', 'adams', '--number', '7', '--name', 'Fall Election'],
    ...['--date', '2026-11-03', '--active', 'true'],
  );
  await importRoll(beacon, 'adams', 'all.csv', writeRoll(40));
  const rows = ['R0,99,sent', 'R1,,sent'].join('\n');
  const file = beacon.write('ballots.csv', `registration_id,election,status\n${rows}\n`);
  await beacon.run('import', file, '--account', 'adams', '--format', 'beacon-ballots');
  const { state, refusals, ended_because } = await readNewest();
  expect(state).toBe('refused');
  const said = [...refusals.map(({ reason }: { reason: string }) => reason), ended_because];
  expect(said).toContain('the row names no election: choose the election');
  expect(said.join('\n')).not.toMatch(/beacon |--/);
  await beacon.run('import', file, ...['--account', 'adams', '--election', '98']);
  expect((await readNewest()).ended_because).not.toMatch(/beacon |--/);
});
