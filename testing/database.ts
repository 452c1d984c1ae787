import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { migrate, readMigrations } from '../server/src/platform/migrations.ts';
import { type Database, openDatabase } from '../server/src/platform/postgres.ts';
import { startPrivatePostgres } from '../server/src/platform/private-postgres.ts';

export interface TestDatabase {
  readonly database: Database;
  /** For a child process: its DATABASE_URL. */
  readonly url: string;
  /** Closes every connection and drops the database. */
  drop(): Promise<void>;
}

/** One server for all test processes of this user and machine; the last one out stops it. */
const dataDirectory = join(tmpdir(), `beacon-tests-${process.getuid?.() ?? 0}`);

let server: Promise<{ url: string; template: string }> | undefined;

/** A database of its own with the tree's schema, cloned from a template that is migrated once per schema. */
export async function createTestDatabase(): Promise<TestDatabase> {
  server ??= startServer();
  const { url: serverUrl, template } = await server;
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  // The quick way of copying logs every page; files are quicker for a template this small.
  await asAdmin(serverUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(serverUrl, name);
  const database = openDatabase(url, { connections: 6 });
  return {
    database,
    url,
    async drop() {
      await database.close();
      await asAdmin(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

async function startServer(): Promise<{ url: string; template: string }> {
  const postgres = await startPrivatePostgres({ dataDirectory, unsafelyFast: true });
  const migrations = await readMigrations();
  const digest = createHash('sha256');
  for (const migration of migrations) digest.update(migration.name).update(migration.sha256);
  const template = `template_${digest.digest('hex').slice(0, 16)}`;
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  try {
    await admin.query('select pg_advisory_lock(1)');
    const { rowCount } = await admin.query(
      'select from pg_database where datname = $1 and datistemplate',
      [template],
    );
    if (rowCount === 0) {
      await admin.query(`drop database if exists ${template}`);
      await admin.query(`create database ${template}`);
      await migrate(urlOf(postgres.url, template), migrations);
      await admin.query(`alter database ${template} is_template true`);
    }
  } finally {
    await admin.end();
  }
  return { url: postgres.url, template };
}

function urlOf(serverUrl: string, name: string): string {
  return serverUrl.replace('/beacon?', `/${name}?`);
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  try {
    await admin.query(statement);
  } finally {
    await admin.end();
  }
}
