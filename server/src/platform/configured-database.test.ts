import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { readConfig } from './config.ts';
import { openConfiguredDatabase } from './configured-database.ts';
import type { AccountId } from './ids.ts';

let dataDirectory: string;
beforeEach(() => {
  dataDirectory = mkdtempSync(join(tmpdir(), 'beacon-data-'));
});
afterEach(() => rmSync(dataDirectory, { recursive: true, force: true }));

test('a new installation has its schema at once, and a command that joins it applies nothing twice', async () => {
  const config = readConfig({ BEACON_DATA: dataDirectory });
  const server = await openConfiguredDatabase(config);
  const command = await openConfiguredDatabase(config);
  expect(server.migrated).toContain('0001-create-accounts.sql');
  expect(command.migrated).toEqual([]);
  await command.close();
  const { rows } = await sql`select from accounts`.execute(server.database.system);
  expect(rows).toEqual([]);
  await server.close();
});

test('any other PostgreSQL serves by DATABASE_URL', async () => {
  const { url, drop } = await createTestDatabase();
  const { database, close } = await openConfiguredDatabase(readConfig({ DATABASE_URL: url }));
  expect((await sql`select from voters`.execute(database.system)).rows).toEqual([]);
  await close();
  await drop();
});

test('a database that is not there is named, without its password', async () => {
  const DATABASE_URL = 'postgresql://beacon:hunter2@127.0.0.1:1/tracker';
  const opening = openConfiguredDatabase(readConfig({ DATABASE_URL }));
  await expect(opening).rejects.toThrow(
    /"tracker" at 127\.0\.0\.1, port 1, does not answer \(ECONNREFUSED\)/,
  );
  await expect(opening).rejects.not.toThrow(/hunter2/);
});

test('a server that refuses us says why', async () => {
  const { url, drop } = await createTestDatabase();
  const wrong = url.replace(/\/test_\w+\?/, '/none?');
  await expect(openConfiguredDatabase(readConfig({ DATABASE_URL: wrong }))).rejects.toThrow(
    /\(3D000: database "none" does not exist\)/,
  );
  for (const setting of ['DATABASE_DIRECT_URL', 'DATABASE_API_URL'])
    await expect(
      openConfiguredDatabase(readConfig({ DATABASE_URL: url, [setting]: wrong })),
    ).rejects.toThrow(`${setting} cannot be used: the database "none"`);
  await drop();
});

test('a private database that is killed is started again, with its rows, by the process that watches it', async () => {
  const restored = Promise.withResolvers<void>();
  const { database, close } = await openConfiguredDatabase(
    readConfig({ BEACON_DATA: dataDirectory }),
    {
      onLost: () => {},
      onRestored: restored.resolve,
      onGivenUp: restored.reject,
    },
  );
  process.kill(readPid(), 'SIGKILL');
  await restored.promise;
  expect((await sql`select from voters`.execute(database.system)).rows).toEqual([]);
  expect((await sql`select from voters`.execute(database.forAccount(1 as AccountId))).rows).toEqual(
    [],
  );
  await close();
});

test('a private database that cannot be started again is given up, with the reason', async () => {
  const given = Promise.withResolvers<unknown>();
  const { close } = await openConfiguredDatabase(readConfig({ BEACON_DATA: dataDirectory }), {
    onLost: () => {},
    onRestored: () => given.reject(new Error('It came back.')),
    onGivenUp: given.resolve,
    attempts: 2,
  });
  rmSync(join(findCluster(), 'global'), { recursive: true });
  process.kill(readPid(), 'SIGKILL');
  expect(await given.promise).toMatchObject({
    message: expect.stringContaining('The database did not start'),
  });
  await close();
});

function findCluster(): string {
  const note = join(dataDirectory, 'POSTGRES-IS-ELSEWHERE.txt');
  const folder = existsSync(note)
    ? (readFileSync(note, 'utf8').split('\n')[1] ?? '')
    : join(dataDirectory, 'postgres');
  return join(folder, 'cluster');
}

function readPid(): number {
  return Number(readFileSync(join(findCluster(), 'postmaster.pid'), 'utf8').split('\n')[0]);
}
