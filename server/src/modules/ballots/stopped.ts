import type { StoppedBallot } from '@ballot-beacon/contract/ballot-status-progress';
import { formatsFor } from '@ballot-beacon/contract/formats';
import { isTooLateToReturn, lastToSend } from '@ballot-beacon/contract/return-deadline';
import type { Translate } from '@ballot-beacon/contract/translate';
import { Temporal } from 'temporal-polyfill';
import { localDay } from '../../platform/clock.ts';
import type { BallotId } from '../../platform/ids.ts';
import type { Db } from '../../platform/postgres.ts';
import type { Account } from '../accounts/index.ts';
import {
  adviseStop,
  findStop,
  type MailTrace,
  mailClassOf,
  readMailDays,
  readScansUntil,
  readTraces,
  type Stop,
} from '../stopped-mail/index.ts';
import { deriveBallotStatus } from './rules.ts';
import type { BallotRecord } from './store.ts';

/** What decides whether a ballot's envelope has stopped in the mail. */
export type MailedBallot = Pick<
  BallotRecord,
  'ballotId' | 'events' | 'electionDate' | 'returnDeadline' | 'outboundExpectedDeliveryDate'
>;

export interface StoppedMail {
  readonly stop: Stop;
  readonly trace: MailTrace;
}

/**
 * The ballots whose envelopes have stopped in the mail. Only envelopes with barcodes are judged, and only as long as the office has
 * no record that says more than that they were mailed.
 */
export async function findStoppedMail(
  db: Db,
  account: Account,
  ballots: readonly MailedBallot[],
  now: Date,
): Promise<ReadonlyMap<BallotId, StoppedMail>> {
  const out = ballots.flatMap((ballot) => {
    const leg = findLeg(ballot);
    return leg ? [{ ...leg, ballotId: ballot.ballotId, ballot }] : [];
  });
  if (out.length === 0) return new Map();
  const traces = await readTraces(db, account.accountId, out);
  const until = traces.length === 0 ? null : await readScansUntil(db, account.accountId);
  if (until === null) return new Map();
  const today = localDay(now, account.timeZone);
  const knownUntil = until < today ? until : today;
  const days = await readMailDays();
  const ofBallot = Map.groupBy(traces, ({ ballotId }) => ballotId);
  const found = new Map<BallotId, StoppedMail>();
  for (const { ballotId, ballot, direction, since } of out) {
    const own = (ofBallot.get(ballotId) ?? []).filter((trace) => trace.direction === direction);
    const [trace] = own.sort(byLatest);
    if (!trace) continue;
    const expected = direction === 'outbound' ? ballot.outboundExpectedDeliveryDate : null;
    const stop = findStop(
      {
        direction,
        mailClass: mailClassOf(trace.trackingCode),
        sentOn: since ?? trace.mailedOn,
        lastSeenOn: trace.lastSeenOn,
        expectedOn: expected !== null && since !== null && expected < since ? null : expected,
      },
      knownUntil,
      days,
    );
    if (stop) found.set(ballotId, { stop, trace });
  }
  return found;
}

/** Which envelope is in the mail, and since when by the office; null when none is, or it has likely arrived. */
function findLeg({ events }: MailedBallot) {
  const { status } = deriveBallotStatus(events);
  const mailed = events.findLast(
    (event) => event.kind === 'office' && (event.status === 'sent' || event.status === 'reprinted'),
  );
  const since = mailed?.occurredOn ?? null;
  if (status === 'return-in-transit') return { direction: 'inbound' as const, since };
  const isOut = status === 'sent' || status === 'in-transit' || status === 'reprinted';
  return isOut ? { direction: 'outbound' as const, since } : null;
}

/** The envelope seen last, then the one mailed last. */
function byLatest(a: MailTrace, b: MailTrace): number {
  const dayOf = ({ lastSeenOn, mailedOn }: MailTrace) => `${lastSeenOn ?? ''} ${mailedOn ?? ''}`;
  return dayOf(a) < dayOf(b) ? 1 : -1;
}

/** What the voter of a stopped envelope can do, and the texts that say so. */
export interface StopPlan {
  readonly advice: StoppedBallot['advice'];
  /** `YYYY-MM-DD`: the last day on which the office mails a replacement; null when it mails none. */
  readonly replacementUntil: string | null;
  /** The text that says what is known. */
  readonly known: `stopped.${Stop['reason']}`;
  /** The text that says what to do. */
  readonly way: string;
}

/** @returns null when nothing is left to do */
export function planStop(
  account: Account,
  ballot: MailedBallot,
  { stop, trace }: StoppedMail,
  now: Date,
): StopPlan | null {
  const { replacement_days: replacementDays } = account.settings.stopped_mail;
  const deadline = lastToSend(ballot.returnDeadline, ballot.electionDate);
  const advised = adviseStop({
    direction: trace.direction,
    today: localDay(now, account.timeZone),
    deadlineOn: deadline.date,
    isOver: isTooLateToReturn(deadline, now, formatsFor('english', account.timeZone)),
    replacementUntil:
      replacementDays === null ? null : daysBefore(ballot.electionDate, replacementDays),
  });
  if (!advised) return null;
  const { advice } = advised;
  const way = advice === 'drop-box' ? `${advice}-${trace.direction}` : advice;
  return { ...advised, known: `stopped.${stop.reason}`, way: `stopped.do.${way}` };
}

/** A stopped envelope as its voter reads it; null when nothing is left to do. */
export function describeStop(
  account: Account,
  ballot: MailedBallot,
  stopped: StoppedMail,
  how: { readonly translate: Translate; writeDay(day: string): string },
  now: Date,
): StoppedBallot | null {
  const plan = planStop(account, ballot, stopped, now);
  if (!plan) return null;
  const { advice, replacementUntil, known, way } = plan;
  const { translate } = how;
  const steps = [translate(way)];
  if (replacementUntil !== null)
    steps.push(translate('stopped.do.replacement', { date: how.writeDay(replacementUntil) }));
  return {
    reason: stopped.stop.reason,
    advice,
    replacement_until: replacementUntil,
    display_known: translate(known),
    display_steps: steps,
  };
}

function daysBefore(day: string, days: number): string {
  return Temporal.PlainDate.from(day).subtract({ days }).toString();
}
