import type { BallotId, VoterId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import type { Defect } from '../deadlines/index.ts';
import { findProblem, judgeProblem } from './fix.ts';
import { readFixableBallots } from './open-fixes-store.ts';

/** An envelope that waits for its voter. */
export interface OpenFix {
  readonly ballotId: BallotId;
  readonly voterId: VoterId;
  readonly electionNumber: string;
  /** The office's first record of this problem: another one after a fix is another problem. */
  readonly problemId: number;
  readonly defect: Defect;
  /** When the office's file brought it: the voter could not know before. */
  readonly since: Date;
  /** ISO 8601 with an offset; null when only the office can say. */
  readonly deadline: string | null;
  /** Of the deadline's clock. */
  readonly timeZone: string;
}

/** The envelopes of an office that wait for their voters, each with its deadline. */
export async function listOpenFixes(
  db: Db,
  account: Account,
  only?: readonly BallotId[],
): Promise<OpenFix[]> {
  const ballots = await readFixableBallots(db, account, only);
  // Few cases differ in what their deadline depends on.
  const judged = new Map<string, ReturnType<typeof judgeProblem>>();
  const found = await Promise.all(
    ballots.map(async ({ ballotId, voterId, electionNumber, events, record, importedAt }) => {
      const problem = findProblem(events);
      if (problem?.state !== 'open') return null;
      const { discoveredOn, receivedOn } = problem;
      const own = [...record.officeDeadlines];
      const key = JSON.stringify([discoveredOn, receivedOn, { ...record, officeDeadlines: own }]);
      const judging = judged.get(key) ?? judgeProblem(account, problem, record);
      judged.set(key, judging);
      const { defect, at: deadline, timeZone } = await judging;
      const { problemId } = problem;
      return {
        ...{ ballotId, voterId, electionNumber, problemId, defect, deadline, timeZone },
        since: importedAt.get(problemId) ?? new Date(),
      };
    }),
  );
  return found.filter((one) => one !== null);
}
