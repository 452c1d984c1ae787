import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ConfigError } from './config.ts';

const migrationsDirectory = fileURLToPath(
  new URL('../../../database/migrations/', import.meta.url),
);

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The migrations of the tree in the order of their numbers (`NNNN-verb-noun.sql`). */
export async function readMigrations(directory = migrationsDirectory): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const misnamed = files.find((file) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)+\.sql$/.test(file));
  if (misnamed !== undefined) {
    throw new ConfigError(`${misnamed} is not named NNNN-verb-noun.sql.`);
  }
  const twin = files.find((file, index) => file.slice(0, 4) === files[index - 1]?.slice(0, 4));
  if (twin !== undefined) {
    throw new ConfigError(`${twin} has the number of another migration.`);
  }
  return Promise.all(
    files.map(async (name) => {
      const text = await readFile(`${directory}/${name}`, 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Any number will do, as long as no other lock of ours takes it. */
const lockKey = 728_401;

/**
 * Brings a database up to the tree's schema: forward only, each file in a transaction of its own, one process at a
 * time.
 *
 * @returns the names applied now, in order.
 * @throws {ConfigError} when an applied file was changed since or is gone from the tree, when a new one is
 * numbered before an applied one, or when one fails; what was applied before it stays.
 */
export async function migrate(url: string, migrations?: readonly Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from schema_migrations',
    );
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    refuseDrift(applied, wanted);
    const pending = wanted.filter((migration) => !applied.has(migration.name));
    for (const migration of pending) await apply(client, migration);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function refuseDrift(applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): void {
  const latest = [...applied.keys()].sort().at(-1) ?? '';
  const late = wanted.find(({ name }) => name < latest && !applied.has(name));
  if (late !== undefined) {
    throw new ConfigError(
      `Migration ${late.name} comes before ${latest}, which this database already has. Give it a later number.`,
    );
  }
  const known = new Map(wanted.map((migration) => [migration.name, migration.sha256]));
  for (const [name, sha256] of applied) {
    if (known.get(name) === sha256) continue;
    throw new ConfigError(
      known.has(name)
        ? `Migration ${name} was changed after it was applied. Restore it and write a new migration for the change.`
        : `This database has migration ${name}, which this version does not know. Start the version that made it, or a newer one.`,
    );
  }
}

async function apply(client: pg.Client, { name, text, sha256 }: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      name,
      sha256,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    const { message, hint } = error as pg.DatabaseError;
    throw new ConfigError(
      `Migration ${name} failed: ${message}${hint === undefined ? '' : `. ${hint}`}`,
      { cause: error },
    );
  }
}
