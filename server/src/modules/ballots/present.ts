import type { Ballot, BallotFix, PastBallot } from '@ballot-beacon/contract/ballot-status-progress';
import { type BallotStatus, statuses, totalSteps } from '@ballot-beacon/contract/statuses';
import type { Translate } from '@ballot-beacon/contract/translate';
import { buildStatusHistory, type DerivedStatus, deriveBallotStatus } from './rules.ts';
import type { BallotRecord } from './store.ts';

export interface Presentation {
  readonly translate: Translate;
  /** False: the account hides all dates of a ballot, and the answer contains none. */
  readonly isDatesVisible: boolean;
  /** The office says when a ballot is counted, so that an accepted one is not counted yet. */
  readonly isCountingReported: boolean;
  /** At which the ballot is looked at. */
  readonly now: Date;
  /** @param at ISO 8601 @param timeZone whose clock the voter reads, and its name */
  writeDeadline(at: string, timeZone: string): string;
  /** By the office's clock: nobody is asked to wait for a ballot, to complete its application or to send it back, once it would not count. */
  isTooLate(status: BallotStatus, of: BallotRecord): boolean;
}

/** A current ballot as the dashboard shows it (product spec §3, Ballot). */
export function presentBallot(
  record: BallotRecord,
  how: Presentation,
  { fix, stopped: found }: Pick<Ballot, 'fix' | 'stopped'>,
): Ballot {
  const derived = deriveBallotStatus(record.events);
  const isTooLate = how.isTooLate(derived.status, record);
  const stopped = isTooLate ? null : found;
  const show = (when: string | null) => (how.isDatesVisible ? when : null);
  const awaited = findAwaited(record, derived);
  return {
    ballot_id: record.ballotId,
    election: {
      election_name: record.electionName,
      election_date: record.electionDate,
      election_is_active: record.isElectionActive,
      return_deadline: record.returnDeadline,
    },
    status_summary: {
      status: derived.summary,
      current_step: derived.step,
      total_steps: totalSteps,
      current_status: {
        status: derived.status,
        ...describe(derived.status, how.translate),
        // Nobody is asked to fix what can no longer be fixed: what is wrong stays true.
        display_description:
          fix && isFixOver(fix, how.now)
            ? fix.display_reason
            : describeCurrent(derived.status, how),
        display_reason: reasonOf(record, derived, how.translate),
        display_next_step: isTooLate ? '' : nextStep(derived.status, how, { fix, stopped }),
        datetime: show(derived.when),
        outbound_expected_delivery_date: show(awaited.outbound),
        inbound_expected_delivery_date: show(awaited.inbound),
      },
    },
    status_history: buildStatusHistory(record.events).map((step) => ({
      status: step.status,
      ...describe(step.status, how.translate),
      datetime: show(step.when),
      is_standard_flow: step.isStandardFlow,
      is_reached: step.isReached,
      kind: step.kind,
    })),
    fix,
    stopped,
  };
}

/** "Accepted" is not "counted": where the office reports both, the first says so beside its text. */
function describeCurrent(
  status: BallotStatus,
  { translate, isCountingReported }: Presentation,
): string {
  const { display_description: description } = describe(status, translate);
  return status === 'accepted' && isCountingReported
    ? `${description} ${translate('status.accepted.counting')}`
    : description;
}

function isFixOver(fix: BallotFix, now: Date): boolean {
  return fix.state === 'open' && fix.deadline !== null && Date.parse(fix.deadline) <= +now;
}

/** Statuses of which an office must say why. */
const explained: ReadonlySet<string> = new Set([
  'application-incomplete',
  'application-refused',
  'not-counted',
]);

function reasonOf(
  { reasons }: BallotRecord,
  { status, eventId }: DerivedStatus,
  translate: Translate,
): string {
  const reason = eventId === null ? '' : (reasons.get(eventId) ?? '');
  return reason !== '' && explained.has(status) ? translate('dashboard.reason', { reason }) : '';
}

function nextStep(
  status: BallotStatus,
  { translate, writeDeadline, now }: Presentation,
  { fix, stopped }: Pick<Ballot, 'fix' | 'stopped'>,
): string {
  if (stopped) return stopped.display_steps.join(' ');
  if (fix && isFixOver(fix, now)) return translate('fix.overNext');
  if (fix?.deadline && fix.state === 'open')
    return translate('fix.by', { when: writeDeadline(fix.deadline, fix.time_zone) });
  return translate(`status.${status}.next`);
}

/** The expected days of delivery. An envelope that has arrived or was replaced is no longer expected. */
function findAwaited(record: BallotRecord, derived: DerivedStatus) {
  const { status, kind, step, summary, when } = derived;
  const isWithPost = summary === 'in-progress' && step <= statuses.sent.step;
  const isBack = status === 'return-in-transit';
  const { outboundExpectedDeliveryDate: outbound, inboundExpectedDeliveryDate: inbound } = record;
  const isOld =
    kind === 'office' && when !== null && outbound !== null && outbound < when.slice(0, 10);
  return {
    outbound: isWithPost && !isBack && status !== 'delivered' && !isOld ? outbound : null,
    inbound: isWithPost && isBack ? inbound : null,
  };
}

/** A ballot of an election that is over. */
export function presentPastBallot(record: BallotRecord, how: Presentation): PastBallot {
  const derived = deriveBallotStatus(record.events);
  return {
    ballot_id: record.ballotId,
    election_name: record.electionName,
    // Its name asks for the voter's attention, of which nothing can come any more.
    display_name: how.translate(
      derived.status === 'rejected-curable' ? 'fix.reason.other' : `status.${derived.status}.name`,
    ),
    status: derived.status,
    datetime: how.isDatesVisible ? derived.when : null,
  };
}

function describe(status: BallotStatus, translate: Translate) {
  return {
    display_name: translate(`status.${status}.name`),
    display_description: translate(`status.${status}.description`),
  };
}
