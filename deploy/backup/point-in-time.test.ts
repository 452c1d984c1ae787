import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createLogins } from '../../server/src/platform/logins.ts';
import { migrate } from '../../server/src/platform/migrations.ts';
import { type Database, openDatabase, takesWrites } from '../../server/src/platform/postgres.ts';
import { addOffice, addVoter } from '../../testing/api.ts';
import { createBeacon } from '../../testing/beacon.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import {
  makeCluster,
  type PostgresFolder,
  type PostgresProcess,
  startPostgres,
} from '../../testing/postgres-process.ts';

/** The block under this heading with this word. */
function find(heading: string, word: string): string {
  const block = readCodeBlocks('operations/backup.md').find(
    (each) => each.heading === heading && each.text.includes(word),
  );
  if (!block) throw new Error(`The page has no block with ${word}.`);
  return block.text;
}

let folder: PostgresFolder;
let server: PostgresProcess;
let url: string;

beforeAll(async () => {
  folder = makeCluster('point-in-time', () => ['--username', 'beacon', '--auth', 'trust']);
  url = `postgresql://beacon@/beacon?host=${encodeURIComponent(folder.path)}`;
  mkdirSync(join(folder.path, 'backups/wal'), { recursive: true });
  give(join(folder.path, 'backups'));
  appendFileSync(
    join(folder.cluster, 'postgresql.conf'),
    here(find('Point in time', 'archive_mode')),
  );
  server = await start();
  runAsOwner('createdb --username beacon beacon');
  await migrate(url);
  await createLogins(url);
});
afterAll(async () => {
  await server.stop();
  rmSync(folder.path, { recursive: true });
});

test('night after night two base backups stay, and a database is restored to a moment of choice, as a restored one', async () => {
  const database = openDatabase(url, { connections: 2 });
  const accountId = await addOffice({ database }, { subdomain: 'adams' });
  let first: string[] = [];
  for (const night of ['1', '2', '3']) {
    makeBaseBackup(night);
    await archive(database);
    if (night === '1') first = listArchive();
  }
  expect(first).not.toEqual([]);
  expect(listArchive().filter((name) => first.includes(name))).toEqual([]);
  expect(readdirSync(join(folder.path, 'backups/base'))).toEqual(['2', '3']);
  await addVoter({ database }, accountId, { registration_id: 'BEFORE' });
  await archive(database);
  const moment = await readClock(database);
  await addVoter({ database }, accountId, { registration_id: 'AFTER' });
  await archive(database);
  await database.close();

  await server.stop('SIGKILL');
  rmSync(folder.cluster, { recursive: true });
  // The older one, which needs the log of a day more.
  runAsOwner(here(`cp -a /var/backups/base/2 ${folder.cluster}`));
  const settings = here(find('Restore', 'recovery_target_time')).replace(
    /(?<=recovery_target_time = ').*(?=')/,
    moment,
  );
  appendFileSync(join(folder.cluster, 'postgresql.conf'), settings);
  writeFileSync(join(folder.cluster, 'recovery.signal'), '');
  give(folder.cluster);
  server = await start();

  const restored = openDatabase(url, { connections: 2 });
  await vi.waitFor(async () => expect(await takesWrites(restored)).toBe(true), {
    timeout: 30_000,
  });
  const { rows } = await restored.systemPool.query(
    `select registration_id from voters where registration_id in ('BEFORE', 'AFTER')`,
  );
  expect(rows).toEqual([{ registration_id: 'BEFORE' }]);
  const beacon = createBeacon(url);
  expect(await beacon.do('restore', 'begin', '--by', 'Ada Wu')).toContain('0 wait for you');
  beacon.remove();
  await restored.close();
});

/** What the page has for each night. */
function makeBaseBackup(night: string): void {
  runAsOwner(here(find('Point in time', 'pg_basebackup')).replace(/\$\(date [^)]*\)/, night));
}

/** Whole pieces of the log in the archive. */
const listArchive = () =>
  readdirSync(join(folder.path, 'backups/wal')).filter((name) => /^[0-9A-F]{24}$/.test(name));

/** A text of the page, in this test's folder. */
function here(text: string): string {
  return text.replaceAll('/var/backups', join(folder.path, 'backups'));
}

function start(): Promise<PostgresProcess> {
  const ready = `postgresql://beacon@/postgres?host=${encodeURIComponent(folder.path)}`;
  return startPostgres(folder, { listen_addresses: '' }, ready);
}

/** To the user of PostgreSQL, with everything in it. */
function give(path: string): void {
  const { owner } = folder;
  if (!owner) return;
  for (const file of [path, ...globSync(join(path, '**'))]) chownSync(file, owner.uid, owner.gid);
}

function runAsOwner(command: string): void {
  const { status, stderr } = spawnSync('sh', ['-e', '-c', command], {
    ...folder.owner,
    cwd: '/',
    encoding: 'utf8',
    env: { PATH: `${folder.binaries}:/usr/bin:/bin`, PGHOST: folder.path, PGUSER: 'beacon' },
  });
  if (status !== 0) throw new Error(`${command}\n${stderr}`);
}

async function readClock({ systemPool }: Database): Promise<string> {
  const { rows } = await systemPool.query<{ now: string }>('select clock_timestamp()::text as now');
  return rows[0]?.now ?? '';
}

/** What `archive_timeout` does after a minute: the log until now is in the archive. */
async function archive({ systemPool }: Database): Promise<void> {
  const { rows } = await systemPool.query<{ file: string }>(
    'select pg_walfile_name(pg_switch_wal()) as file',
  );
  await vi.waitFor(
    async () => {
      const { rows: done } = await systemPool.query<{ last: string }>(
        'select last_archived_wal as last from pg_stat_archiver',
      );
      expect((done[0]?.last ?? '') >= (rows[0]?.file ?? 'Z')).toBe(true);
    },
    { timeout: 30_000 },
  );
}

test('a piece that was archived as the machine went down is archived once more, and the next ones after it', async () => {
  const database = openDatabase(url, { connections: 1 });
  await archive(database);
  const [last = ''] = listArchive().sort().slice(-1);
  // It had not been noted yet.
  const state = join(folder.cluster, 'pg_wal/archive_status', last);
  renameSync(`${state}.done`, `${state}.ready`);
  await database.systemPool.query(`select pg_logical_emit_message(true, 'test', 'news')`);
  await archive(database);
  await database.close();
});
