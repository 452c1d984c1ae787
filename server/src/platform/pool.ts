import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  type Answer,
  type Prepared,
  type QueryParts,
  queryBound,
  type Step,
} from './bound-query.ts';
import { readHosts, ServerPool, StandbyError } from './hosts.ts';
import { traceStatement } from './tracing.ts';

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

/** Of a connection that reaches its server directly, or through a pooler that keeps prepared statements for each client. */
interface Naming {
  /** By the names of the statements that it has prepared. */
  readonly prepared: Map<string, Prepared>;
  /** No pooler in between: what the server said of a prepared statement stays true. */
  readonly isDirect: boolean;
}
const namings = new WeakMap<pg.ClientBase, Naming>();

/** Above this many a connection prepares no more: the server keeps each, and SQL may be built in endless variety. */
const maximumNames = 1000;
/** Known statements, so that few texts are hashed twice, and all connections keep the same text. */
const known = new Map<string, Statement>();

interface Statement {
  readonly name: string;
  readonly text: string;
  /** Whether it begins a transaction. */
  readonly begins: boolean;
}

/** A statement with the name under which connections prepare it. */
function statementOf(text: string): Statement {
  const found = known.get(text);
  if (found) return found;
  const begins = /^\s*(begin|start transaction)\b/i.test(text);
  const statement = { name: hashText(text), text, begins };
  if (known.size < maximumNames) known.set(text, statement);
  return statement;
}

/** What the connection remembers of the statement; undefined where it may not prepare it, or has prepared too many. */
function prepareOn(naming: Naming | undefined, name: string): Prepared | undefined {
  const found = naming?.prepared.get(name);
  if (found || !naming || naming.prepared.size >= maximumNames) return found;
  const prepared = { columns: undefined };
  naming.prepared.set(name, prepared);
  return prepared;
}

/** The name under which a connection prepares a statement; empty where it may not, or there are too many. */
function nameOf(client: pg.ClientBase, text: string): string {
  const { name } = statementOf(text);
  return prepareOn(namings.get(client), name) ? name : '';
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/**
 * What a transaction is bound to before anything else runs in it: one statement of `set_config(…, true)`, whose
 * effect ends with the transaction. A pooler may hand each transaction to another server connection, so nothing may
 * rest on what was set on a connection before.
 */
export interface Binding {
  readonly text: string;
  readonly values: readonly (string | null)[];
}

/** A pool's connection whose every transaction is bound. */
export class BoundConnection {
  readonly #client: pg.PoolClient;
  readonly #binding: Binding;

  readonly release: () => void;

  constructor(client: pg.PoolClient, binding: Binding, release = () => client.release()) {
    this.#client = client;
    this.#binding = binding;
    this.release = release;
  }

  /** Binding costs no round trip: it goes to the server in one message with what it binds. */
  query(text: string, values: readonly unknown[] = []): Promise<Answer> {
    const client = this.#client;
    const naming = namings.get(client);
    const known = statementOf(text);
    const own = step(naming, known, values);
    if (client.getTransactionStatus() !== 'I') return ask(client, { statement: own.step, ...own });
    const { text: bindingText, values: bindingValues } = this.#binding;
    const binding = step(naming, statementOf(bindingText), bindingValues);
    return known.begins
      ? ask(client, { first: { ...own.step, name: '' }, statement: binding.step, ...binding })
      : ask(client, { first: binding.step, statement: own.step, ...own });
  }
}

function step(naming: Naming | undefined, { name, text }: Statement, values: readonly unknown[]) {
  const prepared = prepareOn(naming, name);
  return {
    step: { name: prepared ? name : '', text, values },
    ...(naming?.isDirect === true && { prepared }),
  };
}

function ask(client: pg.ClientBase, parts: Omit<QueryParts, 'types'>): Promise<Answer> {
  return traced(client, parts.statement, () =>
    queryBound(client, { ...parts, types: typeOverrides }),
  );
}

function send(client: pg.ClientBase, { name, text, values }: Step): Promise<pg.QueryResult> {
  return traced(client, { name, text, values }, () =>
    unpatched(client)({ ...(name !== '' && { name }), text, values: [...values] }),
  );
}

function traced<T>(client: pg.ClientBase, { text, values }: Step, run: () => Promise<T>) {
  const answer = traceStatement(text, values.length > 0, run);
  answer.catch((error: unknown) => leaveIfLost(client, error));
  return answer;
}

/**
 * The server says good-bye before the socket closes; in between, the pool would hand the connection out again. A server
 * that became a standby is left as well, so that the next connection finds the new primary.
 */
function leaveIfLost(client: pg.ClientBase, error: unknown): void {
  if (!(error instanceof pg.DatabaseError)) return;
  if (error.severity !== 'FATAL' && error.code !== '25006') return;
  (client as pg.Client).end().catch(() => {});
}

type RawQuery = (query: pg.QueryConfig) => Promise<pg.QueryResult>;
const rawQueries = new WeakMap<pg.ClientBase, RawQuery>();

function unpatched(client: pg.ClientBase): RawQuery {
  return rawQueries.get(client) ?? (client.query.bind(client) as RawQuery);
}

/** Names the statements of those who ask the connection itself: an import's COPY transaction, the queue. */
function nameStatements(client: pg.ClientBase): void {
  const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
  rawQueries.set(client, query as RawQuery);
  client.query = ((first: unknown, second?: unknown, ...rest: unknown[]) => {
    if (typeof first !== 'string' || rest.length > 0 || typeof second === 'function')
      return query(first, second, ...rest);
    const values = Array.isArray(second) ? second : [];
    if (values.length === 0)
      return traced(
        client,
        { name: '', text: first, values },
        () => query(first) as Promise<unknown>,
      );
    return send(client, { name: nameOf(client, first), text: first, values });
  }) as typeof client.query;
}

export interface PoolOptions {
  readonly url: string;
  readonly connections: number;
  /** How long to wait for a connection; undefined: as long as it takes. */
  readonly patienceMs?: number;
  /** Prepared on every connection, so that one of their texts can be sent ahead of a statement by its name. */
  readonly bindings: readonly Binding[];
}

/** A pool whose statements are prepared once per connection: half again as many queries a second. */
export function openPool({ url, connections, patienceMs, bindings }: PoolOptions): ServerPool {
  const hosts = readHosts(url);
  const pool = new ServerPool(hosts, {
    types: typeOverrides,
    allowExitOnIdle: true,
    max: connections,
    ...(patienceMs !== undefined && { connectionTimeoutMillis: patienceMs }),
    async onConnect(client) {
      // A connection lost while in use fails its query; without a listener it would end the process besides.
      client.on('error', () => {});
      await greet(client, bindings, hosts.mustBePrimary);
      nameStatements(client);
    },
  });
  pool.on('error', () => {
    // An idle connection died with its server; the pool has dropped it and the next query opens another.
  });
  return pool;
}

async function greet(
  client: pg.ClientBase,
  bindings: readonly Binding[],
  mustBePrimary: boolean,
): Promise<void> {
  const { rows } = await client.query<{ pid: number; is_standby: boolean }>(
    `select pg_backend_pid() as pid, pg_is_in_recovery() as is_standby, set_config('timezone', 'UTC', false)`,
  );
  if (mustBePrimary && rows[0]?.is_standby === true)
    throw new StandbyError('The server takes no writes: it is a standby.');
  const isDirect = !isPooled(client, rows[0]?.pid);
  if (!isDirect && !(await keepsPreparedStatements(client))) return;
  namings.set(client, { prepared: new Map(), isDirect });
  for (const { text, values } of bindings)
    await client.query({ name: nameOf(client, text), text, values: [...values] });
}

/** Whether a pooler stands between this connection and the server. */
export async function asksThroughPooler(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return isPooled(client, rows[0]?.pid);
}

/** A pooler answers with a process number of its own making, so that a query can be cancelled through it. */
function isPooled(client: pg.ClientBase, serverPid: number | undefined): boolean {
  return (client as unknown as { processID: number }).processID !== serverPid;
}

/**
 * Whether the pooler in between keeps the prepared statements of each client apart, as PgBouncer does since 1.21 with
 * `max_prepared_statements`. It then prepares them on the server under names of its own. A pooler that only passes
 * them on would mix up the statements of different clients.
 */
async function keepsPreparedStatements(client: pg.ClientBase): Promise<boolean> {
  const name = `probe_${randomBytes(12).toString('hex')}`;
  await client.query('begin');
  await client.query({ name, text: 'select 1', values: [] });
  const { rows } = await client.query<{ is_passed_on: boolean }>(
    'select exists (select from pg_prepared_statements where name = $1) as is_passed_on',
    [name],
  );
  const isPassedOn = rows[0]?.is_passed_on !== false;
  if (isPassedOn) await client.query(`deallocate ${name}`);
  await client.query('commit');
  return !isPassedOn;
}
