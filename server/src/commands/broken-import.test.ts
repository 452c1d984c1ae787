import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { pg } from '../../../testing/sql.ts';
import { createLogins } from '../platform/logins.ts';
import { migrate } from '../platform/migrations.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../platform/private-postgres.ts';

// Each test starts a database of its own, breaks it under an import, and starts it again.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Databases at rest, of which tests get copies: with an office alone, and with its roll. */
let ofOffice: string;
let ofRoll: string;
let folder: string;
const started: PrivatePostgres[] = [];
let beacon: Beacon;

const makeFolder = () => mkdtempSync(join(tmpdir(), 'beacon-broken-'));

beforeAll(async () => {
  folder = makeFolder();
  const url = await startDatabase();
  await migrate(url);
  await createLogins(url);
  beacon = createBeacon(url);
  const account = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
  const file = beacon.write('account.json', JSON.stringify({ ...account, time_zone: 'UTC' }));
  await beacon.do('account', 'apply', file);
  ofOffice = await leaveAtRest();

  await openCopy(ofOffice);
  await beacon.do(...importing(writeRoll('roll.csv', rows, 'Heron Way')));
  ofRoll = await leaveAtRest();
});
afterEach(async () => rmSync(await leaveAtRest(), { recursive: true, force: true }));
afterAll(() => {
  for (const one of [ofOffice, ofRoll]) rmSync(one, { recursive: true, force: true });
});

async function openCopy(source: string): Promise<void> {
  folder = makeFolder();
  // With their owner, who is not always ourselves.
  execFileSync('cp', ['-a', `${source}/.`, folder]);
  beacon = createBeacon(await startDatabase());
}

/** @returns the folder of the database */
async function leaveAtRest(): Promise<string> {
  await stopDatabase();
  beacon.remove();
  return folder;
}

async function startDatabase(): Promise<string> {
  const postgres = await startPrivatePostgres({ dataDirectory: folder });
  started.push(postgres);
  return postgres.url;
}

async function stopDatabase(): Promise<void> {
  for (const one of started.splice(0)) await one.close();
}

function postmaster(): number {
  const file = join(folder, 'postgres', 'cluster', 'postmaster.pid');
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

async function connect<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: started.at(-1)?.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const ask = <Row extends object>(query: string) =>
  connect(async (client) => (await client.query<Row>(query)).rows);

/** Looks for a moment that is soon over. */
const untilFound = (query: string) =>
  connect((client) =>
    expect
      .poll(async () => (await client.query(query)).rowCount, { timeout: 30_000, interval: 1 })
      .not.toBe(0),
  );

const count = async (table: string) =>
  (await ask<{ count: string }>(`select count(*) from ${table}`))[0]?.count;

/** Of a file that is read, and applied, for so long that the end comes in the middle. */
const rows = 30_000;
/** More than fit the small disk. */
const manyRows = 50_000;
function writeRoll(name: string, length: number, street: string, city = 'Pasco'): string {
  const lines = Array.from(
    { length },
    (_, n) => `K${n},Ann,Lee,01/02/1950,99301,${n} ${street},${city}`,
  );
  const header = 'registration_id,firstname,lastname,birthdate,zipcode,address,city';
  return beacon.write(name, `${header}\n${lines.join('\n')}\n`);
}
const importing = (path: string) => ['import', path, '--account', 'adams'];

const moments = {
  'while the file is read': `select from pg_stat_progress_copy where tuples_processed > 0`,
  'while its rows are applied': `select from pg_stat_activity where state = 'active' and ltrim(query, E' \\n') like 'update voters v set firstname%'`,
} as const;

/** As a power cut does. */
function killAll(): void {
  const pid = postmaster();
  // Each of its processes is a child of the first process.
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  for (const one of [pid, ...children.trim().split(/\s+/).map(Number)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch (error) {
      // A child that noticed the first process die, or that had finished, is gone already.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
const stopAtOnce = () => void process.kill(postmaster(), 'SIGQUIT');

test.each([
  ['killed', 'while the file is read', killAll],
  ['killed', 'while its rows are applied', killAll],
  ['stopped at once', 'while its rows are applied', stopAtOnce],
] as const)(
  'a database %s %s has loaded nothing of the file, and loads it when the command is repeated',
  async (_, moment, end) => {
    await openCopy(ofRoll);
    const path = writeRoll('other-city.csv', rows, 'Heron Way', 'Kennewick');
    const { result } = beacon.start(...importing(path));
    await untilFound(moments[moment]);
    end();
    const { code, stdout, stderr } = await result;
    expect(stderr).toBe(
      'The database stopped before all of other-city.csv was loaded, so nothing of it was. Start it again (if it does not start, look whether its disk is full), then run the same command again. That is safe.\n',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });

    await startDatabase();
    expect(await count('voters')).toBe(String(rows));
    expect(await count(`voters where city = 'Kennewick'`)).toBe('0');
    expect(await count('imports')).toBe('1');
    expect(await beacon.do(...importing(path))).toContain('changed 30,000');
  },
);

/**
 * A limit on the size of its files is to PostgreSQL what a full disk is: the write that crosses it comes back short,
 * and the next fails. Unlike a small file system it takes no privileges to make.
 */
async function startDatabaseOnSmallDisk(): Promise<void> {
  const module = fileURLToPath(new URL('../platform/private-postgres.ts', import.meta.url));
  const start = `(await import(${JSON.stringify(module)})).startPrivatePostgres({ dataDirectory: process.argv[1] })`;
  // In blocks of 512 bytes: more than the 16 MB of its log, and not a whole number of pages.
  const limited = 'ulimit -S -f 33333 && exec "$@"';
  const node = [process.execPath, '--input-type=module', '-e', `await ${start}; process.exit()`];
  execFileSync('sh', ['-c', limited, 'sh', ...node, folder]);
  await startDatabase();
}

test('a full database disk leaves nothing of the file; the import succeeds when there is space again', async () => {
  await openCopy(ofOffice);
  await stopDatabase();
  await startDatabaseOnSmallDisk();
  const path = writeRoll(
    'roll.csv',
    manyRows,
    'Heron Way Building 7 Apartment 12 behind the old mill by the river'.padEnd(190, '.'),
    'Springfield on the Upper River'.padEnd(100, '.'),
  );
  const { code, stdout, stderr } = await beacon.run(...importing(path));
  expect(stderr).toBe(
    "The database's disk is full. Nothing of roll.csv was imported. Make room, then run the same command again. That is safe.\n",
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(await count('voters')).toBe('0');
  expect(await count('imports')).toBe('0');

  await stopDatabase();
  await startDatabase();
  expect(await beacon.do(...importing(path))).toContain('voters new 50,000');
});
