import { isOfApplication } from '@ballot-beacon/contract/statuses';
import type { BallotId } from '../../platform/ids.ts';
import type { BallotEvent } from './event-order.ts';
import { deriveBallotStatus } from './rules.ts';

/** A ballot of a voter, as far as it decides which of the voter's ballots are shown. */
export interface RivalBallot {
  readonly ballotId: BallotId;
  readonly electionId: number;
  readonly events: readonly BallotEvent[];
}

/**
 * Of one voter's ballots those that another ballot of the same election has ended: a vote counts once, so after a vote in person
 * or an accepted ballot nobody waits for the replacement of a spoiled one. Of several complete ballots the latest answers.
 */
export function findEndedBallots(ballots: readonly RivalBallot[]): ReadonlySet<number> {
  const ended = new Set<number>();
  for (const rivals of Map.groupBy(ballots, ({ electionId }) => electionId).values()) {
    const complete = rivals
      .map(({ ballotId, events }) => ({ ballotId, ...deriveBallotStatus(events) }))
      .filter(({ summary }) => summary === 'complete')
      .sort((a, b) => compareWhen(a.when, b.when) || a.ballotId - b.ballotId);
    const answer = complete.at(-1);
    if (!answer) continue;
    for (const { ballotId } of rivals) if (ballotId !== answer.ballotId) ended.add(ballotId);
  }
  return ended;
}

/**
 * An application has a record of its own. Once there is a ballot of the voter in the election, what happened to the application is part of that ballot's way.
 */
export function joinApplications<R extends RivalBallot>(records: readonly R[]): R[] {
  const isApplication = ({ events }: R) =>
    events.length > 0 &&
    events.every(
      ({ kind, status }) => kind === 'office' && status !== null && isOfApplication(status),
    );
  const [applications, ballots] = [true, false].map((wanted) =>
    records.filter((one) => isApplication(one) === wanted),
  ) as [R[], R[]];
  if (applications.length === 0) return [...records];
  const hasBallot = (electionId: number) => ballots.some((one) => one.electionId === electionId);
  return records.flatMap((record) => {
    if (applications.includes(record)) return hasBallot(record.electionId) ? [] : [record];
    const own = applications.filter(({ electionId }) => electionId === record.electionId);
    const events = [...own.flatMap((one) => one.events), ...record.events];
    return [own.length === 0 ? record : { ...record, events }];
  });
}

function compareWhen(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}
