/** Raw SQL for tests and benches, which may look behind the doors that the product keeps to. */
export { sql } from 'kysely';
