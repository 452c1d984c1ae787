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
export const leadsToReturn = (status: string): boolean =>
  outStatuses.has(status) ||
  status === 'application-received' ||
  status === 'application-incomplete';

/** The last moment of a ballot's return: that of the office, or else Election Day. */
export const lastReturn = (
  deadline: Pick<ReturnDeadline, 'date' | 'time'> | null,
  electionDate: string,
): Pick<ReturnDeadline, 'date' | 'time'> => deadline ?? { date: electionDate, time: null };

/** Whether a ballot sent back now would come too late. @param formats of the office's zone, on whose clock the deadline is */
export function isTooLateToReturn(
  { date, time }: Pick<ReturnDeadline, 'date' | 'time'>,
  now: Date,
  formats: Pick<Formats, 'dayOf' | 'clockOf'>,
): boolean {
  const today = formats.dayOf(now);
  return date < today || (date === today && time !== null && time <= formats.clockOf(now));
}
