import { type Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { divideConnections } from './connection-shares.ts';
import type { DatabaseUse } from './database-use.ts';
import { StandbyError } from './hosts.ts';
import type { AccountId } from './ids.ts';
import { openKysely } from './kysely-driver.ts';
import { type Binding, BoundConnection, openPool } from './pool.ts';

/**
 * A way to the tables: a Kysely without table types of its own. A module's store names the tables it owns
 * (`db.withTables<…>()`) or writes set-wise SQL with Kysely's `sql`.
 */
// biome-ignore lint/complexity/noBannedTypes: Kysely's "no tables" type is {}
export type Db = Kysely<{}>;
// biome-ignore lint/complexity/noBannedTypes: as above
export type Tx = Transaction<{}>;

export interface Database {
  /**
   * The rows of one account and no others: row-level security binds every statement, so that a missing WHERE
   * finds nothing of another office's.
   */
  forAccount(accountId: AccountId): Db;
  /** The same for the office itself, at the console and by its commands: role `beacon_office`, which voters' requests cannot take. */
  forOffice(accountId: AccountId): Db;
  /** Role `beacon_api` bound to no account: it sees only tables and functions that belong to none. */
  readonly unscoped: Db;
  /** Every account's rows, by `url`'s login: for imports, the worker and operators' commands; never for a voter's request. */
  readonly system: Db;
  /** One transaction by `url`'s login; {@link copyInto} works within it. Rolls back when `work` throws. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * For the queue, which listens, and for locks that last as long as a connection: never through a pooler, which
   * would give the next transaction another connection.
   */
  readonly systemPool: pg.Pool;
  readonly url: string;
  /** Past a pooler; the same as `url` where there is none. */
  readonly directUrl: string;
  /** For voters' requests; the same as `url` where they have no login of their own. */
  readonly apiUrl: string;
  /** For the worker; the same as `url` where it has no login of its own. */
  readonly workerUrl: string;
  /** For providers' calls and pushed scans; the same as `url` where they have no login of their own. */
  readonly intakeUrl: string;
  /** For the office's commands and the console; the same as `url` where they have no login of their own. */
  readonly officeUrl: string;
  /** So many visitors' requests have a connection at the same time. */
  readonly visitorsAtOnce: number;
  /** How busy each pool of connections is at this moment. */
  readPoolUse(): readonly PoolUse[];
  /** How long the oldest of the visitors' requests without a connection has waited, in milliseconds. */
  visitorsWaitMs(): number;
  close(): Promise<void>;
}

export interface PoolUse {
  /** Visitors' requests, clerks', a console's imports and other transactions, everything else, and what goes past a pooler. */
  readonly pool: 'voters' | 'office' | 'transactions' | 'work' | 'direct';
  readonly open: number;
  readonly idle: number;
  readonly most: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** A visitor waits no longer than this for a connection or a statement; work of the owner takes the time it takes. */
const connectPatienceMs = 5_000;
const statementPatienceMs = 10_000;

export interface DatabaseOptions {
  /** The most that are open at the same time, all pools together. */
  readonly connections?: number | undefined;
  readonly use?: DatabaseUse | undefined;
  /** Of the same process: visitors' requests go by its connections. */
  readonly visitors?: Database | undefined;
  /** The same database without a pooler in between, where `url` leads through one. */
  readonly directUrl?: string | undefined;
  /** For visitors' requests, by a login that can do no more than these; left out: the role is taken within `url`'s. */
  readonly apiUrl?: string | undefined;
  /** Only known here, for the processes and checks that open it. */
  readonly workerUrl?: string | undefined;
  readonly intakeUrl?: string | undefined;
  readonly officeUrl?: string | undefined;
}

/** Opens pools on `url`. Nothing is connected until the first query. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 20, use = 'work', visitors, directUrl, apiUrl = url } = options;
  const { workerUrl = url, intakeUrl = url, officeUrl = url } = options;
  const shares = divideConnections(connections, use, {
    hasVoterLogin: visitors === undefined && apiUrl !== url,
    hasPooler: directUrl !== undefined,
  });
  const openSystemPool = (to: string, share: number) =>
    openPool({ url: to, connections: share, bindings: [systemBinding, ...greetings] });
  const openPatientPool = (to: string, share: number, role: Role) =>
    openPool({
      ...{ url: to, connections: share, bindings: [bindAccount(null, role)] },
      patienceMs: connectPatienceMs,
    });
  const workPool = openSystemPool(url, shares.work);
  const systemPool = directUrl === undefined ? workPool : openSystemPool(directUrl, shares.direct);
  const apiPool =
    shares.voters > 0 ? openPatientPool(apiUrl, shares.voters, 'beacon_api') : workPool;
  const officePool =
    shares.office > 0 ? openPatientPool(url, shares.office, 'beacon_office') : workPool;
  const transactionPool =
    shares.transactions > 0 ? openSystemPool(url, shares.transactions) : workPool;
  const pools = {
    ...{ work: workPool, transactions: transactionPool },
    ...{ voters: apiPool, office: officePool, direct: systemPool },
  };
  const openBound = (account: string) => {
    const binding = bindAccount(account, 'beacon_api');
    return openKysely(async () => new BoundConnection(await apiPool.connect(), binding));
  };
  const forAccount =
    visitors?.forAccount ?? keepByAccount((accountId) => openBound(String(accountId)));
  const forOffice = keepByAccount((accountId) => {
    const binding = bindAccount(String(accountId), 'beacon_office');
    return openKysely(async () => new BoundConnection(await officePool.connect(), binding));
  });

  return {
    url,
    directUrl: directUrl ?? url,
    apiUrl,
    workerUrl,
    intakeUrl,
    officeUrl,
    system: openKysely(async () => new BoundConnection(await workPool.connect(), systemBinding)),
    unscoped: visitors?.unscoped ?? openBound(''),
    systemPool,
    forAccount,
    forOffice,
    async transaction(work) {
      const client = await transactionPool.connect();
      try {
        // Kysely must not release it: that is done below, however the work ends.
        const bound = new BoundConnection(client, systemBinding, () => {});
        return await openKysely(async () => bound)
          .transaction()
          .execute((tx) => {
            clients.set(tx, client);
            return work(tx);
          });
      } finally {
        client.release();
      }
    },
    readPoolUse() {
      return Object.entries(pools)
        .filter(([pool, one]) => pool === 'work' || one !== workPool)
        .map(([pool, { totalCount, idleCount, waitingCount, options }]) => ({
          pool: pool as PoolUse['pool'],
          open: totalCount,
          idle: idleCount,
          most: options.max,
          waiting: waitingCount,
        }));
    },
    visitorsAtOnce: apiPool.options.max,
    visitorsWaitMs: () => apiPool.longestWaitMs(),
    async close() {
      await Promise.all([...new Set(Object.values(pools))].map((pool) => pool.end()));
    },
  };
}

/** The connection of each transaction of the owner, for COPY, which Kysely does not know. */
const clients = new WeakMap<Tx, pg.PoolClient>();

/**
 * {@link copyInto} for a table of accounts, also by a login that row-level security binds: COPY does not go through it, so the
 * rows go to a temporary table and from there, at the end of the stream, into the table.
 */
export async function copyIntoGuarded(
  tx: Tx,
  table: string,
  columns: readonly string[],
): Promise<Writable> {
  const { rows } = await sql<{ is_guarded: boolean }>`
    select row_security_active(${table}) as is_guarded`.execute(tx);
  if (rows[0]?.is_guarded !== true) return copyInto(tx, table, columns);
  const [from, to, names] = [`copied_${table}`, table, columns.join(', ')];
  await sql`create temp table ${sql.table(from)} on commit drop as
    select ${sql.raw(names)} from ${sql.table(to)} with no data`.execute(tx);
  const copy = copyInto(tx, from, columns);
  const guarded = new Writable({
    write: (chunk: Buffer, _encoding, done) => void copy.write(chunk, done),
    final(done) {
      const insert = async () => {
        copy.end();
        await finished(copy);
        await sql`insert into ${sql.table(to)} (${sql.raw(names)})
          select ${sql.raw(names)} from ${sql.table(from)}`.execute(tx);
      };
      insert().then(() => done(), done);
    },
    destroy(error, done) {
      copy.destroy(error ?? undefined);
      done(error);
    },
  });
  // A lost connection fails the import. Without a listener it would end the process.
  copy.on('error', (error) => guarded.destroy(error));
  return guarded;
}

/**
 * The stream that fills columns of a table from rows of PostgreSQL's COPY text format.
 * @param tx of {@link Database.transaction}
 */
export function copyInto(tx: Tx, table: string, columns: readonly string[]): Writable {
  const client = clients.get(tx);
  if (!client) throw new Error('Only a transaction of Database.transaction can COPY.');
  const target = `${table} (${columns.join(', ')})`;
  return client.query(copyFrom(`copy ${target} from stdin with (encoding 'UTF8')`));
}

/**
 * The rows of a query without parameters.
 * @param tx of {@link Database.transaction}
 * @param format `csv` with a line of names, or `text` as {@link copyInto} takes it
 */
export function copyOut(tx: Tx, query: RawBuilder<unknown>, format: 'csv' | 'text'): Readable {
  const client = clients.get(tx);
  if (!client) throw new Error('Only a transaction of Database.transaction can COPY.');
  const text = query.compile(tx).sql;
  const options = format === 'csv' ? 'format csv, header, ' : '';
  return client.query(copyTo(`copy (${text}) to stdout with (${options}encoding 'UTF8')`));
}

const systemBinding: Binding = { text: `select set_config('timezone', 'UTC', true)`, values: [] };

function keepByAccount(open: (accountId: AccountId) => Db): (accountId: AccountId) => Db {
  const known = new Map<AccountId, Db>();
  return (accountId) => {
    const db = known.get(accountId) ?? open(accountId);
    known.set(accountId, db);
    return db;
  };
}

type Role = 'beacon_api' | 'beacon_office';

/**
 * Everything that keeps a request within its account, set anew for each transaction.
 *
 * @param account null only prepares it, and takes no role, which not every login may
 */
function bindAccount(account: string | null, role: Role): Binding {
  return {
    text: `select set_config('role', case when $1::text is null then 'none' else '${role}' end, true), set_config('beacon.account_id', $1, true),
      set_config('timezone', 'UTC', true), set_config('statement_timeout', '${statementPatienceMs}', true),
      set_config('idle_in_transaction_session_timeout', '${statementPatienceMs}', true)`,
    values: [account],
  };
}

const greetings = [bindAccount(null, 'beacon_api'), bindAccount(null, 'beacon_office')];

/** Whether the database can serve: it answers and is no standby. */
export async function takesWrites(database: Database): Promise<boolean> {
  const { rows } = await database.systemPool.query<{ is_standby: boolean }>(
    'select pg_is_in_recovery() as is_standby',
  );
  return rows[0]?.is_standby === false;
}

/**
 * Of a database that is away, starting, stopping, full, a standby, or too slow for a visitor: SQL classes 08, 53 and
 * 57, 25006, and transactions that met another.
 */
const unavailableStates = /^(08...|53...|57...|25006|40001|40P01|55P03)$/;
/** Also of a machine that is off, of a network in between, and of a name server that does not answer. */
const connectionFaults =
  /^(ECONN.*|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN))$/;
const connectionMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Client (has encountered a connection error|was closed))/;

/** Whether a failed query may succeed in a little while, because the database was not there or had no time. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return connectionMessages.test(error.message);
  if (error instanceof pg.DatabaseError || error instanceof StandbyError)
    return unavailableStates.test(code);
  // ENOENT: a socket that is not there, not a file.
  return connectionFaults.test(code) || (code === 'ENOENT' && syscall === 'connect');
}
