import { join } from 'node:path';
import type { ImportId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { beginImport, findImportState } from './run/import-store.ts';
import { explainDecided } from './run/state-words.ts';
import { type KeptCopy, WaitingFiles } from './run/waiting-files.ts';
import { discardOne, findWaitingImport, listWaiting } from './run/waiting-store.ts';

export type DiscardOutcome =
  | { readonly ok: true; readonly fileName: string; readonly copy: KeptCopy }
  | { readonly ok: false; readonly problem: string };

/** Discards a file that waits for approval because a person found it wrong, and deletes its copy on this machine. */
export async function discardImport(
  database: Database,
  task: {
    readonly importId: ImportId;
    readonly reason: string;
    readonly by: Actor;
    /** As the report names who discarded it. */
    readonly name: string;
    /** What the audit keeps beside it, such as who ran the command. */
    readonly record?: Readonly<Record<string, unknown>>;
    /** Of all accounts. */
    readonly rejectsDirectory: string;
  },
): Promise<DiscardOutcome> {
  const { importId, reason, by, name, record, rejectsDirectory } = task;
  const discarded = await database.transaction(async (tx) => {
    const known = await findWaitingImport(tx, importId);
    // A release of the file may be loading it.
    if (known) await beginImport(tx, known.accountId);
    const waiting = known && (await findWaitingImport(tx, importId));
    if (!waiting) return null;
    await discardOne(tx, importId, `${name} discarded it: ${reason}`);
    await recordAudit(tx, waiting.accountId, {
      actor: by,
      action: 'import.discard',
      target: String(importId),
      details: { format: waiting.heldFile.format.name, reason, ...record },
    });
    return waiting;
  });
  if (!discarded) return { ok: false, problem: await explainNotWaiting(database, importId) };
  const { subdomain, accountId, sha256, fileName } = discarded;
  const files = new WaitingFiles(join(rejectsDirectory, subdomain, 'held'));
  const copy = await files.discard(sha256, await listWaiting(database.system, accountId));
  return { ok: true, fileName, copy };
}

async function explainNotWaiting(database: Database, importId: ImportId): Promise<string> {
  const state = await findImportState(database.system, importId);
  if (state === undefined) return `There is no import ${importId}.`;
  const advice = ['done', 'released', 'messages-held'].includes(state)
    ? ` If it is wrong: beacon correct ${importId} --by NAME`
    : '';
  // Between the two looks at it.
  if (state === 'file-held')
    return `Import ${importId} was not discarded. Run the same command again.`;
  return `${explainDecided(importId, state)}${advice}`;
}
