import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { createLogins } from '../server/src/platform/logins.ts';
import { migrate, readMigrations } from '../server/src/platform/migrations.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';
import {
  type PrivatePostgres,
  startPrivatePostgres,
} from '../server/src/platform/private-postgres.ts';

export interface TestDatabase {
  readonly name: string;
  readonly database: Database;
  /** For a child process: its DATABASE_URL. */
  readonly url: string;
  /** Closes every connection and drops the database. */
  drop(): Promise<void>;
}

export interface TestServer {
  readonly url: string;
  /** A database with the tree's schema, to be cloned. */
  readonly template: string;
  /** Leaves the server; the last one out takes away what killed runs left, and stops it. */
  close(): Promise<void>;
}

/** Set by the run's global setup (testing/database-server.ts) for the processes that run tests. */
export const serverVariable = 'BEACON_TEST_SERVER';

/** One server for all test runs of this user and machine, and the clusters it starts quickly from. */
const dataDirectory = join(tmpdir(), `beacon-tests-${process.getuid?.() ?? 0}`);

let server: Promise<Pick<TestServer, 'url' | 'template'>> | undefined;

/** A database of its own with the tree's schema, cloned in about 40 ms from a template that is migrated once per schema. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return cloneDatabase((await findServer()).template);
}

/** A database with everything that another contains, which nobody may be connected to. */
export async function copyTestDatabase(source: TestDatabase): Promise<TestDatabase> {
  return cloneDatabase(source.name);
}

function findServer(): Promise<Pick<TestServer, 'url' | 'template'>> {
  const running = process.env[serverVariable];
  server ??= running === undefined ? startTestServer() : Promise.resolve(JSON.parse(running));
  return server;
}

async function cloneDatabase(template: string): Promise<TestDatabase> {
  const { url: serverUrl } = await findServer();
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  // The default way of copying logs every page; files are quicker for a template this small.
  await askAsAdmin(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(serverUrl, name);
  const database = openDatabase(url, { connections: 6 });
  return {
    name,
    database,
    url,
    async drop() {
      await database.close();
      await askAsAdmin(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** Starts or joins the server and sees that its template is there. */
export async function startTestServer(): Promise<TestServer> {
  const migrations = await readMigrations();
  const digest = createHash('sha256');
  for (const { name, sha256 } of migrations) digest.update(name).update(sha256);
  const template = `template_${digest.digest('hex').slice(0, 16)}`;
  const postgres: PrivatePostgres = await startPrivatePostgres({
    dataDirectory,
    unsafelyFast: true,
    beforeStop: (admin) => dropLeftovers(admin, template),
  });
  await asAdmin(postgres.url, async (admin) => {
    await admin.query('select pg_advisory_lock(1)');
    if (await isTemplate(admin, template)) return;
    await admin.query(`drop database if exists ${template}`);
    await admin.query(`create database ${template}`);
    await migrate(urlOf(postgres.url, template), { migrations });
    await admin.query(`alter database ${template} is_template true`);
  });
  await createLogins(urlOf(postgres.url, template));
  return { url: postgres.url, template, close: () => postgres.close() };
}

async function isTemplate(admin: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await admin.query(
    'select from pg_database where datname = $1 and datistemplate',
    [name],
  );
  return rowCount !== 0;
}

async function dropLeftovers(admin: pg.Client, currentTemplate: string): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database where datname ~ '^(test|template)_' and datname <> $1`,
    [currentTemplate],
  );
  for (const { name } of rows) {
    await admin.query(`alter database ${name} is_template false`);
    await admin.query(`drop database ${name} with (force)`);
  }
}

function urlOf(serverUrl: string, name: string): string {
  return serverUrl.replace('/beacon?', `/${name}?`);
}

/** One connection of this process to each server: to open one costs as much as a good part of the copy. */
const admins = new Map<string, pg.Pool>();

async function askAsAdmin(serverUrl: string, statement: string): Promise<void> {
  let admin = admins.get(serverUrl);
  if (!admin) {
    admin = new pg.Pool({ connectionString: serverUrl, max: 1, allowExitOnIdle: true });
    // Its server was stopped meanwhile.
    admin.on('error', () => {});
    admins.set(serverUrl, admin);
  }
  await admin.query(statement);
}

async function asAdmin(
  serverUrl: string,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
