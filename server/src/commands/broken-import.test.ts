import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Beacon, createBeacon } from '../../../testing/beacon.ts';
import { pg } from '../../../testing/sql.ts';
import { createLogins } from '../platform/logins.ts';
import { migrate } from '../platform/migrations.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../platform/private-postgres.ts';

// Each test starts a database of its own, breaks it under an import, and starts it again.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let folder: string;
const started: PrivatePostgres[] = [];
let beacon: Beacon;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'beacon-broken-'));
  const url = await startDatabase();
  await migrate(url);
  await createLogins(url);
  beacon = createBeacon(url);
  const account = { subdomain: 'adams', name: 'Adams', county: 'Adams', state: 'WA' };
  const file = beacon.write('account.json', JSON.stringify({ ...account, time_zone: 'UTC' }));
  await beacon.do('account', 'apply', file);
});
afterEach(async () => {
  await stopDatabase();
  beacon.remove();
  rmSync(folder, { recursive: true, force: true });
});

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

async function ask<Row extends object>(query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: started.at(-1)?.url });
  await client.connect();
  try {
    return (await client.query<Row>(query)).rows;
  } finally {
    await client.end();
  }
}

const count = async (table: string) =>
  (await ask<{ count: string }>(`select count(*) from ${table}`))[0]?.count;

const rows = 100_000;
function writeRoll(name: string, street: string): string {
  const lines = Array.from(
    { length: rows },
    (_, n) => `K${n},Ann,Lee,01/02/1950,99301,${n} ${street}`,
  );
  const header = 'registration_id,firstname,lastname,birthdate,zipcode,address';
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
    await beacon.do(...importing(writeRoll('roll.csv', 'Heron Way')));
    const path = writeRoll('moved.csv', 'Teal Street');
    const { result } = beacon.start(...importing(path));
    await expect
      .poll(() => ask(moments[moment]), { timeout: 30_000, interval: 5 })
      .not.toHaveLength(0);
    end();
    const { code, stdout, stderr } = await result;
    expect(stderr).toBe(
      'The database stopped before all of moved.csv was loaded, so nothing of it was. Start it again (if it does not start, look whether its disk is full), then run the same command again. That is safe.\n',
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });

    await startDatabase();
    expect(await count('voters')).toBe(String(rows));
    expect(await count(`voters where address like '%Teal Street'`)).toBe('0');
    expect(await count('imports')).toBe('1');
    expect(await beacon.do(...importing(path))).toContain('changed 100,000');
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
  await stopDatabase();
  await startDatabaseOnSmallDisk();
  const path = writeRoll(
    'roll.csv',
    'Heron Way Building 7 Apartment 12 behind the old mill by the river',
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
  expect(await beacon.do(...importing(path))).toContain('voters new 100,000');
});
