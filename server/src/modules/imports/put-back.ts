import type { ImportId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { type PutBack, putBackRoll } from '../voters/index.ts';
import { voterColumns } from './kinds/voters/rows.ts';
import { findImportKind } from './run/import-store.ts';

/**
 * Puts back what a wrong import changed on the roll, in the transaction that corrects it.
 * @returns null for an import that is not of a roll
 */
export async function putBackImport(tx: Tx, importId: ImportId): Promise<PutBack | null> {
  const found = await findImportKind(tx, importId);
  if (found?.holds !== 'voters') return null;
  return putBackRoll(tx, { accountId: found.accountId, importId }, Object.keys(voterColumns));
}
