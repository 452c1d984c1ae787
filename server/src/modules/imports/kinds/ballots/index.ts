import type { Tx } from '../../../../platform/postgres.ts';
import { findFileDay } from '../../run/file-day.ts';
import { listEarlierFiles } from '../../run/import-store.ts';
import { stageFile } from '../../run/stage-store.ts';
import type { Applied, Kind, KindTask, Staged } from '../kind.ts';
import { adoptBallots } from './adopt-store.ts';
import { readFirstChanges } from './examples-store.ts';
import { judgeBallots } from './judge.ts';
import { findLeavers, leavingStatuses, readGone, stageLeavers } from './leavers-store.ts';
import { type BallotFileSize, explainLeavers } from './list-size.ts';
import { mergeBallots } from './merge-store.ts';
import { gatherRecords } from './plan-store.ts';
import { createBallotReader, stagedBallots } from './rows.ts';

/** What an office says of ballots. */
export const ballots: Kind<BallotFileSize> = {
  changesBallots: true,
  judgesStatuses: true,
  keepsGoodRows: false,
  createReader: createBallotReader,
  stage: (tx, task) => stageFile(tx, ballots, stagedBallots, task),
  merge,
  judge: judgeBallots,
  async readChanges(tx, _task, { size }) {
    const changes = await readFirstChanges(tx);
    return changes.length > 0 ? changes : readGone(tx, size.leaving?.gone ?? []);
  },
};

async function merge(tx: Tx, task: KindTask, staged: Staged): Promise<Applied<BallotFileSize>> {
  const { account, importId, format, findings } = task;
  const { accountId } = account;
  const isOfOpenCases = leavingStatuses(format).length > 0;
  const { leaving, accepted } = isOfOpenCases ? await acceptLeavers(tx, task) : noLeavers;
  await gatherRecords(tx);
  const corrected =
    format.filled_later.length > 0 ? await adoptBallots(tx, { accountId, importId }, format) : 0;
  if (corrected > 0)
    findings.warnings.add('a date of the ballot was corrected: it is the same ballot', corrected);
  const applied = await mergeBallots(tx, task, {
    ...staged,
    rows: staged.rows + accepted,
  });
  const { unchanged, superseded } = applied;
  const rows = findings.read - findings.skipped - superseded;
  return {
    ...applied,
    left: leaving?.left ?? 0,
    size: { rows, unchanged, corrected, isOfOpenCases, leaving },
  };
}

interface Leavers extends Pick<BallotFileSize, 'leaving'> {
  /** Ballots that are staged as accepted. */
  readonly accepted: number;
}
const noLeavers: Leavers = { leaving: null, accepted: 0 };

/**
 * Ballots that have left a list of open cases are staged as accepted once files of two days miss them: one file may lack a row
 * by mistake. Where so many leave at once that the file waits, they are staged at once, because a person decides.
 */
async function acceptLeavers(tx: Tx, task: KindTask): Promise<Leavers> {
  const { account, importId, format, findings, today } = task;
  const refused = findings.refusals.total;
  if (refused > 0) {
    findings.warnings.add('refused rows may be of any ballot, so none has left the list', refused);
    return noLeavers;
  }
  const { left, leftBefore, gone, listed, kept } = await findLeavers(
    tx,
    task,
    findFileDay(task) ?? today,
  );
  const counts = { rows: findings.read, listed, kept, left: left.length };
  const of = { format: format.name, before: importId };
  const earlier = await listEarlierFiles(tx, account.accountId, of);
  const tooMany = explainLeavers(counts, earlier, account.settings.import_limits);
  const accepted = tooMany === null ? leftBefore : [...leftBefore, ...left];
  await stageLeavers(tx, accepted);
  if (accepted.length > 0)
    findings.warnings.add('no longer on the list, and so accepted', accepted.length);
  const isAccepted = new Set(accepted);
  const stillGone = gone.filter(({ ballot }) => !isAccepted.has(ballot));
  if (tooMany === null && left.length > 0)
    findings.warnings.add(
      'no longer on the list: accepted once the list of another day does not have it either',
      left.length,
    );
  return {
    leaving: { listed, left: left.length, gone: stillGone, tooMany },
    accepted: accepted.length,
  };
}
