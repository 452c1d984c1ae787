import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestOffice, type TestOffice } from '../../../testing/office.ts';

let office: TestOffice;
let beacon: Beacon;

beforeEach(async () => {
  office = await createTestOffice();
  office.clock.set('2026-11-01T20:00:00Z');
  beacon = createBeacon(office.db.url, { clock: office.clock });
  expect((await importRoll(100)).code).toBe(0);
});
afterEach(async () => {
  beacon.remove();
  await office.close();
});

const header = 'registration_id,firstname,lastname,birthdate,zipcode';

function importRoll(count: number) {
  const rows = Array.from({ length: count }, (_, n) => `V${n},Ann,Lee,01/02/1950,99301`);
  const path = beacon.write(`roll-${count}.csv`, [header, ...rows].join('\n'));
  return beacon.run('import', path, '--account', 'adams', '--full');
}

/** A roll that lacks half of the voters, which waits. */
async function importHalf(format: string) {
  const rows = Array.from({ length: 50 }, (_, n) => `V${n},Ann,Lee,01/02/1950,99301`);
  const path = beacon.write('half.csv', [header, ...rows].join('\n'));
  const waiting = await beacon.run(
    'import',
    path,
    '--account',
    'adams',
    '--full',
    '--format',
    format,
  );
  expect(waiting.code, waiting.stderr).toBe(3);
  return { importId: (await newest()).import_id };
}

const discard = (importId: number | string, ...more: string[]) =>
  beacon.run('discard', String(importId), '--by', 'Ana Clerk', '--reason', 'Cut off', ...more);

interface Listed {
  readonly import_id: number;
  readonly state: string;
  readonly report: object;
}

async function newest(): Promise<Listed> {
  const listed: Listed[] = JSON.parse(await beacon.do('imports', '--account', 'adams', '--json'));
  const [first] = listed;
  if (!first) throw new Error('There are no imports.');
  return first;
}

function keptFiles(): string[] {
  const folder = join(beacon.folder, 'rejects', 'adams', 'held');
  return existsSync(folder) ? readdirSync(folder) : [];
}

test('the copy of a file stays while another import of the same bytes waits', async () => {
  const { importId } = await importHalf('beacon-voters');
  const file = new URL('../modules/imports/formats/beacon-voters.json', import.meta.url);
  const roll = JSON.parse(readFileSync(file, 'utf8'));
  const own = beacon.write('own-roll.json', JSON.stringify({ ...roll, name: 'own-roll' }));
  const other = await importHalf(own);
  expect(keptFiles()).toHaveLength(1);
  expect((await discard(importId)).stdout).not.toContain('deleted');
  expect(keptFiles()).toHaveLength(1);
  expect((await discard(other.importId)).stdout).toContain('Its copy was deleted.');
  expect(keptFiles()).toEqual([]);
});

test('a file of scans that waits is discarded by nobody but a person, and says so', async () => {
  await office.addElection('7', '2026-11-03');
  const voters = [1, 2, 3, 4, 5, 6];
  const code = (voter: number) => `0071612345600000000${voter}`;
  const load = (name: string, ...lines: string[]) =>
    beacon.run('import', beacon.write(name, lines.join('\n')), '--account', 'adams');
  const ballots = voters.map((voter) => `V${voter},7,sent,2026-10-20`);
  await load('ballots.csv', 'registration_id,election,status,sent_on', ...ballots);
  const pieces = voters.map((voter) => `V${voter},7,${code(voter)}`);
  await load('pieces.csv', 'registration_id,election,outbound_imb', ...pieces);
  const early = voters.map((voter) => `${code(voter)},2026-10-01 08:00:00,1a`);
  const { code: status, stderr } = await load('early.csv', 'imb,scanDatetime,mailPhase', ...early);
  expect([status, stderr]).toEqual([3, expect.stringContaining('Import the right file. To')]);
  const { import_id: id } = await newest();
  const corrected = await beacon.run('correct', String(id), '--by', 'Ana Clerk');
  expect(corrected.stderr).toContain('Import the right file, or discard it now: ');
  const right = `${code(1)},2026-10-21 08:00:00,1a`;
  expect((await load('right.csv', 'imb,scanDatetime,mailPhase', right)).code).toBe(0);
  expect((await discard(id)).stdout).toContain('(early.csv) was discarded');
  // So does the report beside a file of a watched folder.
  const folder = join(beacon.folder, 'dropped');
  mkdirSync(folder);
  writeFileSync(join(folder, 'early.csv'), ['imb,scanDatetime,mailPhase', ...early].join('\n'));
  const watched = await beacon.do(
    ...['watch', folder, '--account', 'adams', '--once', '--settle', '0'],
  );
  const { import_id: next } = await newest();
  expect(watched).toContain(
    `If the file is wrong, put the right file into the folder, and: beacon discard ${next} --by NAME --reason TEXT`,
  );
});

test('a clerk discards a waiting file: its copy is gone, it can never be released, and the audit says who and why', async () => {
  const waiting = await importRoll(50);
  const { import_id: id } = await newest();
  expect(waiting.stderr).toContain(`beacon discard ${id} --by NAME --reason TEXT`);
  expect(keptFiles()).toHaveLength(1);
  expect(await discard(id)).toEqual({
    code: 0,
    stdout: `Import ${id} (roll-50.csv) was discarded: nothing of it was loaded, and nothing will be. Its copy was deleted.\n`,
    stderr: '',
  });
  expect(keptFiles()).toEqual([]);
  const { state, report } = await newest();
  expect([state, report]).toEqual([
    'discarded',
    expect.objectContaining({ discardedBecause: 'Ana Clerk discarded it: Cut off' }),
  ]);
  expect(report).not.toHaveProperty('heldFile');
  const audit = JSON.parse(await beacon.do('audit', '--account', 'adams', '--json'));
  expect(audit[0]).toMatchObject({
    actor: 'operator:Ana Clerk',
    action: 'import.discard',
    target: String(id),
    details: {
      format: 'beacon-voters',
      reason: 'Cut off',
      run_as: 'operator:tester',
      identity: 'typed',
    },
  });
  for (const verb of ['release', 'correct'])
    expect(await beacon.run(verb, String(id), '--by', 'Bea Deputy')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('discarded'),
    });
  // The same wrong file waits again: discarding it taught nothing.
  expect((await importRoll(50)).code).toBe(3);
});

test('only a waiting file can be discarded, and the answer says what else to do', async () => {
  const { import_id: id } = await newest();
  expect(await discard(id)).toEqual({
    code: 1,
    stdout: '',
    stderr: `Import ${id} is not waiting for approval: it was loaded without one. If it is wrong: beacon correct ${id} --by NAME\n`,
  });
  expect((await discard(999)).stderr).toBe('There is no import 999.\n');
  await importRoll(50);
  const { import_id: waiting } = await newest();
  expect((await discard(waiting, '--reason', ' ')).code).toBe(2);
  const unsaid = await beacon.run('discard', String(waiting), '--by', 'Ana Clerk');
  expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining('--reason') });
  expect((await newest()).state).toBe('file-held');
  expect(await discard(waiting)).toMatchObject({ code: 0 });
  expect((await discard(waiting)).stderr).toContain(
    'is not waiting for approval: it was discarded.',
  );
});

test('the person who imported a file may discard it by name, and may not approve it', async () => {
  await importRoll(50);
  const { import_id: id } = await newest();
  const own = (verb: string, ...more: string[]) =>
    beacon.run(verb, String(id), '--by', 'Tester', ...more);
  expect(await own('release')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('second'),
  });
  expect((await newest()).state).toBe('file-held');
  expect(await own('discard', '--reason', 'Cut off')).toMatchObject({ code: 0, stderr: '' });
  expect((await newest()).state).toBe('discarded');
});
