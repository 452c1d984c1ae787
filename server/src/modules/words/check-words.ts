import type { Words } from '@ballot-beacon/contract/office/words';
import type { Config } from '../../platform/config.ts';
import type { AccountId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Catalog } from '../texts/index.ts';
import { findLengthProblem } from './message-samples.ts';
import { readWords, type TextOf } from './rules.ts';

/**
 * An office's words as they may be stored, or why they cannot be: one rule for the console's drafts and for commands, because
 * voters read both alike.
 */
export async function checkWords(
  { db, config, catalog }: { readonly db: Db; readonly config: Config; readonly catalog: Catalog },
  accountId: AccountId,
  of: TextOf,
  words: Words,
): Promise<ReturnType<typeof readWords>> {
  const read = readWords(catalog, of, words);
  if ('problem' in read) return read;
  const tooLong = await findLengthProblem(db, config, accountId, { ...of, words: read.words });
  return tooLong === undefined ? read : { problem: tooLong, field: 'body' };
}
