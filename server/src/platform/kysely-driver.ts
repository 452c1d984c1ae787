import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Answer } from './bound-query.ts';
import type { BoundConnection } from './pool.ts';

/** Takes a connection from its pool; a caller waits its turn. */
export type Connect = () => Promise<BoundConnection>;

/** Kysely over connections of ours. Its own driver for pg remembers, wraps and logs each connection; a request's statement needs none of that. */
// biome-ignore lint/complexity/noBannedTypes: Kysely's "no tables" type is {}
export function openKysely(connect: Connect): Kysely<{}> {
  const driver = new PoolDriver(connect);
  const [compiler, adapter] = [new PostgresQueryCompiler(), new PostgresAdapter()];
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
  const provider = new DefaultConnectionProvider(driver);
  const executor = new StatementExecutor(compiler, adapter, provider, connect);
  return new Kysely({ config: { dialect }, dialect, driver, executor });
}

class PoolDriver implements Driver {
  readonly #connect: Connect;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    return new PoolConnection(await this.#connect());
  }

  async beginTransaction({ bound }: PoolConnection): Promise<void> {
    await bound.query('begin');
  }

  async commitTransaction({ bound }: PoolConnection): Promise<void> {
    await bound.query('commit');
  }

  async rollbackTransaction({ bound }: PoolConnection): Promise<void> {
    await bound.query('rollback');
  }

  async releaseConnection({ bound }: PoolConnection): Promise<void> {
    bound.release();
  }

  /** The pool is closed by who opened it. */
  async destroy(): Promise<void> {}
}

class PoolConnection implements DatabaseConnection {
  readonly bound: BoundConnection;

  constructor(bound: BoundConnection) {
    this.bound = bound;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return run(this.bound, query);
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Statements are not streamed here.');
  }
}

/** A statement outside a transaction: a connection, the statement, and back. */
class StatementExecutor extends DefaultQueryExecutor {
  readonly #connect: Connect;

  constructor(
    compiler: PostgresQueryCompiler,
    adapter: PostgresAdapter,
    provider: DefaultConnectionProvider,
    connect: Connect,
  ) {
    super(compiler, adapter, provider);
    this.#connect = connect;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const bound = await this.#connect();
    try {
      return await run(bound, query);
    } finally {
      bound.release();
    }
  }
}

const counting: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

async function run<Row>(
  bound: BoundConnection,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  let answer: Answer;
  try {
    answer = await bound.query(sql, parameters);
  } catch (error) {
    // Where the server's answer was read says nothing about who asked.
    if (error instanceof Error) error.stack += (new Error().stack ?? '').replace(/^.*/, '');
    throw error;
  }
  const { command, rowCount } = answer;
  return {
    rows: answer.rows as Row[],
    ...(counting.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  };
}
