import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  makeCluster,
  type PostgresFolder,
  type PostgresProcess,
  startPostgres,
} from '../../testing/postgres-process.ts';

const file = parse(readFileSync(path.join(import.meta.dirname, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as { services: Record<'logins' | 'database', Service> };
interface Service {
  readonly command: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

let folder: PostgresFolder;
let server: PostgresProcess;
beforeEach(async () => {
  folder = makeCluster('first-start', () => ['--username', 'postgres', '--auth', 'trust']);
  const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(folder.path)}`;
  server = await startPostgres(folder, { listen_addresses: '' }, url);
});
afterEach(async () => {
  await server.stop();
  rmSync(folder.path, { recursive: true });
});

function run(program: string, ...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    encoding: 'utf8',
    env: {
      PATH: `${folder.binaries}:/usr/bin:/bin`,
      ...{ PGHOST: folder.path, PGUSER: 'postgres', PASSWORD: 'ofTheLogins1' },
    },
  });
  return { status, output: stdout + stderr };
}
const ask = (query: string) =>
  run('psql', '--no-psqlrc', '--tuples-only', '--no-align', '--command', query).output.trim();

/** What the compose file runs before anything else, as compose does. */
function makeLogins() {
  const [shell = '', ...rest] = file.services.logins.command;
  const deploy = path.resolve(import.meta.dirname, '..');
  return run(
    shell,
    ...rest.map((word) => word.replaceAll('$$', '$').replaceAll('/deploy/', `${deploy}/`)),
  );
}

const isWhole = () => [
  ask(`select count(*) from pg_database where datname = 'beacon'`),
  ask(`select count(*) from pg_roles where rolname ~ '^beacon_.*_login$' and rolcanlogin`),
  ask(`select count(*) from pg_auth_members where member = 'beacon_owner'::regrole`),
];

test.each([
  ['nothing was made', []],
  ['the owner alone was made', ['create role beacon_owner login']],
  [
    'the database was made, and no login',
    ['create role beacon_owner login', 'create database beacon owner beacon_owner'],
  ],
])('a first start goes on where %s before', (_, made) => {
  for (const statement of made) ask(statement);
  expect(makeLogins()).toMatchObject({ status: 0 });
  const whole = isWhole();
  expect(whole.slice(0, 2)).toEqual(['1', '4']);
  expect(Number(whole[2])).toBeGreaterThan(0);
  // Each start of the site runs it again.
  expect(makeLogins()).toMatchObject({ status: 0 });
  expect(isWhole()).toEqual(whole);
});

test('a start whose server refuses something ends with a failure, and the next one goes on', () => {
  ask('create role beacon_owner login');
  ask('alter role postgres set default_transaction_read_only = on');
  expect(makeLogins().status).not.toBe(0);
  ask('begin read write; alter role postgres reset default_transaction_read_only; commit');
  expect(makeLogins()).toMatchObject({ status: 0 });
  expect(isWhole().slice(0, 2)).toEqual(['1', '4']);
});

test('the database counts as started once it answers others, not while it makes its first files', () => {
  // PostgreSQL's image answers on its socket meanwhile.
  const { test: words = [] } = file.services.database.healthcheck ?? {};
  expect(words.join(' ')).toContain('--host 127.0.0.1');
});
