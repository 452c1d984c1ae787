import { sql } from 'kysely';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { type Strengthener, startStrengthener } from './strengthener.ts';

const batchSize = 20;

/** Replaces a voter's weaker hash by a strong one of the same token, unless it changed or an import is changing it. */
export async function strengthenToken(
  db: Db,
  known: { readonly voter_id: VoterId; readonly token_hash: string | null },
  strong: string,
): Promise<void> {
  await sql`select strengthen_token(${known.voter_id}, ${known.token_hash}, ${strong})`.execute(db);
}

/**
 * Strengthens, one after the other, what imports stored of tokens.
 * @param db of the worker, which may read nothing else of tokens
 * @param signal ends it, with what is strengthened by then stored
 * @returns how many
 */
export async function strengthenTokens(
  db: Db,
  signal: AbortSignal,
  start: typeof startStrengthener = startStrengthener,
): Promise<number> {
  let count = 0;
  let last = 0;
  let strengthener: Strengthener | undefined;
  try {
    for (;;) {
      const { rows } = await sql<{ voter_id: VoterId; token_hash: string }>`
        select voter_id, token_hash from list_weak_tokens(${last}, ${batchSize})`.execute(db);
      for (const row of rows) {
        if (signal.aborted) return count;
        last = row.voter_id;
        strengthener ??= start(signal);
        const strong = await strengthener.strengthen(row.token_hash);
        if (strong === undefined) continue;
        await strengthenToken(db, row, strong);
        count += 1;
      }
      if (rows.length < batchSize) return count;
    }
  } finally {
    strengthener?.close();
  }
}
