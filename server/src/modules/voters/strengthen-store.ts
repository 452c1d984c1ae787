import { sql } from 'kysely';
import type { VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import { strengthenTokenHash } from './token-hash.ts';

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
 * @param mayGoOn asked before each
 * @returns how many
 */
export async function strengthenTokens(db: Db, mayGoOn: () => boolean): Promise<number> {
  let count = 0;
  let last = 0;
  for (;;) {
    const { rows } = await sql<{ voter_id: VoterId; token_hash: string }>`
      select voter_id, token_hash from list_weak_tokens(${last}, ${batchSize})`.execute(db);
    for (const row of rows) {
      if (!mayGoOn()) return count;
      last = row.voter_id;
      const strong = await strengthenTokenHash(row.token_hash);
      if (strong === undefined) continue;
      await strengthenToken(db, row, strong);
      count += 1;
    }
    if (rows.length < batchSize) return count;
  }
}
