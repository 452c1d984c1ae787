import { sql } from 'kysely';
import type { Tx } from '../../../platform/postgres.ts';
import { readInBatches, type TempTable } from '../../../platform/temp-tables.ts';
import type { RefusalCounts } from './findings.ts';

/** Counts the rows that a merge refused. */
export async function countRefusedRows(
  tx: Tx,
  table: TempTable,
  counts: RefusalCounts,
): Promise<void> {
  const { rows } = await sql<{ reason: string; count: number; line: number }>`
    select problem as reason, count(*) as count, min(line) as line from ${table} group by 1`.execute(
    tx,
  );
  for (const { reason, line, count } of rows) counts.add(reason, line, count);
}

/** The rows that a merge refused, asked for one line after the other. */
export class RefusedLines {
  readonly #batches: AsyncGenerator<{ line: number; problem: string }[]> | null;
  #batch: readonly { line: number; problem: string }[] = [];
  #at = 0;

  /** @param table null when the merge refused nothing */
  constructor(tx: Tx, table: TempTable | null) {
    this.#batches =
      table && readInBatches(tx, sql`select line, problem from ${table} order by line`);
  }

  /** @param line after the one asked for last */
  async findProblem(line: number): Promise<string | undefined> {
    if (this.#at >= this.#batch.length && this.#batches) {
      const { value, done } = await this.#batches.next();
      this.#batch = done ? [] : value;
      this.#at = 0;
    }
    const next = this.#batch[this.#at];
    if (next?.line !== line) return undefined;
    this.#at += 1;
    return next.problem;
  }
}
