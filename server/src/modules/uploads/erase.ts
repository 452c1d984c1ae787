import type { Database } from '../../platform/postgres.ts';
import { recordAudit } from '../audit/index.ts';
import { deletePieces } from './piece-store.ts';
import { keptDays } from './rules.ts';
import { listErasable, markErased, scheduleErasure } from './work-store.ts';

const keptMs = keptDays * 86_400_000;
/** So that no statement takes long, however large the file. */
const piecesAtOnce = 200;

/**
 * Erases the bytes of uploads whose time is over: of a decided file {@link keptDays} after the decision, of a deleted file at once, of an
 * undecided file as long after it was last touched. The record of each stays, and the audit has its erasure.
 *
 * @returns how many
 */
export async function eraseUploads(database: Database, now: Date): Promise<number> {
  const { system } = database;
  const given = await scheduleErasure(system, {
    now,
    eraseAfter: new Date(now.getTime() + keptMs),
    undecidedSince: new Date(now.getTime() - keptMs),
  });
  for (const { uploadId, accountId } of given)
    await recordAudit(system, accountId, {
      actor: 'system',
      action: 'upload.expire',
      target: String(uploadId),
      details: { days: keptDays },
    });
  const due = await listErasable(system, now);
  for (const { uploadId, accountId } of due) {
    let pieces = 0;
    for (;;) {
      const some = await deletePieces(system, uploadId, piecesAtOnce);
      if (some === 0) break;
      pieces += some;
    }
    await database.transaction(async (tx) => {
      if (!(await markErased(tx, uploadId, now))) return;
      await recordAudit(tx, accountId, {
        actor: 'system',
        action: 'upload.erase',
        target: String(uploadId),
        details: { pieces },
      });
    });
  }
  return due.length;
}
