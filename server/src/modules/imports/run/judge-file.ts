import type { Tx } from '../../../platform/postgres.ts';
import type { Applied, GateReason, Kind, KindTask } from '../kinds/kind.ts';
import { explainCutFile } from './cut-file.ts';
import { findFileDay } from './file-day.ts';
import { listEarlierFiles, readLastList } from './import-store.ts';
import { explainOldFile } from './old-file.ts';
import type { Attempt } from './report.ts';
import { mayBeOfSame, ofSameElections } from './same-elections.ts';

/** Longer lists hardly ever become what they were. */
const fewCases = 20;

/**
 * Asks the kind, and the file's age, whether a second person must look before anybody sees what the file changed. What later files are
 * compared with goes into `attempt`.
 *
 * @returns why the file waits, each reason with example rows; empty when nothing is odd
 */
export async function judgeFile(
  tx: Tx,
  kind: Kind,
  task: KindTask,
  attempt: Attempt,
  applied: Applied,
): Promise<GateReason[]> {
  if (kind.rowsStandAlone) {
    const { reasons, learned } = await kind.judge(tx, task, applied, []);
    attempt.learned = learned;
    return [...reasons];
  }
  const { account, importId, format, today, findings } = task;
  const earlier = await listEarlierFiles(tx, account.accountId, {
    format: format.name,
    before: importId,
  });
  const { reasons, learned } = await kind.judge(tx, task, applied, earlier);
  attempt.fileDay = findFileDay(task);
  attempt.learned = learned;
  const sha256 = findings.read > 0 ? findings.sha256 : null;
  const isOfOpenCases = format.missing_rows !== 'nothing';
  const mayRecur = isOfOpenCases && findings.read < fewCases;
  const list = isOfOpenCases ? await readLastList(tx, account.accountId, format.name) : null;
  const { elections = [] } = learned ?? {};
  const lastList = list && mayBeOfSame(list.elections, elections) ? list : null;
  // What waits for what it lacks may wait for its age.
  const isNews = applied.added + applied.changed + (applied.left ?? 0) + reasons.length > 0;
  const old = isNews
    ? explainOldFile(
        { sha256, fileDay: attempt.fileDay, today, mayRecur, lastList },
        ofSameElections(earlier, elections),
      )
    : null;
  const cut = isNews && findings.endsInLine ? explainCutFile(earlier) : null;
  const ofKind = old ? reasons.filter(({ code }) => code !== old.code) : reasons;
  const found = [...(old ? [old] : []), ...(cut ? [cut] : []), ...ofKind];
  const isWhole = ({ examples = [] }: GateReason) => examples.length === 0;
  if (!found.some(isWhole)) return found;
  const examples = (await kind.readChanges?.(tx, task, applied)) ?? [];
  return found.map((one) => (isWhole(one) ? { ...one, examples } : one));
}
