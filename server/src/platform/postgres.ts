import { createHash } from 'node:crypto';
import { Kysely, type Kysely as KyselyType, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';

/**
 * A way to the tables: a Kysely without table types of its own. A module's store names the tables it owns
 * (`db.withTables<…>()`) or writes set-wise SQL with Kysely's `sql`.
 */
// biome-ignore lint/complexity/noBannedTypes: Kysely's "no tables" type is {}
export type Db = KyselyType<{}>;
// biome-ignore lint/complexity/noBannedTypes: as above
export type Tx = Transaction<{}>;

export interface Database {
  /**
   * The rows of one account and no others: row-level security binds every statement, so that a forgotten WHERE
   * finds nothing of another office's.
   */
  forAccount(accountId: number): Db;
  /** Role `beacon_api` bound to no account: it sees only tables and functions that belong to none. */
  readonly unscoped: Db;
  /** Every account's rows, as the owner: for imports, the worker and operators' commands; never for a request. */
  readonly system: Db;
  /** One transaction as the owner, with its raw connection for COPY. Rolls back when `work` throws. */
  transaction<T>(work: (tx: Tx, client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Calls `onNotify` for each NOTIFY on the channel until the returned function is called. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
  /** For libraries that bring their own queries, such as the queue. */
  readonly systemPool: pg.Pool;
  readonly url: string;
  close(): Promise<void>;
}

const { types } = pg;
// Dates stay the text PostgreSQL gives (`2026-11-03`): a day on record never shifts by a time zone.
const parsers = new Map<number, (text: string) => unknown>([
  [types.builtins.DATE, (text) => text],
  [types.builtins.INT8, (text) => Number(text)],
  [types.builtins.NUMERIC, (text) => Number(text)],
]);
const typeOverrides = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? types.getTypeParser(oid, format as 'text')) as typeof types.getTypeParser,
};

/** Opens pools on `url`. Nothing is connected until the first query. */
export function openDatabase(url: string, options: { connections?: number } = {}): Database {
  const connections = options.connections ?? 20;
  const common = { connectionString: url, types: typeOverrides, allowExitOnIdle: true };
  const systemPool = namingPool({ ...common, max: Math.max(2, Math.ceil(connections / 2)) });
  const apiPool = namingPool({ ...common, max: connections, options: '-c role=beacon_api' });

  const system = kyselyOver(() => systemPool.connect());
  const unscoped = kyselyOver(async () => bindAccount(await apiPool.connect(), ''));
  const accounts = new Map<number, Db>();

  return {
    url,
    system,
    unscoped,
    systemPool,
    forAccount(accountId) {
      let db = accounts.get(accountId);
      if (!db) {
        db = kyselyOver(async () => bindAccount(await apiPool.connect(), String(accountId)));
        accounts.set(accountId, db);
      }
      return db;
    },
    async transaction(work) {
      const client = await systemPool.connect();
      let broken: Error | undefined;
      try {
        const bound = kyselyOver(async () => withoutRelease(client));
        return await bound.transaction().execute((tx) => work(tx, client));
      } catch (error) {
        // A connection lost half way must not go back to the pool.
        if (!(error instanceof pg.DatabaseError)) broken = await probe(client);
        throw error;
      } finally {
        client.release(broken);
      }
    },
    async listen(channel, onNotify) {
      const client = new pg.Client({ connectionString: url });
      client.on('notification', (message) => onNotify(message.payload ?? ''));
      client.on('error', () => {});
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      return () => client.end();
    },
    async close() {
      await Promise.all([systemPool.end(), apiPool.end()]);
    },
  };
}

const boundAccount = new WeakMap<pg.PoolClient, string>();

/** Binds a pooled connection to an account; a round trip only when it last served another. */
async function bindAccount(client: pg.PoolClient, account: string): Promise<pg.PoolClient> {
  if (boundAccount.get(client) === account) return client;
  try {
    boundAccount.delete(client);
    await client.query("select set_config('beacon.account_id', $1, false)", [account]);
    boundAccount.set(client, account);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

function kyselyOver(connect: () => Promise<pg.PoolClient>): Db {
  return new Kysely({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) });
}

function withoutRelease(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get(target, property) {
      if (property === 'release') return () => {};
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function probe(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('select 1');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

/** Above this many distinct texts a process no longer names statements: SQL built in endless variety is not prepared. */
const maximumNames = 1000;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < maximumNames) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    names.set(text, name);
  }
  return name;
}

/** A pool whose statements with parameters are prepared once per connection: half again as many queries a second. */
function namingPool(options: pg.PoolConfig & { types: typeof typeOverrides }): pg.Pool {
  const pool = new pg.Pool(options);
  pool.on('error', () => {
    // An idle connection died with its server; the pool has dropped it and the next query opens another.
  });
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    client.query = ((first: unknown, second?: unknown, ...rest: unknown[]) => {
      if (typeof first === 'string' && Array.isArray(second) && second.length > 0) {
        const name = nameOf(first);
        if (name !== undefined) return query({ name, text: first, values: second }, ...rest);
      }
      return query(first, second, ...rest);
    }) as typeof client.query;
  });
  return pool;
}
