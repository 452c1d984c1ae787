import {
  type BallotStatus,
  type EventKind,
  isOfApplication,
  standardFlow,
  statuses,
} from '@ballot-beacon/contract/statuses';
import {
  type BallotEvent,
  compareByTime,
  compareMoments,
  foldScans,
  follows,
  inOrderOfReceipt,
  isKnown,
  type KnownEvent,
  rankOf,
  sentStep,
  withoutRepeats,
} from './event-order.ts';

export interface DerivedStatus {
  readonly status: BallotStatus;
  readonly kind: EventKind | null;
  /** The event that decided; null when no event has a known status. */
  readonly eventId: number | null;
  /** 0 (known to the office) to 4 (accepted). */
  readonly step: number;
  readonly summary: 'complete' | 'halted' | 'in-progress';
  /** An instant or a day, see {@link BallotEvent}; null when not on record. */
  readonly when: string | null;
}

export interface HistoryStep {
  readonly status: BallotStatus;
  readonly kind: EventKind | null;
  readonly when: string | null;
  readonly isStandardFlow: boolean;
  readonly isReached: boolean;
}

/**
 * Derives where a ballot is from everything recorded about it.
 *
 * The office's latest record with a known status decides. Scans, and below them estimates, can only refine a
 * ballot that is on its way: they neither prove receipt nor undo anything, and their order of receipt does
 * not matter. A ballot without any known status is `requested`.
 */
export function deriveBallotStatus(events: readonly BallotEvent[]): DerivedStatus {
  const { office, flow } = readOffice(events);
  const decided = office.at(-1);
  const base: DerivedStatus = {
    status: decided?.status ?? 'requested',
    kind: shownKind(decided?.kind),
    eventId: decided?.eventId ?? null,
    step: flow.step,
    summary: summaryOf(decided?.status),
    when: decided ? (whenOf(decided) ?? whenOf(latestDated(flow.events, decided.status))) : null,
  };
  if (base.summary !== 'in-progress' || base.step > sentStep) return base;
  const post = readPost(events, flow);
  const [furthest] = post;
  if (!furthest || rankOf(furthest.status) <= rankOf(base.status)) return base;
  return {
    ...base,
    status: furthest.status,
    kind: shownKind(furthest.kind),
    eventId: furthest.eventId,
    step: Math.max(base.step, ...post.map(stepSeen)),
    when: whenOf(furthest),
  };
}

/**
 * The Details timeline: the four standard steps, each once and in order, with everything else that happened
 * between them by time. A step not reached, or no longer after a reversal or a reprint, has a null `when`.
 */
export function buildStatusHistory(events: readonly BallotEvent[]): HistoryStep[] {
  const { flow, past } = readOffice(events);
  const derived = deriveBallotStatus(events);
  const known = inOrderOfReceipt(events).filter(isKnown);
  const byTime = [...known].sort(compareByTime);
  const prints = known.filter(({ kind }) => kind === 'print');

  const steps = standardFlow.map((status) => {
    const isReached = isStepReached(status, derived, flow);
    // A reprint starts a new flow, but the first print is still the print that the voter got a message about; the day of a
    // reprint is the day its envelope went out.
    const source =
      latestDated(flow.events, status) ??
      latestDated(prints, status) ??
      flow.events.findLast((event) => event.status === status) ??
      (status === 'printed' ? latestDated(past, status) : undefined) ??
      (status === 'sent' ? latestDated(flow.events, 'reprinted') : undefined) ??
      byTime.find((event) => event.kind === 'scan' && event.status === status);
    const event = isReached ? source : undefined;
    return { status, event, isReached };
  });

  const isBetween = ({ status, kind }: KnownEvent) =>
    !statuses[status].isStandardFlow && (kind === 'office' || statuses[status].effect === 'detail');
  const office = withoutRepeats(known.filter((event) => event.kind === 'office'));
  const post = withoutRepeats(byTime.filter((event) => event.kind !== 'office'));
  const between = [...office, ...post].filter(isBetween).sort(compareByTime);

  const slots: KnownEvent[][] = Array.from({ length: steps.length + 1 }, () => []);
  let slot = 0;
  for (const event of between) {
    const last = steps.findLastIndex((step) => step.event && follows(event, step.event));
    slot = Math.max(slot, last + 1);
    // A step without a record of its own that this event implies was taken before it.
    while (slot < impliedStep(event) && steps[slot]?.isReached && !steps[slot]?.event) slot += 1;
    slots[slot]?.push(event);
  }
  return slots.flatMap((slot, index) => {
    const shown = foldScans(slot).map(
      (event): HistoryStep => ({
        status: event.status,
        kind: shownKind(event.kind),
        when: whenOf(event),
        isStandardFlow: false,
        isReached: true,
      }),
    );
    const next = steps[index];
    if (!next) return shown;
    const { status, event, isReached } = next;
    const when = event ? whenOf(event) : null;
    return [
      ...shown,
      { status, kind: shownKind(event?.kind), when, isStandardFlow: true, isReached },
    ];
  });
}

/**
 * The earliest step that a halting verdict implies: an office can refuse only an envelope that it has, and USPS
 * can bring back only an envelope that was sent. `cancelled` says nothing about where the envelope is.
 */
const impliedByHalt: Partial<Record<BallotStatus, number>> = {
  rejected: statuses.returned.step,
  'not-counted': statuses.returned.step,
  'rejected-curable': statuses.returned.step,
  undeliverable: statuses.sent.step,
};

/** How many steps of the standard flow an event proves. */
function impliedStep({ kind, status }: KnownEvent): number {
  return kind === 'office' ? (statuses[status].step ?? impliedByHalt[status] ?? 0) : 0;
}

/** A scan proves that the envelope was sent; an estimate does not. */
function stepSeen({ kind, status }: KnownEvent): number {
  return kind === 'estimate' ? 0 : (statuses[status].step ?? sentStep);
}

/** The mail house works for the office, so its records are shown as the office's. */
function shownKind(kind: BallotEvent['kind'] | undefined): EventKind | null {
  return kind === 'print' ? 'office' : (kind ?? null);
}

interface Flow {
  readonly step: number;
  /** Office records of the present flow: since the last reprint, it included. */
  readonly events: readonly KnownEvent[];
  /** Scans of an earlier day belong to an earlier envelope, or show less than the office knows. */
  readonly scansCountFrom: string | null;
  /** This is the first envelope, so any printing record belongs to it. */
  readonly isFirst: boolean;
}

/** Reads the office's records in order of receipt and returns the ballot's resulting flow. */
function readOffice(events: readonly BallotEvent[]): {
  office: KnownEvent[];
  flow: Flow;
  past: KnownEvent[];
} {
  const office = withoutPassedApplication(
    inOrderOfReceipt(events).filter(
      (event): event is KnownEvent => event.kind === 'office' && isKnown(event),
    ),
  );
  let step = 0;
  let flowStart = 0;
  let lastBreak: KnownEvent | undefined;
  office.forEach((event, index) => {
    const { effect, step: stated } = statuses[event.status];
    if (effect === 'restart') flowStart = index;
    if (effect === 'restart' || effect === 'halt' || effect === 'complete') lastBreak = event;
    step = stated ?? Math.max(step, impliedByHalt[event.status] ?? 0);
  });
  const scansCountFrom =
    office.at(-1)?.occurredOn ?? lastBreak?.occurredOn ?? lastBreak?.recordedOn ?? null;
  return {
    office,
    flow: { step, events: office.slice(flowStart), scansCountFrom, isFirst: !lastBreak },
    past: office.slice(0, flowStart),
  };
}

/**
 * Applications come in a file of their own, in any order with the files of ballots: an application decides until there
 * is a ballot, and outranks that a ballot was asked for.
 */
function withoutPassedApplication(office: KnownEvent[]): KnownEvent[] {
  const ofApplication = office.filter(({ status }) => isOfApplication(status));
  if (ofApplication.length === 0) return office;
  const ofBallot = office.filter(({ status }) => !isOfApplication(status));
  return ofBallot.some(({ status }) => status !== 'requested') ? ofBallot : ofApplication;
}

/**
 * The postal records of the present flow, furthest first, then earliest: scans, estimates for
 * a later time than every scan, and the record that the envelope was printed.
 */
function readPost(events: readonly BallotEvent[], flow: Flow): KnownEvent[] {
  const counted = events.filter(
    (event): event is KnownEvent =>
      isKnown(event) &&
      isPostal(event) &&
      (flow.scansCountFrom === null ||
        (event.kind === 'print' && flow.isFirst) ||
        (event.occurredOn !== null && event.occurredOn >= flow.scansCountFrom)),
  );
  const scans = counted.filter((event) => event.kind === 'scan');
  const lastScan = [...scans].sort(compareByTime).at(-1);
  const estimates = counted.filter(
    (event) => event.kind === 'estimate' && (!lastScan || compareMoments(event, lastScan) > 0),
  );
  const prints = counted.filter((event) => event.kind === 'print');
  return [...scans, ...prints, ...estimates].sort(
    (a, b) => rankOf(b.status) - rankOf(a.status) || compareByTime(a, b),
  );
}

/** Only what USPS can know: that an envelope is out, and where; never that the office has it. */
function isPostal(event: KnownEvent): boolean {
  const { effect, step } = statuses[event.status];
  if (effect === 'detail') return event.kind !== 'office';
  const isSeen = event.kind === 'scan' || event.kind === 'print';
  return isSeen && effect === 'advance' && step > 0 && step <= sentStep;
}

function isStepReached(
  status: (typeof standardFlow)[number],
  derived: DerivedStatus,
  flow: Flow,
): boolean {
  // A voter who voted in person may never have had an envelope, so only recorded steps and those they imply count.
  if (derived.status === 'in-person')
    return flow.events.some(({ status: recorded }) => {
      const isOfEnvelope =
        statuses[recorded].isStandardFlow || statuses[recorded].effect === 'restart';
      return isOfEnvelope && (statuses[recorded].step ?? 0) >= statuses[status].step;
    });
  return statuses[status].step <= derived.step;
}

function summaryOf(status: BallotStatus | undefined): DerivedStatus['summary'] {
  if (!status) return 'in-progress';
  const { effect } = statuses[status];
  if (effect === 'complete') return 'complete';
  return effect === 'halt' ? 'halted' : 'in-progress';
}

function latestDated(events: readonly KnownEvent[], status: BallotStatus): KnownEvent | undefined {
  return events.findLast((event) => event.status === status && whenOf(event) !== null);
}

function whenOf(event: BallotEvent | undefined): string | null {
  return event?.occurredAt ?? event?.occurredOn ?? null;
}
