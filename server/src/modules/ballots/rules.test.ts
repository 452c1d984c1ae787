import { type BallotStatus, ballotStatuses, statuses } from '@ballot-beacon/contract/statuses';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anyEvent,
  anyEvents,
  officeStatuses,
  postalDetails,
  record,
} from '../../../../testing/ballot-events.ts';
import { runs } from '../../../../testing/runs.ts';
import type { BallotEvent } from './event-order.ts';
import { deriveBallotStatus } from './rules.ts';

const withoutEventId = (derived: ReturnType<typeof deriveBallotStatus>) => ({
  ...derived,
  eventId: null,
});

describe('the current status', () => {
  test('a ballot without any known status is requested, step 0 of 4', () => {
    expect(deriveBallotStatus([])).toEqual({
      status: 'requested',
      kind: null,
      eventId: null,
      step: 0,
      summary: 'in-progress',
      when: null,
    });
  });

  test.each([
    ['requested', 0, 'in-progress'],
    ['printed', 1, 'in-progress'],
    ['sent', 2, 'in-progress'],
    ['returned', 3, 'in-progress'],
    ['accepted', 4, 'complete'],
    ['in-person', 4, 'complete'],
    ['rejected', 3, 'halted'],
    ['rejected-curable', 3, 'halted'],
    ['undeliverable', 2, 'halted'],
    ['cancelled', 0, 'halted'],
    ['reprinted', 1, 'in-progress'],
  ] as const)('an office record %s is at step %i and is %s', (status, step, summary) => {
    expect(deriveBallotStatus(record([status, '2026-10-01']))).toMatchObject({
      status,
      step,
      summary,
      when: '2026-10-01',
      kind: 'office',
    });
  });

  test('of two office records the later received decides, whatever their dates', () => {
    for (const earlier of officeStatuses) {
      for (const later of officeStatuses) {
        const events = record([earlier, '2026-10-20'], [later, '2026-10-01']);
        expect(deriveBallotStatus(events).status, `${earlier} then ${later}`).toBe(later);
      }
    }
  });

  test('a court may reverse an acceptance: the ballot is open again', () => {
    const events = record(['sent', '2026-10-01'], ['accepted', '2026-10-12'], ['sent', null]);
    expect(deriveBallotStatus(events)).toMatchObject({
      status: 'sent',
      step: 2,
      summary: 'in-progress',
      when: '2026-10-01',
    });
  });

  test('after an acceptance was taken back, scans of before it say nothing', () => {
    const events = record(
      ['sent', '2026-10-01'],
      ['accepted', '2026-10-12'],
      ['sent', null],
      ['scan:delivered', '2026-10-05'],
    );
    expect(deriveBallotStatus(events).status).toBe('sent');
  });

  test('of two days that the office gave one status the later record’s counts, also once a record has none', () => {
    const corrected: Parameters<typeof record> = [
      ['sent', '2026-10-05'],
      ['sent', '2026-10-02'],
    ];
    for (const events of [record(...corrected), record(...corrected, ['sent', null])])
      expect(deriveBallotStatus(events)).toMatchObject({ status: 'sent', when: '2026-10-02' });
  });

  test('a refused ballot that the voter cured is accepted', () => {
    const events = record(['sent'], ['rejected-curable'], ['accepted', '2026-10-20']);
    expect(deriveBallotStatus(events)).toMatchObject({ status: 'accepted', summary: 'complete' });
  });

  test('an unknown value leaves the last known status', () => {
    const events = record(['sent', '2026-10-01'], [null, '2026-10-05']);
    expect(deriveBallotStatus(events)).toMatchObject({ status: 'sent', eventId: 1 });
    expect(deriveBallotStatus(record([null])).status).toBe('requested');
  });

  test('a halt keeps the step that the envelope had reached', () => {
    expect(deriveBallotStatus(record(['returned'], ['cancelled'])).step).toBe(3);
    expect(deriveBallotStatus(record(['returned'], ['undeliverable'])).step).toBe(3);
  });
});

describe('the post office', () => {
  test.each(postalDetails)('a scan %s refines a sent ballot and leaves its step', (status) => {
    const events = record(['sent', '2026-10-01'], [`scan:${status}`, '2026-10-02T15:00:00Z']);
    expect(deriveBallotStatus(events)).toMatchObject({
      status,
      step: 2,
      summary: 'in-progress',
      kind: 'scan',
      when: '2026-10-02T15:00:00Z',
    });
  });

  test('a scan changes nothing after the office has the envelope or has decided', () => {
    for (const verdict of officeStatuses) {
      if ((statuses[verdict].step ?? 3) < 3) continue;
      for (const detail of ballotStatuses) {
        const events = record([verdict, '2026-10-01'], [`scan:${detail}`, '2026-10-02']);
        expect(deriveBallotStatus(events).status, `${verdict}, scan ${detail}`).toBe(verdict);
      }
    }
  });

  test('a scan of the very day on which the office sent the ballot counts, and one of the day before does not', () => {
    const scanned = (day: string) =>
      deriveBallotStatus(record(['sent', '2026-10-05'], ['scan:in-transit', day])).status;
    expect(scanned('2026-10-05T18:00:00Z')).toBe('in-transit');
    expect(scanned('2026-10-04T18:00:00Z')).toBe('sent');
  });

  test('a scan that claims receipt, a verdict or a stop is ignored', () => {
    for (const claim of ballotStatuses) {
      if ((statuses[claim].step ?? 9) <= 2 || statuses[claim].effect === 'detail') continue;
      const events = record(['sent', '2026-10-01'], [`scan:${claim}`, '2026-10-02']);
      expect(deriveBallotStatus(events).status, claim).toBe('sent');
    }
  });

  test('the mail house’s printing record counts while the office’s status is requested, and never undoes an office record', () => {
    const printed = { status: 'printed', kind: 'office', step: 1 };
    const requested = ['requested', '2026-10-05'] as const;
    expect(
      deriveBallotStatus(record([...requested], ['print:printed', '2026-10-03'])),
    ).toMatchObject({ ...printed, when: '2026-10-03' });
    expect(deriveBallotStatus(record(['print:printed'], [...requested]))).toMatchObject({
      ...printed,
      when: null,
    });
    for (const status of officeStatuses.filter((one) => one !== 'requested')) {
      const of = record([status, '2026-10-05'], ['print:printed', '2026-10-06']);
      expect(deriveBallotStatus(of).status).toBe(status);
    }
    // A ballot that came back and was requested again is not the envelope that was printed before.
    const again = record(
      ['print:printed', '2026-10-01'],
      ['undeliverable', '2026-10-08'],
      ['requested', '2026-10-09'],
    );
    expect(deriveBallotStatus(again).status).toBe('requested');
    expect(
      deriveBallotStatus([
        ...again,
        ...record(['print:printed', '2026-10-10']).map((event) => ({ ...event, eventId: 9 })),
      ]),
    ).toMatchObject({ ...printed, when: '2026-10-10' });
  });

  test('a first outbound scan moves a printed ballot to sent', () => {
    const events = record(['printed', '2026-10-01'], ['scan:sent', '2026-10-02']);
    expect(deriveBallotStatus(events)).toMatchObject({ status: 'sent', step: 2, kind: 'scan' });
  });

  test.each(postalDetails)('a ballot with a scan, %s, was sent', (status) => {
    for (const recorded of ['requested', 'printed', 'reprinted'] as const) {
      const events = record([recorded, '2026-10-01'], [`scan:${status}`, '2026-10-02']);
      expect(deriveBallotStatus(events), recorded).toMatchObject({ status, step: 2 });
      const guess = record([recorded, '2026-10-01'], [`estimate:${status}`, '2026-10-02']);
      expect(deriveBallotStatus(guess).step, recorded).toBe(statuses[recorded].step);
    }
  });

  test('a status has the time of the first scan that showed it', () => {
    const events = record(
      ['sent', '2026-10-01'],
      ['scan:in-transit', '2026-10-05T08:00:00Z'],
      ['scan:in-transit', '2026-10-03T09:00:00Z'],
      ['scan:in-transit', '2026-10-04T10:00:00Z'],
    );
    expect(deriveBallotStatus(events).when).toBe('2026-10-03T09:00:00Z');
  });

  test('an estimate for a day applies to its end: it outranks the scans of that day', () => {
    const sent: [string, string] = ['sent', '2026-10-01'];
    const scan: [string, string] = ['scan:in-transit', '2026-10-04T10:00:00Z'];
    const events = record(sent, scan, ['estimate:delivered', '2026-10-04']);
    expect(deriveBallotStatus(events)).toMatchObject({ status: 'delivered', when: '2026-10-04' });
    const next = record(
      sent,
      ['scan:in-transit', '2026-10-05'],
      ['estimate:delivered', '2026-10-04'],
    );
    expect(deriveBallotStatus(next).status).toBe('in-transit');
  });

  test('scans of the first envelope say nothing about its replacement', () => {
    const events = record(
      ['sent', '2026-10-01'],
      ['reprinted', '2026-10-10'],
      ['scan:delivered', '2026-10-05'],
    );
    expect(deriveBallotStatus(events)).toMatchObject({ status: 'reprinted', step: 1 });
    const undated = record(['sent', '2026-10-01'], ['reprinted'], ['scan:delivered', '2026-10-05']);
    expect(deriveBallotStatus(undated).status).toBe('reprinted');
  });

  test('a scan outranks an estimate, unless the estimate is for a later time', () => {
    const sent: [string, string] = ['sent', '2026-10-01'];
    const scan: [string, string] = ['scan:in-transit', '2026-10-04'];
    const before = record(sent, scan, ['estimate:delivered', '2026-10-03']);
    const after = record(sent, scan, ['estimate:delivered', '2026-10-05']);
    expect(deriveBallotStatus(before).status).toBe('in-transit');
    expect(deriveBallotStatus(after)).toMatchObject({ status: 'delivered', kind: 'estimate' });
  });

  test('the order in which scans arrive makes no difference', () => {
    const shuffled = anyEvents.chain((events) => {
      const office = events.filter((event) => event.kind === 'office');
      const post = events.filter((event) => event.kind !== 'office');
      return fc
        .tuple(
          fc.shuffledSubarray(post, { minLength: post.length }),
          fc.array(fc.nat(), { minLength: post.length, maxLength: post.length }),
        )
        .map(([mixed, places]) => {
          const merged = [...office];
          mixed.forEach((event, index) => {
            merged.splice((places[index] ?? 0) % (merged.length + 1), 0, event);
          });
          return {
            events,
            merged: merged.map((event, index) => ({ ...event, eventId: index + 1 })),
          };
        });
    });
    fc.assert(
      fc.property(shuffled, ({ events, merged }) => {
        expect(withoutEventId(deriveBallotStatus(merged))).toEqual(
          withoutEventId(deriveBallotStatus(events)),
        );
      }),
      { numRuns: runs(2000) },
    );
  });

  test('of instants only the day and their order count', () => {
    const hour = fc.option(fc.nat(23));
    const timed = fc.array(fc.tuple(anyEvent, hour), { maxLength: 12 }).map((lines) =>
      lines.map(([event, time], index): BallotEvent => {
        const occurredAt =
          event.occurredOn && time !== null
            ? `${event.occurredOn}T${String(time).padStart(2, '0')}:15:00.000Z`
            : null;
        const kind = event.kind as BallotEvent['kind'];
        return { ...event, kind, occurredAt, eventId: index + 1, recordedOn: '2026-10-28' };
      }),
    );
    fc.assert(
      fc.property(timed, (events) => {
        const instants = [...new Set(events.map(({ occurredAt }) => occurredAt ?? ''))].sort();
        const placed = events.map((event) => ({
          ...event,
          occurredAt:
            event.occurredAt && new Date(instants.indexOf(event.occurredAt)).toISOString(),
        }));
        const [{ when: _, ...recorded }, { when: __, ...recordedByPlaces }] = [
          deriveBallotStatus(events),
          deriveBallotStatus(placed),
        ];
        expect(recordedByPlaces).toEqual(recorded);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('no scan ever moves a ballot backwards or decides how it ends', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const office = deriveBallotStatus(events.filter((event) => event.kind === 'office'));
        const all = deriveBallotStatus(events);
        expect(all.summary).toBe(office.summary);
        expect(all.step).toBeGreaterThanOrEqual(office.step);
        if (all.step !== office.step) expect(all.step).toBeLessThanOrEqual(statuses.sent.step);
        if (office.step > statuses.sent.step) expect(all).toEqual(office);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('one more scan never undoes what earlier scans showed', () => {
    const rank = (status: BallotStatus) =>
      ['in-transit', 'delivered', 'return-in-transit'].indexOf(status);
    fc.assert(
      fc.property(anyEvents, anyEvent, (events, extra) => {
        const known = events.filter((event) => event.kind !== 'estimate');
        const scan: BallotEvent = {
          ...extra,
          kind: 'scan',
          eventId: events.length + 1,
          occurredAt: null,
          recordedOn: '2026-10-28',
        };
        const before = deriveBallotStatus(known);
        const after = deriveBallotStatus([...known, scan]);
        expect(after.step).toBeGreaterThanOrEqual(before.step);
        expect(rank(after.status)).toBeGreaterThanOrEqual(rank(before.status));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('the office', () => {
  test('only its last known record decides among its own records', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const office = events.filter((event) => event.kind === 'office');
        const last = office.findLast((event) => event.status !== null);
        expect(deriveBallotStatus(office).status).toBe(last?.status ?? 'requested');
      }),
    );
  });

  test('can undo anything: a later record decides, whatever came before', () => {
    fc.assert(
      fc.property(anyEvents, fc.constantFrom(...officeStatuses), (events, status) => {
        const reversal: BallotEvent = {
          eventId: events.length + 1,
          kind: 'office',
          status,
          // After every scan of the run, so that no scan can refine it.
          occurredOn: '2026-10-29',
          occurredAt: null,
          recordedOn: '2026-10-29',
        };
        expect(deriveBallotStatus([...events, reversal])).toMatchObject({
          status,
          kind: 'office',
          eventId: reversal.eventId,
        });
      }),
    );
  });
});
