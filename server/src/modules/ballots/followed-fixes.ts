import type { fixStates } from '@ballot-beacon/contract/office/fixes';
import { statuses } from '@ballot-beacon/contract/statuses';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import { inOfficeOrder, judgeProblem, locateProblem } from './fix.ts';
import { type BallotWithFix, readBallotsWithFix } from './followed-fixes-store.ts';
import type { OpenFix } from './open-fixes.ts';
import { deriveBallotStatus } from './rules.ts';

/**
 * What became of an envelope that needed its voter: `open` until the deadline, `fixed` once a later record says so, `expired`
 * when the deadline passed or the office rejected the ballot, `ended` when a new ballot, a cancellation or another ballot made
 * the question idle.
 */
export type FixState = (typeof fixStates)[number];

/** An envelope that needed its voter, and what became of it. */
export interface FollowedFix extends OpenFix {
  readonly state: FixState;
  /** `YYYY-MM-DD`, the day of the office's first record after the problem; null while there is none. */
  readonly endedOn: string | null;
  readonly isConfidential: boolean;
}

/**
 * The envelopes of an office that needed their voters.
 *
 * @param of the active elections where no election is given; with `isOpen` those alone that the office's newest record says
 * still need a fix, past the deadline or not
 */
export async function followFixes(
  db: Db,
  account: Account,
  of: { readonly electionId: number | null; readonly isOpen: boolean },
  now: Date,
): Promise<FollowedFix[]> {
  const ballots = await readBallotsWithFix(db, account, of);
  // Few cases differ in what their deadline depends on.
  const judged = new Map<string, ReturnType<typeof judgeProblem>>();
  const found = await Promise.all(
    ballots.map(async (ballot): Promise<FollowedFix | null> => {
      const office = inOfficeOrder(ballot.events);
      const located = locateProblem(office);
      const record = located && ballot.records.get(located.eventId);
      if (!located || !record) return null;
      const { problemId, eventId, discoveredOn, receivedOn } = located;
      const own = [...record.officeDeadlines];
      const key = JSON.stringify([discoveredOn, receivedOn, { ...record, officeDeadlines: own }]);
      const problem = { ...located, state: 'open' as const };
      const judging = judged.get(key) ?? judgeProblem(account, problem, record);
      judged.set(key, judging);
      const { defect, at: deadline, timeZone } = await judging;
      const after = office.find((event) => event.eventId > eventId && event.status !== null);
      const { ballotId, voterId, electionNumber, isConfidential } = ballot;
      return {
        ...{ ballotId, voterId, electionNumber, isConfidential, problemId, defect, deadline },
        timeZone,
        since: ballot.importedAt.get(problemId) ?? now,
        state: judgeState(ballot, deadline, now),
        endedOn: after ? (after.occurredOn ?? after.recordedOn) : null,
      };
    }),
  );
  return found.filter((one) => one !== null);
}

function judgeState(ballot: BallotWithFix, deadline: string | null, now: Date): FixState {
  if (ballot.isEnded) return 'ended';
  const { status } = deriveBallotStatus(ballot.events);
  if (status === 'rejected' || status === 'not-counted') return 'expired';
  if (status === 'returned' || statuses[status].effect === 'complete') return 'fixed';
  if (status !== 'rejected-curable') return 'ended';
  return deadline !== null && Date.parse(deadline) <= now.getTime() ? 'expired' : 'open';
}
