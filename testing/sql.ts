/** Raw SQL for tests and benches, which may look behind the doors that the product keeps to. */
export { CompiledQuery, type KyselyPlugin, PostgresQueryCompiler, sql } from 'kysely';

/** A connection and COPY without the product between, as the floor that a bench measures against. */
export { default as pg } from 'pg';
export { from as copyFrom } from 'pg-copy-streams';
