import type { Tx } from '../../../../platform/postgres.ts';
import { findFileDay } from '../../run/file-day.ts';
import { listEarlierFiles, readLastList } from '../../run/import-store.ts';
import { stageFile } from '../../run/stage-store.ts';
import { hasJoinedNumbers } from '../ballot-numbers.ts';
import type { Applied, Kind, KindTask, Staged } from '../kind.ts';
import { adoptBallots, adoptEarlierNumbers } from './adopt-store.ts';
import { readFirstChanges } from './examples-store.ts';
import { judgeBallots } from './judge.ts';
import {
  findLeavers,
  leavingStatuses,
  readGone,
  readListedCases,
  stageLeavers,
} from './leavers-store.ts';
import { type BallotFileSize, explainLeavers, explainOtherList } from './list-size.ts';
import { mergeBallots } from './merge-store.ts';
import { gatherRecords } from './plan-store.ts';
import { createBallotReader, stagedBallots } from './rows.ts';

/** What an office says of ballots. */
export const ballots: Kind<BallotFileSize> = {
  changesBallots: true,
  judgesStatuses: true,
  rowsStandAlone: false,
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
  const { leaving, otherList, closed } = isOfOpenCases ? await closeLeavers(tx, task) : noLeavers;
  await gatherRecords(tx);
  if (hasJoinedNumbers(format)) await adoptEarlierNumbers(tx, { accountId, importId }, format);
  const corrected =
    format.filled_later.length > 0 ? await adoptBallots(tx, { accountId, importId }, format) : 0;
  if (corrected > 0)
    findings.warnings.add('a date of the ballot was corrected: it is the same ballot', corrected);
  const applied = await mergeBallots(tx, task, {
    ...staged,
    rows: staged.rows + closed,
  });
  const { added, changed, unchanged, superseded } = applied;
  const areAllNew = added > 0 && changed + unchanged === 0;
  const rows = findings.read - findings.skipped - superseded;
  return {
    ...applied,
    left: leaving?.left ?? 0,
    size: { rows, unchanged, areAllNew, corrected, isOfOpenCases, leaving, otherList },
  };
}

interface Leavers extends Pick<BallotFileSize, 'leaving' | 'otherList'> {
  /** Ballots that are staged as accepted, or refused. */
  readonly closed: number;
}
const noLeavers: Leavers = { leaving: null, otherList: null, closed: 0 };

/**
 * Ballots that have left a list of open cases are staged as accepted, or as refused where another list says so, once files of two days
 * miss them: one file may lack a row by mistake. Where so many leave at once that the file waits, they are staged at once, because a
 * person decides.
 */
async function closeLeavers(tx: Tx, task: KindTask): Promise<Leavers> {
  const { account, importId, format, findings, today } = task;
  const fileDay = findFileDay(task) ?? today;
  const last = await readLastList(tx, account.accountId, format.name);
  const {
    left,
    leftBefore,
    gone,
    listed,
    refused: refusedBy,
  } = await findLeavers(tx, task, last?.gone ?? [], fileDay);
  const cases = await readListedCases(tx, task, fileDay);
  const refused = findings.refusals.total;
  const leave = refused > 0 ? 0 : left.length;
  const counts = {
    ...{ ...cases, rows: findings.read, listed, left: leave },
    refused: leave === 0 ? 0 : left.filter((ballot) => refusedBy.has(ballot)).length,
  };
  const of = { format: format.name, before: importId };
  const before = { last, earlier: await listEarlierFiles(tx, account.accountId, of) };
  const otherList = explainOtherList(counts, before);
  if (refused > 0) {
    findings.warnings.add(
      'refused, and may be of any ballot, so no ballot counts as gone from the list',
      refused,
    );
    return { ...noLeavers, otherList };
  }
  const tooMany =
    explainLeavers(counts, before.earlier, account.settings.import_limits) ?? otherList;
  const closed = tooMany === null ? leftBefore : [...leftBefore, ...left];
  await stageLeavers(tx, closed);
  const refusedOnes = closed.filter((ballot) => refusedBy.has(ballot)).length;
  if (closed.length > refusedOnes)
    findings.warnings.add('no longer on the list, and so accepted', closed.length - refusedOnes);
  if (refusedOnes > 0)
    findings.warnings.add('no longer on the list, and refused by another list', refusedOnes);
  const isClosed = new Set(closed);
  const stillGone = gone.filter(({ ballot }) => !isClosed.has(ballot));
  const leftOpen = left.filter((ballot) => !refusedBy.has(ballot)).length;
  if (tooMany === null && leftOpen > 0)
    findings.warnings.add(
      'no longer on the list: accepted once the list of another day does not have it either',
      leftOpen,
    );
  // A first list has all cases of the weeks before.
  const waited = last === null ? null : longest(cases.waited);
  return {
    leaving: { listed, left: left.length, gone: stillGone, waited, tooMany },
    otherList,
    closed: closed.length,
  };
}

function longest(days: readonly number[]): number | null {
  return days.length > 0 ? days.reduce((most, one) => Math.max(most, one)) : null;
}
