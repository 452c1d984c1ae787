import { createHash } from 'node:crypto';
import { Kysely, type Kysely as KyselyType, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { traceStatement } from './tracing.ts';

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

/** A visitor waits no longer than this for a connection or a statement; work of the owner takes the time it takes. */
const connectPatienceMs = 5_000;
const statementPatienceMs = 10_000;

/** Opens pools on `url`. Nothing is connected until the first query. */
export function openDatabase(url: string, options: { connections?: number } = {}): Database {
  const connections = options.connections ?? 20;
  const common = { connectionString: url, types: typeOverrides, allowExitOnIdle: true };
  const systemPool = openPool(
    { ...common, max: Math.max(2, Math.ceil(connections / 2)) },
    `select set_config('timezone', 'UTC', false)`,
  );
  const apiPool = openPool(
    { ...common, max: connections, connectionTimeoutMillis: connectPatienceMs },
    `select set_config('timezone', 'UTC', false), set_config('role', 'beacon_api', false),
      set_config('statement_timeout', '${statementPatienceMs}', false),
      set_config('idle_in_transaction_session_timeout', '${statementPatienceMs}', false)`,
  );

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
      try {
        const bound = kyselyOver(async () => withoutRelease(client));
        return await bound.transaction().execute((tx) => work(tx, client));
      } finally {
        client.release();
      }
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

/**
 * A pool whose connections begin with `settings` and whose statements with parameters are prepared once per
 * connection: half again as many queries a second.
 */
function openPool(
  options: pg.PoolConfig & { types: typeof typeOverrides },
  settings: string,
): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    async onConnect(client) {
      // A connection lost while in use fails its query; without a listener it would end the process besides.
      client.on('error', () => {});
      await client.query(settings);
      nameStatements(client);
    },
  });
  pool.on('error', () => {
    // An idle connection died with its server; the pool has dropped it and the next query opens another.
  });
  return pool;
}

function nameStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  client.query = ((first: unknown, second?: unknown, ...rest: unknown[]) => {
    const values = typeof first === 'string' && Array.isArray(second) ? second : [];
    const name = values.length > 0 ? nameOf(first as string) : undefined;
    const ask = () =>
      name === undefined
        ? query(first, second, ...rest)
        : query({ name, text: first, values }, ...rest);
    const answer =
      typeof first === 'string' ? traceStatement(first, name !== undefined, ask) : ask();
    if (answer instanceof Promise) answer.catch((error) => leaveIfLost(client, error));
    return answer;
  }) as typeof client.query;
}

/** The server says good-bye before the socket closes; in between, the pool would hand the connection out again. */
function leaveIfLost(client: pg.ClientBase, error: unknown): void {
  if (!(error instanceof pg.DatabaseError) || error.severity !== 'FATAL') return;
  (client as pg.Client).end().catch(() => {});
}

/**
 * Of a database that is away, starting, stopping, full, or too slow for a visitor: SQL classes 08, 53 and 57, and
 * transactions that met another.
 */
const unavailableStates = /^(08...|53...|57...|40001|40P01|55P03)$/;
const connectionFaults = /^(ECONN.*|EPIPE|ENOTFOUND|ETIMEDOUT)$/;
const connectionMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed))/;

/** Whether a failed query may succeed in a little while, because the database was not there or had no time. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return connectionMessages.test(error.message);
  if (error instanceof pg.DatabaseError) return unavailableStates.test(code);
  // ENOENT: a socket that is not there, not a file.
  return connectionFaults.test(code) || (code === 'ENOENT' && syscall === 'connect');
}
