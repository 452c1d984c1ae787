import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sql } from '../../../testing/sql.ts';
import { formatDay } from '../platform/clock.ts';

let db: TestDatabase;
let beacon: Beacon;

beforeEach(async () => {
  db = await createTestDatabase();
  beacon = createBeacon(db.url);
  const account = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
  const file = beacon.write('account.json', JSON.stringify({ ...account, time_zone: 'UTC' }));
  await beacon.do('account', 'apply', file);
});
afterEach(async () => {
  beacon.remove();
  await db.drop();
});

/** YYYY-MM-DD, so many days from today: what is far in the past or in the future waits for that alone. */
const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const [mailedOn, returnedOn] = [inDays(-30), inDays(-10)];

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

function writeRoll(count: number): string {
  const rows = numbers(count).map((n) => `V${n},Ann,Lee,01/02/1950,99301`);
  const header = 'registration_id,firstname,lastname,birthdate,zipcode';
  return beacon.write(`roll-${count}.csv`, [header, ...rows].join('\n'));
}
const importRoll = (count: number, ...more: string[]) =>
  beacon.run('import', writeRoll(count), '--account', 'adams', '--full', ...more);

function writeBallots(name: string, rows: readonly string[]): string {
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,RejectionReason,RejectionDescription';
  return beacon.write(name, [header, ...rows].join('\n'));
}
const importBallots = (path: string) => beacon.run('import', path, '--account', 'adams');

async function setUpElection(): Promise<void> {
  const election = ['--number', '7', '--name', 'General', '--date', inDays(20)];
  await beacon.do('election', 'set', '--account', 'adams', ...election, '--active', 'true');
}

async function activeVoters(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from voters
    where is_active`.execute(db.database.system);
  return rows[0]?.count;
}

async function ballots(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; count: number }>`
    select current_status as status, count(*) as count from ballots group by 1`.execute(
    db.database.system,
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

async function listed(): Promise<{ import_id: number; state: string; report: object }[]> {
  return JSON.parse(await beacon.do('imports', '--account', 'adams', '--json'));
}

async function waitingImport(): Promise<string> {
  const waiting = (await listed()).filter(({ state }) => state === 'file-held');
  expect(waiting).toHaveLength(1);
  return String(waiting[0]?.import_id);
}

const keptFiles = () => {
  const folder = join(beacon.folder, 'rejects', 'adams', 'held');
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
};

test('a newer file takes the place of the waiting one of its own office and format alone', async () => {
  const importTo = (account: string, count: number) =>
    beacon.run('import', writeRoll(count), '--account', account, '--full');
  const lake = { subdomain: 'lake', name: 'Lake', county: 'Lake', state: 'WA', time_zone: 'UTC' };
  await beacon.do('account', 'apply', beacon.write('lake.json', JSON.stringify(lake)));
  const statesOf = async (account: string) =>
    JSON.parse(await beacon.do('imports', '--account', account, '--json')).map(
      ({ state }: { state: string }) => state,
    );
  for (const account of ['adams', 'lake']) {
    await importTo(account, 100);
    expect((await importTo(account, 50)).code).toBe(3);
  }
  expect((await importTo('adams', 40)).code).toBe(3);
  expect(await statesOf('adams')).toEqual(['file-held', 'discarded', 'done']);
  expect(await statesOf('lake')).toEqual(['file-held', 'done']);
  // The last file of another office is none of this one's.
  expect((await importTo('lake', 100)).code).toBe(0);
  expect(await statesOf('lake')).toEqual(['nothing-new', 'discarded', 'done']);
  expect(await statesOf('adams')).toEqual(['file-held', 'discarded', 'done']);
  // Nor does a file of ballots say anything of the roll.
  await setUpElection();
  const ballotFile = writeBallots('ballots.csv', ['7,V1,Requested,,,,']);
  expect((await importBallots(ballotFile)).code).toBe(0);
  expect(await statesOf('adams')).toEqual(['done', 'file-held', 'discarded', 'done']);
});

const importOf = (day: string, count: number) => {
  const path = beacon.write(`roll-${day}.csv`, readFileSync(writeRoll(count)));
  return beacon.run('import', path, '--account', 'adams', '--full');
};

test('a file that was approved keeps its day, by which the file of the day before is old', async () => {
  await importRoll(100);
  const [day, dayBefore] = [inDays(-20), inDays(-21)];
  expect((await importOf(day, 50)).code).toBe(3);
  await beacon.do('release', await waitingImport(), '--by', 'Bea Deputy');
  const old = await importOf(dayBefore, 49);
  expect(old.code).toBe(3);
  const named = (written: string) => formatDay(written, inDays(0));
  expect(old.stderr).toContain(
    `This is the file of ${named(dayBefore)}; the file of ${named(day)} is already in`,
  );
});

test('a file of an earlier day never takes the place of the waiting file of a later day', async () => {
  expect((await importOf(inDays(-20), 100)).code).toBe(0);
  expect((await importOf(inDays(-19), 50)).code).toBe(3);
  const newer = await waitingImport();
  expect((await importOf(inDays(-21), 101)).code).toBe(3);
  await beacon.do('release', newer, '--by', 'Bea Deputy');
  expect(await activeVoters()).toBe(50);
});

test('a file that another office loaded last is news to this one', async () => {
  const importTo = async (account: string, count: number) =>
    (await beacon.run('import', writeRoll(count), '--account', account, '--full')).code;
  const lake = { subdomain: 'lake', name: 'Lake', county: 'Lake', state: 'WA', time_zone: 'UTC' };
  await beacon.do('account', 'apply', beacon.write('lake.json', JSON.stringify(lake)));
  for (const [account, count] of [
    ['lake', 98],
    ['adams', 100],
    ['adams', 100],
  ] as const)
    expect(await importTo(account, count)).toBe(0);
  const active = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from voters
      join accounts using (account_id) where is_active group by subdomain order by subdomain`.execute(
      db.database.system,
    );
    return rows.map(({ count }) => count);
  };
  expect(await active()).toEqual([100, 98]);
  expect(await importTo('lake', 100)).toBe(0);
  expect(await active()).toEqual([100, 100]);
});

test('a roll with too many missing voters waits, and is loaded only after a second person approves it', async () => {
  await importRoll(100);
  const waiting = await importRoll(50);
  expect(waiting).toMatchObject({ code: 3, stdout: '' });
  expect(waiting.stderr).toContain(
    'roll-50.csv is waiting for approval. Nothing in it was loaded: voters see what they saw before',
  );
  expect(waiting.stderr).toContain('50 active voters (50%) are missing from this file');
  expect(waiting.stderr).toMatch(/now +if approved\n +active +100 +50 {2}\(−50\)/);
  const number = await waitingImport();
  expect(waiting.stderr).toContain(`beacon release ${number} --by THEIR_NAME`);
  expect(await activeVoters()).toBe(100);
  expect((await listed()).map(({ state }) => state)).toEqual(['file-held', 'done']);

  // It contains voters' data.
  const [kept = ''] = keptFiles();
  expect(readFileSync(kept, 'utf8')).toBe(readFileSync(writeRoll(50), 'utf8'));
  expect(statSync(kept).mode & 0o777).toBe(0o600);

  const corrected = await beacon.run('correct', number, '--by', 'Bea Deputy');
  expect(corrected).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('nothing was loaded'),
  });
  const own = await beacon.run('release', number, '--by', 'Tester');
  expect(own).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('A second person must check'),
  });
  expect(await beacon.run('release', number, '--by', '  ')).toEqual({
    code: 2,
    stdout: '',
    stderr: `Give the name of the person who is responsible: beacon release ${number} --by NAME\n`,
  });
  expect(await activeVoters()).toBe(100);

  expect(await beacon.do('release', number, '--by', ' Bea Deputy ')).toContain(
    '50 rows: not in the file, and made inactive',
  );
  expect(await activeVoters()).toBe(50);
  expect((await listed()).map(({ state }) => state)).toEqual(['released', 'done']);
  expect(keptFiles()).toEqual([]);
  const audit = JSON.parse(await beacon.do('audit', '--account', 'adams', '--json'));
  expect(audit[0]).toMatchObject({ actor: 'operator:Bea Deputy', action: 'import.release' });
  expect(await beacon.run('release', number, '--by', 'Bea Deputy')).toMatchObject({ code: 1 });
});

test('a ballot file with half of its rows missing waits for approval, whatever else it contains', async () => {
  await beacon.do('import', writeRoll(100), '--account', 'adams');
  await setUpElection();
  const sent = numbers(100).map((n) => `7,V${n},Outbound,${mailedOn},,,`);
  await importBallots(writeBallots('monday.csv', sent));
  const { system } = db.database;
  await sql`update voters set firstname = '', lastname = '' where registration_id = 'V99'`.execute(
    system,
  );
  await sql`insert into contact_channels (account_id, voter_id, channel, address, status, is_opted_in)
    select account_id, voter_id, 'email', 'v99@mail.example', 'proven', true
    from voters where registration_id = 'V99'`.execute(system);
  const half = [...sent.slice(0, 45), `7,V99,Accepted,${mailedOn},${returnedOn},,`];
  const waiting = await importBallots(writeBallots('tuesday.csv', half));
  expect(waiting).toMatchObject({ code: 3, stdout: '' });
  expect(waiting.stderr).toContain('It has 46 rows; the one before it had 100');
  expect(await ballots()).toEqual({ sent: 100 });
  // The same file again still waits for the same approval.
  expect((await importBallots(writeBallots('tuesday.csv', half))).code).toBe(3);
  expect((await listed()).map(({ state }) => state)).toEqual([
    'file-held',
    'discarded',
    'done',
    'done',
  ]);

  const release = ['release', await waitingImport(), '--by', 'Bea Deputy'];
  expect(await beacon.do(...release)).toMatch(
    /Its messages are waiting for approval: check them, and run the same command again\.\n$/,
  );
  expect(await beacon.do(...release)).toMatch(/1 messages will be sent\.\nThe last message leaves/);
  // A ballot missing from a file is not cancelled.
  expect(await ballots()).toEqual({ accepted: 1, sent: 99 });
});

test('a waiting file is discarded when a newer file is loaded', async () => {
  await importRoll(100);
  await importRoll(50);
  const number = await waitingImport();
  expect((await importRoll(99)).code).toBe(0);
  expect(keptFiles()).toEqual([]);
  expect(await listed()).toMatchObject([
    { state: 'done' },
    {
      state: 'discarded',
      report: {
        refusedBecause: null,
        discardedBecause: expect.stringContaining('until a newer file came'),
      },
    },
    { state: 'done' },
  ]);
  expect(await beacon.run('release', number, '--by', 'Bea Deputy')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not waiting for approval'),
  });
  expect(await activeVoters()).toBe(99);
});

test('what is not waiting is not approved, and the answer says in words what became of it', async () => {
  await importRoll(100);
  await importRoll(100);
  await importRoll(50);
  const number = await waitingImport();
  const approve = async (id: string) =>
    (await beacon.run('release', id, '--by', 'Bea Deputy')).stderr;
  expect(await approve('1')).toBe(
    'Import 1 is not waiting for approval: it was loaded without one.\n',
  );
  expect(await approve('2')).toBe(
    'Import 2 is not waiting for approval: it was the same file as the one before, and nothing changed.\n',
  );
  const correct = async (id: string) =>
    (await beacon.run('correct', id, '--by', 'Bea Deputy')).stderr;
  expect(await correct('2')).toBe(
    'Import 2 was the same file as the import before it and changed nothing. Correct that import.\n',
  );
  expect(await correct('999')).toBe('There is no import 999.\n');
  expect(await approve(number)).toBe('');
  expect(await approve(number)).toBe(
    `Import ${number} is not waiting for approval: it was already approved and loaded.\n`,
  );
  await beacon.do('correct', number, '--by', 'Bea Deputy');
  expect(await approve(number)).toContain('cannot be released');
});

test('a waiting file whose copy is gone is approved with the file itself, packed or not, and with no other', async () => {
  await importRoll(100);
  await importRoll(50);
  const number = await waitingImport();
  for (const path of keptFiles()) writeFileSync(path, 'damaged');
  const release = (...more: string[]) =>
    beacon.run('release', number, '--by', 'Bea Deputy', ...more);
  expect((await release()).code).toBe(1);
  expect(await release('--file', writeRoll(60))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not the file that waits for approval'),
  });
  expect(await activeVoters()).toBe(100);
  const packed = beacon.write('roll.csv.gz', gzipSync(readFileSync(writeRoll(50))));
  expect((await release('--file', packed)).code).toBe(0);
  expect(await activeVoters()).toBe(50);
});

test('a file that waited while the product was upgraded is approved: what its stored format lacks is as in new formats', async () => {
  await importRoll(100);
  await importRoll(50);
  await sql`update imports set report = report #- '{heldFile,format,preamble}' #- '{heldFile,format,first_statuses}'
    where state = 'file-held'`.execute(db.database.system);
  const number = await waitingImport();
  expect(await beacon.run('release', number, '--by', 'Bea Deputy')).toMatchObject({ code: 0 });
  expect(await activeVoters()).toBe(50);
});

test('a list of the day’s changes does not count as a shorter file', async () => {
  await beacon.do('import', writeRoll(100), '--account', 'adams');
  await setUpElection();
  const sent = numbers(100).map((n) => `7,V${n},Outbound,${mailedOn},,,`);
  await importBallots(writeBallots('all.csv', sent));
  const changes = numbers(10).map((n) => `7,V${n},Accepted,${mailedOn},${returnedOn},,`);
  expect(await importBallots(writeBallots('changes.csv', changes))).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await ballots()).toEqual({ accepted: 10, sent: 90 });
});

test('a file is compared with the last complete list, or with an approved shorter list', async () => {
  await beacon.do('import', writeRoll(100), '--account', 'adams');
  await setUpElection();
  const sent = numbers(100).map((n) => `7,V${n},Outbound,${mailedOn},,,`);
  await importBallots(writeBallots('all.csv', sent));
  await importBallots(writeBallots('changes.csv', [`7,V1,Accepted,${mailedOn},${returnedOn},,`]));
  expect((await importBallots(writeBallots('half.csv', sent.slice(0, 50)))).code).toBe(3);
  await beacon.do('release', await waitingImport(), '--by', 'Bea Deputy');
  expect((await importBallots(writeBallots('next.csv', sent.slice(0, 49)))).code).toBe(0);
});
