import { isOfApplication } from '@ballot-beacon/contract/statuses';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyEvents, record } from '../../../../testing/ballot-events.ts';
import type { BallotId } from '../../platform/ids.ts';
import type { BallotEvent } from './event-order.ts';
import { joinApplications } from './rivals.ts';
import { buildStatusHistory, deriveBallotStatus } from './rules.ts';

const decisions = ['received', 'incomplete', 'approved', 'refused'] as const;
const anyApplication = fc.array(
  fc.record({ decision: fc.constantFrom(...decisions), day: fc.integer({ min: 10, max: 28 }) }),
  { minLength: 1, maxLength: 4 },
);

test('an application decides as long as the office has no ballot, and nothing from then on, in any order of files', () => {
  fc.assert(
    fc.property(anyEvents, anyApplication, fc.boolean(), (events, decided, isFirst) => {
      const application = decided.map(
        ({ decision, day }, index): BallotEvent => ({
          eventId: (isFirst ? -100 : 100) + index,
          kind: 'office',
          status: `application-${decision}`,
          occurredOn: `2026-09-${day}`,
          occurredAt: null,
          recordedOn: '2026-09-28',
        }),
      );
      const alone = deriveBallotStatus(events);
      const both = deriveBallotStatus([...events, ...application]);
      const hasBallot = events.some(
        ({ kind, status }) => kind === 'office' && status !== null && status !== 'requested',
      );
      if (hasBallot) expect(both).toEqual(alone);
      else if (events.every(({ kind }) => kind === 'office'))
        expect(both.status).toBe(application.at(-1)?.status);
    }),
  );
});

test('an application is part of the way of the ballot that followed it, and stands alone before', () => {
  const application = record(
    ['application-received', '2026-09-01'],
    ['application-approved', '2026-09-03'],
  );
  const ballot = record(['sent', '2026-10-02']).map((one) => ({ ...one, eventId: 9 }));
  const of = (ballotId: number, events: readonly BallotEvent[], electionId = 7) => ({
    ballotId: ballotId as BallotId,
    electionId,
    events,
  });
  expect(joinApplications([of(1, application)])).toEqual([of(1, application)]);
  expect(joinApplications([of(1, application), of(2, ballot, 8)])).toHaveLength(2);

  const [joined, ...others] = joinApplications([
    of(1, application),
    of(2, ballot),
    of(3, ballot, 8),
  ]);
  expect(others).toEqual([of(3, ballot, 8)]);
  expect(joined?.ballotId).toBe(2);
  expect(deriveBallotStatus(joined?.events ?? []).status).toBe('sent');
  const history = buildStatusHistory(joined?.events ?? []).filter(({ isReached }) => isReached);
  expect(history.filter(({ status }) => isOfApplication(status)).map(({ when }) => when)).toEqual([
    '2026-09-01',
    '2026-09-03',
  ]);
});

test('an application that is incomplete or refused halts, and asks for the voter', () => {
  expect(deriveBallotStatus(record(['application-incomplete', '2026-09-01']))).toMatchObject({
    summary: 'halted',
    step: 0,
  });
  expect(deriveBallotStatus(record(['requested'], ['application-refused'])).status).toBe(
    'application-refused',
  );
});
