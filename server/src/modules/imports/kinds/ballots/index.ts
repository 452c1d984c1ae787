import type { Tx } from '../../../../platform/postgres.ts';
import { stageFile } from '../../run/stage-store.ts';
import type { Applied, Kind, KindTask, Staged } from '../kind.ts';
import { adoptBallots } from './adopt-store.ts';
import { readFirstChanges } from './examples-store.ts';
import { judgeBallots } from './judge.ts';
import { leavingStatuses, stageLeavers } from './leavers-store.ts';
import type { BallotFileSize } from './list-size.ts';
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
  readChanges: (tx) => readFirstChanges(tx),
};

async function merge(tx: Tx, task: KindTask, staged: Staged): Promise<Applied<BallotFileSize>> {
  const { account, importId, format, findings } = task;
  const { accountId } = account;
  const isOfOpenCases = leavingStatuses(format).length > 0;
  const leaving = isOfOpenCases ? await acceptLeavers(tx, task) : null;
  await gatherRecords(tx);
  const corrected =
    format.filled_later.length > 0 ? await adoptBallots(tx, { accountId, importId }, format) : 0;
  if (corrected > 0)
    findings.warnings.add('a date of the ballot was corrected: it is the same ballot', corrected);
  const applied = await mergeBallots(tx, task, {
    ...staged,
    rows: staged.rows + (leaving?.left ?? 0),
  });
  const { unchanged, superseded } = applied;
  const rows = findings.read - findings.skipped - superseded;
  return { ...applied, size: { rows, unchanged, corrected, isOfOpenCases, leaving } };
}

/** Ballots that have left a list of open cases are staged as accepted. */
async function acceptLeavers(tx: Tx, task: KindTask): Promise<BallotFileSize['leaving']> {
  const { findings } = task;
  const refused = findings.refusals.total;
  if (refused > 0) {
    findings.warnings.add('refused rows may be of any ballot, so none has left the list', refused);
    return null;
  }
  const leaving = await stageLeavers(tx, task);
  if (leaving.left > 0)
    findings.warnings.add('no longer on the list, and so accepted', leaving.left);
  return leaving;
}
