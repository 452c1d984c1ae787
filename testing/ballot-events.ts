import {
  type BallotStatus,
  ballotStatuses,
  isOfApplication,
  statuses,
} from '@ballot-beacon/contract/statuses';
import fc from 'fast-check';
import type { BallotEvent } from '../server/src/modules/ballots/index.ts';

export const postalDetails = ['in-transit', 'delivered', 'return-in-transit'] as const;
/** An application has a record of its own. */
const ofBallots = ballotStatuses.filter((status) => !isOfApplication(status));
export const officeStatuses = ofBallots.filter((status) => statuses[status].effect !== 'detail');

/** Events in order of receipt, from `[status, day]` pairs; `scan:` and `estimate:` before a status name its kind. */
export function record(...lines: [string | null, (string | null)?][]): BallotEvent[] {
  return lines.map(([text, day], index) => {
    const [first, second] = (text ?? '').split(':');
    const kind = second === undefined ? 'office' : (first as BallotEvent['kind']);
    return {
      eventId: index + 1,
      kind,
      status: text === null ? null : ((second ?? first) as BallotStatus),
      occurredOn: day?.slice(0, 10) ?? null,
      occurredAt: day && day.length > 10 ? day : null,
      recordedOn: '2026-12-31',
    };
  });
}

export const anyDay = fc.option(
  fc.integer({ min: 1, max: 28 }).map((day) => `2026-10-${String(day).padStart(2, '0')}`),
);
export const anyEvent = fc.record({
  kind: fc.constantFrom('office', 'scan', 'estimate'),
  status: fc.option(fc.constantFrom(...ofBallots)),
  occurredOn: anyDay,
});
export const anyEvents = fc.array(anyEvent, { maxLength: 12 }).map((events): BallotEvent[] =>
  events.map((event, index) => ({
    ...event,
    kind: event.kind as BallotEvent['kind'],
    eventId: index + 1,
    occurredAt: null,
    recordedOn: '2026-10-28',
  })),
);
