import { Temporal } from 'temporal-polyfill';
import type { Direction } from '../mail-pieces/index.ts';
import { type MailClass, thresholds } from './thresholds.ts';

/** What is known of an envelope in the mail. Days are `YYYY-MM-DD`; null: not on record. */
export interface MailFacts {
  readonly direction: Direction;
  readonly mailClass: MailClass;
  /** The day on which the office mailed it; null for a return envelope. */
  readonly sentOn: string | null;
  readonly lastSeenOn: string | null;
  /** The day on which USPS expected to deliver it. */
  readonly expectedOn: string | null;
}

/**
 * Why an envelope counts as stopped: the office mailed it and nobody saw it; its expected day has passed; it was seen, and then no more;
 * it was seen on its way back, and the office has no record of it.
 */
export type StopReason = 'not-seen' | 'late' | 'no-scan' | 'not-received';

export interface Stop {
  readonly reason: StopReason;
  /** The last day of an ordinary journey: it counts as stopped from the next day on. */
  readonly threshold: string;
}

/** Counts business days of the mail: no weekends, no federal holidays. */
export interface MailDays {
  /** @returns the day, `YYYY-MM-DD`, that lies so many business days after `from` */
  add(from: string, businessDays: number): string;
}

/**
 * The moment after which an envelope counts as stopped if nothing else becomes known: the earliest that its facts allow. An envelope that was
 * scanned after its expected day is moving, so it is late only some days after that scan.
 *
 * @returns null when nothing can be said: nobody knows when it was mailed, and nobody saw it
 */
export function foreseeStop(facts: MailFacts, days: MailDays): Stop | null {
  const { direction, mailClass, sentOn, lastSeenOn, expectedOn } = facts;
  if (direction === 'inbound') {
    if (lastSeenOn === null) return null;
    const { notReceivedBusinessDays } = thresholds.inbound;
    return { reason: 'not-received', threshold: days.add(lastSeenOn, notReceivedBusinessDays) };
  }
  const { notSeenBusinessDays, lateBusinessDays, noScanBusinessDays } =
    thresholds.outbound[mailClass];
  if (lastSeenOn === null)
    return sentOn === null
      ? null
      : { reason: 'not-seen', threshold: days.add(sentOn, notSeenBusinessDays) };
  const noScan = days.add(lastSeenOn, noScanBusinessDays);
  if (expectedOn === null) return { reason: 'no-scan', threshold: noScan };
  const late = days.add(lastSeenOn > expectedOn ? lastSeenOn : expectedOn, lateBusinessDays);
  return late <= noScan
    ? { reason: 'late', threshold: late }
    : { reason: 'no-scan', threshold: noScan };
}

/**
 * Whether an envelope has stopped.
 *
 * @param knownUntil `YYYY-MM-DD`: the last day of which the scans are known. Without news from USPS nothing stops.
 */
export function findStop(facts: MailFacts, knownUntil: string, days: MailDays): Stop | null {
  const stop = foreseeStop(facts, days);
  return stop && stop.threshold < knownUntil ? stop : null;
}

/** What a voter whose envelope has stopped should do, by the days that are left. */
export type StopAdvice = 'wait' | 'drop-box' | 'in-person' | 'call';

export interface AdviceCase {
  readonly direction: Direction;
  /** `YYYY-MM-DD` in the account's calendar. */
  readonly today: string;
  /** By when the ballot must be back. */
  readonly deadlineOn: string;
  /** That day, or the hour of it by which the ballot must be back, has passed. */
  readonly isOver: boolean;
  /** The last day on which the office mails a replacement; null when it has not said so. */
  readonly replacementUntil: string | null;
}

/** @returns null when there is nothing to say any more: a ballot that never came is of no use after the deadline */
export function adviseStop({
  direction,
  today,
  deadlineOn,
  isOver,
  replacementUntil,
}: AdviceCase): { readonly advice: StopAdvice; readonly replacementUntil: string | null } | null {
  const { dropBoxDays, inPersonDays } = thresholds.advice;
  const daysLeft = Temporal.PlainDate.from(today).until(deadlineOn, { largestUnit: 'days' }).days;
  if (isOver) return direction === 'inbound' ? { advice: 'call', replacementUntil: null } : null;
  const advice =
    daysLeft <= inPersonDays ? 'in-person' : daysLeft <= dropBoxDays ? 'drop-box' : 'wait';
  const isOffered =
    advice !== 'in-person' && replacementUntil !== null && today <= replacementUntil;
  return { advice, replacementUntil: isOffered ? replacementUntil : null };
}

/** An envelope that has stopped, and where it was seen last. */
export interface StoppedEnvelope {
  readonly stop: Stop;
  /** Where USPS saw it last, such as "PORT ALDEN, FL 34811"; null when it was never seen. */
  readonly facility: string | null;
  /** The day of its last scan. */
  readonly lastSeenOn: string | null;
  /** Of the address it goes to: five digits, or empty. */
  readonly zip: string;
}

/** Many envelopes that stopped at one facility on one day: one notice to the office. */
export interface StopIncident {
  readonly facility: string;
  /** `YYYY-MM-DD`: the day on which they were seen last. */
  readonly day: string;
  readonly envelopes: number;
  /** In order. */
  readonly zips: readonly string[];
}

/** Splits stopped envelopes into incidents of a facility's day and those that stopped by themselves. */
export function groupStops<E extends StoppedEnvelope>(
  stopped: readonly E[],
): { readonly incidents: readonly StopIncident[]; readonly single: readonly E[] } {
  const incidents: StopIncident[] = [];
  const single: E[] = [];
  const placed = Map.groupBy(stopped, ({ facility, lastSeenOn }) =>
    facility === null || lastSeenOn === null ? '' : `${lastSeenOn}\t${facility}`,
  );
  for (const [place, envelopes] of placed) {
    const [day = '', facility = ''] = place.split('\t');
    if (place === '' || envelopes.length < thresholds.incident.envelopes) {
      single.push(...envelopes);
      continue;
    }
    const zips = [...new Set(envelopes.map(({ zip }) => zip).filter(Boolean))].sort();
    incidents.push({ facility, day, envelopes: envelopes.length, zips });
  }
  incidents.sort((a, b) => b.envelopes - a.envelopes || (a.day < b.day ? -1 : 1));
  return { incidents, single };
}
