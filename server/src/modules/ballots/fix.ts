import type { BallotFix, FixWay } from '@ballot-beacon/contract/ballot-status-progress';
import type { Translate } from '@ballot-beacon/contract/translate';
import { type Account, weekdays } from '../accounts/index.ts';
import {
  type FixCase,
  type FixDeadline,
  findFixDeadline,
  listWays,
  readClosures,
  readDefect,
} from '../deadlines/index.ts';
import type { BallotEvent } from './event-order.ts';
import type { FixRecord } from './fix-store.ts';
import { deriveBallotStatus } from './rules.ts';

/** A problem with a returned envelope, as a ballot's events show it. */
export interface FoundProblem {
  /** `recorded`: a later record of the office has withdrawn it, and no verdict has come since. */
  readonly state: BallotFix['state'];
  /** The office's latest record of the problem. */
  readonly eventId: number;
  /** The first one: files repeat it. */
  readonly problemId: number;
  /** `YYYY-MM-DD` */
  readonly discoveredOn: string;
  /** `YYYY-MM-DD`; null when not on record. */
  readonly receivedOn: string | null;
}

/** The problem that a voter still has to fix, or has just fixed; null for every other ballot. */
export function findProblem(events: readonly BallotEvent[]): FoundProblem | null {
  const { status } = deriveBallotStatus(events);
  const isOpen = status === 'rejected-curable';
  if (!isOpen && status !== 'returned') return null;
  const office = inOfficeOrder(events);
  const flow = office.slice(office.findLastIndex((event) => event.status === 'reprinted') + 1);
  const located = locateProblem(flow);
  return located && { state: isOpen ? 'open' : 'recorded', ...located };
}

/** The office's records alone, in order of receipt. */
export function inOfficeOrder(events: readonly BallotEvent[]): BallotEvent[] {
  return events.filter(({ kind }) => kind === 'office').sort((a, b) => a.eventId - b.eventId);
}

/** The latest problem among an office's records. @param flow in order of receipt */
export function locateProblem(flow: readonly BallotEvent[]): Omit<FoundProblem, 'state'> | null {
  const found = flow.findLast((event) => event.status === 'rejected-curable');
  if (!found) return null;
  // The first of the same records that files repeat every day is when the office found it.
  const since = flow.findLastIndex(
    ({ eventId, status: other }) =>
      eventId < found.eventId && other !== null && other !== found.status,
  );
  const first = flow.slice(since + 1).find((event) => event.status === 'rejected-curable') ?? found;
  const returned = flow.findLast(
    (event) => event.status === 'returned' && event.eventId < found.eventId,
  );
  return {
    eventId: found.eventId,
    problemId: first.eventId,
    discoveredOn: first.occurredOn ?? first.recordedOn,
    receivedOn: returned?.occurredOn ?? null,
  };
}

/** What is wrong, until when it can be fixed, and what the office still has to say for that. */
export async function judgeProblem(
  account: Account,
  problem: FoundProblem,
  record: FixRecord,
): Promise<FixDeadline & Pick<FixCase, 'defect'>> {
  const defect = readDefect(record);
  const deadline = await findFixDeadline({
    state: account.state,
    timeZone: account.timeZone,
    closures: readClosures(account.settings.envelope_fix.closed),
    defect,
    election: record.election,
    discoveredOn: problem.discoveredOn,
    receivedOn: problem.receivedOn,
    officeDeadline: record.officeDeadlines.get(defect) ?? null,
  });
  return { ...deadline, defect };
}

/** The problem as its voter reads it. */
export async function describeFix(
  account: Account,
  problem: FoundProblem,
  record: FixRecord,
  translate: Translate,
  now: Date,
): Promise<BallotFix> {
  const { at, timeZone, rule, defect } = await judgeProblem(account, problem, record);
  const office = account.settings.envelope_fix;
  return {
    state: problem.state,
    defect,
    display_reason: translate(`fix.reason.${defect}`),
    deadline: at,
    time_zone: timeZone,
    ways: listWays(rule, office, {
      now,
      deadline: at,
      electionDate: record.election.electionDate,
      timeZone: account.timeZone,
      hours: office.visit_hours.map(readHours),
    }),
    form_url: office.form,
    not_returned_url: office.not_returned_form,
  };
}

function readHours({
  days,
  open,
  close,
}: Account['settings']['envelope_fix']['visit_hours'][number]): FixWay['hours'][number] {
  const [from = 0, to = from] = days
    .split('-')
    .map((name) => (weekdays as readonly string[]).indexOf(name));
  return { from, to, open, close };
}
