import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { ConfigError } from './config.ts';
import { connectClient } from './hosts.ts';

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

/** Any number that no other lock of ours uses. */
const lockKey = 728_401;
/** How long a migration may wait for a table's lock, with voters waiting behind it, before it gives up and tries again. */
const lockPatience = '2s';
const pauseMs = 250;
const patienceMs = 120_000;

/** How to reach a database directly, not through a pooler: by its address, or a connection that stays open afterwards. */
export type DirectWay = string | pg.Client;

/** What stands between a database and the tree. */
export interface SchemaState {
  /** In the order in which they are to be applied. */
  readonly pending: readonly Migration[];
  /** Whether a newer version of the product has changed the schema since; this version works with it. */
  readonly isNewer: boolean;
}

/**
 * Compares a database with the tree, changing nothing.
 *
 * @throws {ConfigError} when an applied file was changed since or is gone from the tree, or a new one is numbered
 * before an applied one
 */
export async function readSchemaState(
  way: DirectWay,
  migrations?: readonly Migration[],
): Promise<SchemaState> {
  const wanted = migrations ?? (await readMigrations());
  return withClient(way, (client) => compare(client, wanted));
}

async function withClient<T>(way: DirectWay, work: (client: pg.Client) => Promise<T>): Promise<T> {
  if (typeof way !== 'string') return work(way);
  const client = await connectClient(way);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function compare(client: pg.Client, wanted: readonly Migration[]): Promise<SchemaState> {
  const { rows: tables } = await client.query<{ is_there: boolean }>(
    `select to_regclass('schema_migrations') is not null as is_there`,
  );
  if (tables[0]?.is_there !== true) return { pending: wanted, isNewer: false };
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations',
  );
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const newest = wanted.at(-1)?.name ?? '';
  const isNewer = [...applied.keys()].some((name) => name > newest);
  refuseDrift(applied, wanted);
  return { pending: wanted.filter(({ name }) => !applied.has(name)), isNewer };
}

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** How long to go on trying for locks; milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Brings a database up to the tree's schema: forward only, each file in a transaction of its own, one process at a
 * time. A file that does not get its locks soon gives them up, lets others pass and tries again. Every lock ends with its
 * transaction.
 *
 * @returns the names applied now, in order.
 * @throws {ConfigError} as {@link readSchemaState} does, and when a file fails or does not get its locks; what was
 * applied before it stays.
 */
export async function migrate(way: DirectWay, options: MigrateOptions = {}): Promise<string[]> {
  const wanted = options.migrations ?? (await readMigrations());
  const deadline = Date.now() + (options.patienceMs ?? patienceMs);
  return withClient(way, async (client) => {
    const done: string[] = [];
    if ((await compare(client, wanted)).pending.length === 0) return done;
    for (;;) {
      const name = await applyNext(client, wanted, deadline);
      if (name === undefined) return done;
      done.push(name);
    }
  });
}

/** Applies the first that is pending; undefined when none is. */
async function applyNext(
  client: pg.Client,
  wanted: readonly Migration[],
  deadline: number,
): Promise<string | undefined> {
  let next: Migration | undefined;
  for (;;) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${lockPatience}'`);
      await client.query('select pg_advisory_xact_lock($1)', [lockKey]);
      await client.query(`
        create table if not exists schema_migrations (
          name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
      next = (await compare(client, wanted)).pending[0];
      if (next !== undefined) {
        await client.query(next.text);
        await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
          next.name,
          next.sha256,
        ]);
      }
      await client.query('commit');
      return next?.name;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      const mayPass = /^(55P03|40P01)$/.test((error as pg.DatabaseError).code ?? '');
      if (mayPass && Date.now() < deadline) await wait(pauseMs);
      else throw explainFailure(error, next?.name, mayPass);
    }
  }
}

function explainFailure(error: unknown, name: string | undefined, isLocked: boolean): unknown {
  if (error instanceof ConfigError || !(error instanceof pg.DatabaseError)) return error;
  const what =
    name === undefined ? 'The schema could not be read or changed' : `Migration ${name} failed`;
  if (isLocked) {
    return new ConfigError(
      `${what}: it did not get its locks, because other work keeps them. Nothing of it was applied. Try again at a quieter time.`,
      { cause: error },
    );
  }
  const { message, hint } = error;
  return new ConfigError(`${what}: ${message}${hint === undefined ? '' : `. ${hint}`}`, {
    cause: error,
  });
}

function refuseDrift(applied: ReadonlyMap<string, string>, wanted: readonly Migration[]): void {
  const latest = [...applied.keys()].sort().at(-1) ?? '';
  const late = wanted.find(({ name }) => name < latest && !applied.has(name));
  if (late !== undefined) {
    throw new ConfigError(
      `Migration ${late.name} comes before ${latest}, which this database already has. Give it a later number.`,
    );
  }
  const newest = wanted.at(-1)?.name ?? '';
  const known = new Map(wanted.map((migration) => [migration.name, migration.sha256]));
  for (const [name, sha256] of applied) {
    // Of a newer version, which adds before it removes: this one goes on working beside it.
    if (known.get(name) === sha256 || name > newest) continue;
    throw new ConfigError(
      known.has(name)
        ? `Migration ${name} was changed after it was applied. Restore it and write a new migration for the change.`
        : `This database has migration ${name}, which this version does not know. Start the version that made it, or a newer one.`,
    );
  }
}
