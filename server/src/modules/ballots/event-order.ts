import { type BallotStatus, type EventKind, statuses } from '@ballot-beacon/contract/statuses';

/** One line of a ballot's append-only record, as these rules read it. */
export interface BallotEvent {
  /** The order of receipt: a later office record outranks an earlier one. */
  readonly eventId: number;
  /** `print`: the mail house has the envelope's barcodes. It counts as an office record, but like a scan it only refines. */
  readonly kind: EventKind | 'print';
  /** Null when the source's value is unknown: the last known status stays. */
  readonly status: BallotStatus | null;
  /** `YYYY-MM-DD` in the account's calendar, also given for an instant; null when the source has no date. */
  readonly occurredOn: string | null;
  /** ISO 8601 in UTC, only where the source gives a time. */
  readonly occurredAt: string | null;
  /** `YYYY-MM-DD` in the account's calendar: the day the record was received. */
  readonly recordedOn: string;
}

export type KnownEvent = BallotEvent & { readonly status: BallotStatus };

/** Where the stretch of USPS begins. */
export const sentStep = statuses.sent.step;

/** How far along its way a status on the stretch of USPS places the envelope. */
const postalRank: Partial<Record<BallotStatus, number>> = {
  printed: 1,
  reprinted: 1,
  sent: 2,
  'in-transit': 3,
  delivered: 4,
  'return-in-transit': 5,
};

export function rankOf(status: BallotStatus): number {
  return postalRank[status] ?? 0;
}

export function isKnown(event: BallotEvent): event is KnownEvent {
  return event.status !== null;
}

export function inOrderOfReceipt(events: readonly BallotEvent[]): BallotEvent[] {
  return [...events].sort((a, b) => a.eventId - b.eventId);
}

/** Of one moment the office's record comes first; scans follow by how far they place the envelope, because they arrive in any order. */
export function compareByTime(a: KnownEvent, b: KnownEvent): number {
  const [isScanA, isScanB] = [a, b].map(({ kind }) => Number(kind !== 'office')) as [0 | 1, 0 | 1];
  const byRank = isScanA && isScanB ? rankOf(a.status) - rankOf(b.status) : 0;
  return compareMoments(a, b) || isScanA - isScanB || byRank || a.eventId - b.eventId;
}

/**
 * By day, then by time within it. A day without a time stands before its hours; an estimate after them, because
 * it is about the end of its day.
 */
export function compareMoments(a: BallotEvent, b: BallotEvent): number {
  return compareText(a.occurredOn, b.occurredOn) || compareText(timeOf(a), timeOf(b));
}

function timeOf({ kind, occurredAt }: BallotEvent): string {
  return occurredAt ?? (kind === 'estimate' ? endOfDay : '');
}

/** After every ISO 8601 instant. */
const endOfDay = '~';

function compareText(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

/**
 * Whether `event` came after `step`: by time where both have one, else by receipt. When a scan was received does not matter:
 * without a time it is on the stretch of USPS, which `sent` begins and `returned` ends.
 */
export function follows(event: KnownEvent, step: KnownEvent): boolean {
  if (event.occurredOn !== null && step.occurredOn !== null) return compareByTime(event, step) > 0;
  if (event.kind === 'office') return event.eventId > step.eventId;
  return (statuses[step.status].step ?? 0) <= sentStep;
}

/** Files repeat yesterday's rows, and machines scan again: the first event of each day is enough. */
export function withoutRepeats(events: readonly KnownEvent[]): KnownEvent[] {
  const seen = new Set<string>();
  return events.filter((event) => {
    const key = [event.kind, event.status, event.occurredOn].join();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/**
 * An envelope is scanned ten times on its way: of consecutive scans with the same status the first is shown, and an
 * estimate only where no scan has its status.
 */
export function foldScans(events: readonly KnownEvent[]): KnownEvent[] {
  const folded: KnownEvent[] = [];
  for (const event of events) {
    const last = folded.at(-1);
    const isRepeat = event.kind !== 'office' && last?.kind !== 'office';
    if (!last || !isRepeat || last.status !== event.status) folded.push(event);
    else if (last.kind === 'estimate' && event.kind === 'scan') folded[folded.length - 1] = event;
  }
  return folded;
}
