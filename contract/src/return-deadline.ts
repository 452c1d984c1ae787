import type { ReturnDeadline } from './ballot-status-progress.ts';
import type { Formats } from './formats.ts';

/** Statuses of a ballot that the voter has, or is about to get, and has not sent back. */
export const outStatuses: ReadonlySet<string> = new Set([
  'application-approved',
  'requested',
  'printed',
  'sent',
  'in-transit',
  'delivered',
  'reprinted',
]);

/** Whether what is asked of the voter leads to the ballot's return: it is out, or still applied for. */
const leadsToReturn = (status: string): boolean =>
  outStatuses.has(status) ||
  status === 'application-received' ||
  status === 'application-incomplete';

/**
 * Whether what is asked of the voter leads to a return that would come too late by now: after {@link lastToSend} of the office's
 * deadline and of Election Day (`YYYY-MM-DD`).
 */
export function leadsTooLate(
  status: string,
  of: {
    readonly deadline: Pick<ReturnDeadline, 'date' | 'time'> | null;
    readonly electionDate: string;
  },
  now: Date,
  formats: Formats,
): boolean {
  return (
    leadsToReturn(status) &&
    isTooLateToReturn(lastToSend(of.deadline, of.electionDate), now, formats)
  );
}

/**
 * The last moment to send a ballot back: the office's for ballots, or the end of Election Day (`YYYY-MM-DD`) where those that come for
 * some days after it count too. They were mailed by then.
 */
export function lastToSend(
  deadline: Pick<ReturnDeadline, 'date' | 'time'> | null,
  electionDate: string,
): Pick<ReturnDeadline, 'date' | 'time'> {
  return deadline && deadline.date <= electionDate ? deadline : { date: electionDate, time: null };
}

/** Whether a ballot sent back now would come too late. @param formats of the office's zone, on whose clock the deadline is */
export function isTooLateToReturn(
  { date, time }: Pick<ReturnDeadline, 'date' | 'time'>,
  now: Date,
  formats: Formats,
): boolean {
  const today = formats.dayOf(now);
  return date < today || (date === today && time !== null && time <= formats.clockOf(now));
}
