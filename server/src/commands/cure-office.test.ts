import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';

let office: TestOffice;
let beacon: Beacon;
const adams = ['--account', 'adams'];
const year = new Date().getFullYear();

beforeAll(async () => {
  office = await createTestOffice({ state: 'WA', time_zone: 'America/Los_Angeles' });
  beacon = createBeacon(office.db.url);
  await setElection();
});
afterAll(async () => {
  beacon.remove();
  await office.close();
});

const setElection = (...more: string[]) =>
  beacon.do(
    ...['election', 'set', ...adams, '--number', 'F1', '--name', 'Fall Election'],
    ...['--date', `${year}-11-03`, '--active', 'true', ...more],
  );
const days = async (defect = 'signature-differs') => {
  const found = JSON.parse(await beacon.do('cure', 'days', ...adams, '--json'));
  return found.find(
    (one: Record<string, unknown>) => one.election === 'F1' && one.defect === defect,
  );
};

test('shows a clerk which day is missing, and the deadline once it is given', async () => {
  expect(await days()).toMatchObject({ deadline: null, missing: ['certification'] });
  expect(await beacon.do('cure', 'days', ...adams)).toContain(
    'F1 signature-differs: MISSING the day of certification: beacon election set … --certification DATE',
  );
  await setElection('--certification', `${year}-11-24`, '--kind', 'general');
  expect(await days()).toMatchObject({ deadline: `${year}-11-23T16:30:00-08:00`, missing: [] });
  // What was announced stays when the election is set again without it.
  await setElection();
  expect((await days()).deadline).toBe(`${year}-11-23T16:30:00-08:00`);
});

test('refuses days and deadlines that cannot belong to the election', async () => {
  const election = ['election', 'set', ...adams, '--number', 'F2', '--name', 'Spring Election'];
  const set = (date: string, ...more: string[]) =>
    beacon.run(...election, '--date', date, '--active', 'false', ...more);
  for (const day of [`${year}-04-20`, `${year - 1}-11-24`]) {
    const refused = await set(`${year}-04-28`, '--certification', day);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--certification') });
  }
  expect((await set(`${year}-04-28`, '--certification', `${year}-05-08`)).code).toBe(0);
  // Only active elections have voters who can still fix an envelope.
  const listed = JSON.parse(await beacon.do('cure', 'days', ...adams, '--json'));
  expect(new Set(listed.map((one: { election: string }) => one.election))).toEqual(new Set(['F1']));
  // The certification that stays would come before the new election day.
  expect((await set(`${year}-05-12`)).code).toBe(2);
  for (const day of [`11/24/${year - 1}`, `10/19/${year}`, `12/19/${year}`]) {
    const by = ['--by', `${day} 17:00`, '--reason', 'Board decision'];
    expect(await beacon.run('cure', 'set', ...adams, '--election', 'F1', ...by)).toEqual({
      code: 2,
      stdout: '',
      stderr: `Check --by: the time to fix an envelope of an election on 11/03/${year} cannot end on ${day}.\n`,
    });
  }
});

test('an office lays its own deadline over the rule, with its reason on record, and takes it back', async () => {
  const about = [...adams, '--election', 'F1'];
  expect((await beacon.run('cure', 'set', ...about, '--by', `${year}-11-24 17:00`)).code).toBe(2);
  const set = ['cure', 'set', ...about, '--by', `11/24/${year} 17:00`];
  await beacon.do(...set, '--reason', 'Court order 7', '--defect', 'wrong-envelope');
  expect(await days('wrong-envelope')).toMatchObject({
    deadline: `${year}-11-24T17:00:00-08:00`,
    source: 'the office: Court order 7',
  });
  expect((await days('id-missing')).deadline).toBeNull();
  const audit = JSON.parse(await beacon.do('audit', ...adams, '--json'));
  expect(audit[0]).toMatchObject({
    actor: 'operator:tester',
    action: 'deadline.set',
    target: 'F1',
    details: { reason: 'Court order 7', defect: 'wrong-envelope' },
  });
  for (const [time, words] of [
    ['00:15', '12:15 AM'],
    ['11:59', '11:59 AM'],
    ['12:30', '12:30 PM'],
    ['13:05', '1:05 PM'],
  ] as const)
    expect(
      await beacon.do(
        ...['cure', 'set', ...about, '--by', `11/24/${year} ${time}`],
        ...['--reason', 'Court order 8', '--defect', 'other'],
      ),
    ).toBe(`Voters in election F1 read 11/24/${year} ${words} from now on.\n`);
  await beacon.do('cure', 'unset', ...about, '--defect', 'other');
  expect(await beacon.do('cure', 'unset', ...about)).toContain('applies to election F1 again');
  expect((await days('wrong-envelope')).deadline).toBeNull();
  expect(await beacon.do('cure', 'unset', ...about)).toContain('Nothing was set');
});

test.each([
  ['--by', '11/24/2026'],
  ['--by', 'noon'],
  ['--by', '11/24/2026 11:59 PM'],
  ['--defect', 'ink'],
  ['--reason', ' '],
])('refuses %s "%s"', async (option, value) => {
  const valid = ['--election', 'F1', '--by', '11/24/2026 17:00', '--reason', 'Board decision'];
  const printed = await beacon.run('cure', 'set', ...adams, ...valid, option, value);
  expect(printed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(option) });
});
