import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyEvents, postalDetails, record } from '../../../../testing/ballot-events.ts';
import { runs } from '../../../../testing/runs.ts';
import type { BallotEvent } from './event-order.ts';
import { buildStatusHistory, deriveBallotStatus } from './rules.ts';

describe('the Details timeline', () => {
  const shown = (events: BallotEvent[]) =>
    buildStatusHistory(events).map((step) => [step.status, step.when, step.isReached] as const);

  test('an untouched ballot shows the four steps, none reached', () => {
    expect(shown([])).toEqual([
      ['printed', null, false],
      ['sent', null, false],
      ['returned', null, false],
      ['accepted', null, false],
    ]);
  });

  test('the mail house gives the day of printing if the office has none', () => {
    const events = record(['sent', '2026-10-05'], ['print:printed', '2026-10-02']);
    expect(buildStatusHistory(events)[0]).toMatchObject({
      status: 'printed',
      kind: 'office',
      when: '2026-10-02',
    });
    const recorded = [
      ...events,
      ...record(['printed', '2026-10-03']).map((event) => ({ ...event, eventId: 9 })),
    ];
    expect(buildStatusHistory(recorded)[0]).toMatchObject({ when: '2026-10-03' });
  });

  test('a step implied by a later step is reached, without its own date', () => {
    expect(shown(record(['accepted', '2026-10-09']))).toEqual([
      ['printed', null, true],
      ['sent', null, true],
      ['returned', null, true],
      ['accepted', '2026-10-09', true],
    ]);
  });

  test('what implies a step without a date of its own stands behind it', () => {
    const orderOf = (...events: Parameters<typeof record>) =>
      shown(record(...events)).map(([status, when]) => [status, when].join(' ').trim());
    expect(orderOf(['counted', '2026-11-05'])).toEqual([
      ...['printed', 'sent', 'returned', 'accepted', 'counted 2026-11-05'],
    ]);
    expect(orderOf(['sent', '2026-10-01'], ['rejected-curable', '2026-10-09'])).toEqual([
      ...['printed', 'sent 2026-10-01', 'returned', 'rejected-curable 2026-10-09', 'accepted'],
    ]);
    expect(orderOf(['reprinted', '2026-10-05'])).toEqual([
      ...['printed', 'reprinted 2026-10-05', 'sent', 'returned', 'accepted'],
    ]);
    // The day of a reprint is the day its envelope went out.
    expect(orderOf(['reprinted', '2026-10-05'], ['returned', '2026-10-12'])).toContain(
      'sent 2026-10-05',
    );
    // A scan stands behind the mailing and before the return, whether those have a day or not.
    expect(
      orderOf(
        ['sent'],
        ['scan:in-transit', '2026-10-05'],
        ['returned'],
        ['accepted', '2026-10-20'],
      ),
    ).toEqual(['printed', 'sent', 'in-transit 2026-10-05', 'returned', 'accepted 2026-10-20']);
    // Of an envelope that came after, it says nothing.
    expect(
      orderOf(
        ['rejected', '2026-10-01'],
        ['reprinted', '2026-10-05'],
        ['sent', '2026-10-06'],
        ['accepted', '2026-10-20'],
      ),
    ).toEqual([
      ...['printed', 'rejected 2026-10-01', 'reprinted 2026-10-05', 'sent 2026-10-06'],
      ...['returned', 'accepted 2026-10-20'],
    ]);
  });

  test('events outside the standard flow are between the steps, by time', () => {
    const events = record(
      ['requested', '2026-09-01'],
      ['sent', '2026-10-01'],
      ['returned', '2026-10-09'],
      ['rejected-curable', '2026-10-09'],
      ['scan:in-transit', '2026-10-02T09:00:00Z'],
      ['scan:return-in-transit', '2026-10-06T09:00:00Z'],
      ['accepted', '2026-10-15'],
    );
    expect(shown(events).map(([status]) => status)).toEqual([
      'requested',
      'printed',
      'sent',
      'in-transit',
      'return-in-transit',
      'returned',
      'rejected-curable',
      'accepted',
    ]);
  });

  test('events without a date keep their order of receipt', () => {
    expect(shown(record(['sent'], ['rejected'], ['accepted'])).map(([status]) => status)).toEqual([
      'printed',
      'sent',
      'returned',
      'rejected',
      'accepted',
    ]);
  });

  test('a reprint opens sent and returned again and keeps the earlier history', () => {
    const events = record(
      ['printed', '2026-09-20'],
      ['sent', '2026-09-22'],
      ['undeliverable', '2026-10-01'],
      ['reprinted', '2026-10-05'],
    );
    expect(shown(events)).toEqual([
      ['printed', '2026-09-20', true],
      ['undeliverable', '2026-10-01', true],
      ['reprinted', '2026-10-05', true],
      ['sent', null, false],
      ['returned', null, false],
      ['accepted', null, false],
    ]);
  });

  test('a reversed acceptance is no longer shown as reached', () => {
    const events = record(
      ['sent', '2026-10-01'],
      ['accepted', '2026-10-12'],
      ['sent', '2026-10-01'],
    );
    expect(shown(events).at(-1)).toEqual(['accepted', null, false]);
  });

  test('a voter who voted in person does not see that an envelope came back', () => {
    expect(shown(record(['sent', '2026-10-01'], ['in-person', '2026-10-30']))).toEqual([
      ['printed', null, true],
      ['sent', '2026-10-01', true],
      ['in-person', '2026-10-30', true],
      ['returned', null, false],
      ['accepted', null, false],
    ]);
  });

  test('a voter who voted in person without an envelope sees none', () => {
    expect(
      shown(record(['in-person', '2026-10-30'])).filter(([, , isReached]) => isReached),
    ).toEqual([['in-person', '2026-10-30', true]]);
  });

  test('a line repeated day after day appears once', () => {
    const line: [string, string] = ['rejected-curable', '2026-10-09'];
    expect(shown(record(line, line, line)).filter(([s]) => s === 'rejected-curable')).toHaveLength(
      1,
    );
  });

  test('ten scans on the way are one line, with the time of the first scan', () => {
    const scans = Array.from({ length: 10 }, (_, index): [string, string] => [
      'scan:in-transit',
      `2026-10-0${2 + Math.floor(index / 4)}T0${9 - (index % 4)}:00:00Z`,
    ]);
    const events = record(['sent', '2026-10-01'], ...scans, ['scan:delivered', '2026-10-05']);
    expect(shown(events).slice(2, 4)).toEqual([
      ['in-transit', '2026-10-02T06:00:00Z', true],
      ['delivered', '2026-10-05', true],
    ]);
  });

  test('a scan with the same status is shown again after an office record', () => {
    const events = record(
      ['scan:in-transit', '2026-10-02'],
      ['undeliverable', '2026-10-06'],
      ['reprinted', '2026-10-08'],
      ['scan:in-transit', '2026-10-09'],
    );
    expect(shown(events).filter(([status]) => status === 'in-transit')).toHaveLength(2);
  });

  test('a scan replaces the estimate that it proves', () => {
    const events = record(
      ['sent', '2026-10-01'],
      ['estimate:delivered', '2026-10-04'],
      ['scan:delivered', '2026-10-05T15:00:00Z'],
    );
    const lines = buildStatusHistory(events).filter((step) => step.status === 'delivered');
    expect(lines.map(({ kind, when }) => [kind, when])).toEqual([['scan', '2026-10-05T15:00:00Z']]);
  });

  test('the timeline is the same for any order and repetition of scans', () => {
    const anyScan = fc.record({
      status: fc.constantFrom(...postalDetails),
      occurredOn: fc.constantFrom('2026-10-02', '2026-10-03', '2026-10-05'),
      hour: fc.option(fc.constantFrom('08', '11', '19')),
    });
    const anyOrders = fc
      .array(anyScan, { maxLength: 8 })
      .chain((scans) =>
        fc.tuple(
          fc.constant(scans),
          fc.shuffledSubarray([...scans, ...scans], { minLength: scans.length * 2 }),
        ),
      );
    const office = record(['sent', '2026-10-01'], ['undeliverable', '2026-10-03'], ['reprinted']);
    const withScans = (
      scans: readonly { status: BallotStatus; occurredOn: string; hour: string | null }[],
    ) => [
      ...office,
      ...scans.map(
        ({ status, occurredOn, hour }, index): BallotEvent => ({
          eventId: 10 + index,
          kind: 'scan',
          status,
          occurredOn,
          recordedOn: '2026-10-28',
          occurredAt: hour === null ? null : `${occurredOn}T${hour}:00:00Z`,
        }),
      ),
    ];
    fc.assert(
      fc.property(anyOrders, ([once, mixed]) => {
        expect(buildStatusHistory(withScans(mixed))).toEqual(buildStatusHistory(withScans(once)));
      }),
      { numRuns: runs(1000) },
    );
  });

  test('for any record it has each standard step once, in order, and dates only where reached', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const history = buildStatusHistory(events);
        const standard = history.filter((step) => step.isStandardFlow);
        expect(standard.map((step) => step.status)).toEqual([
          'printed',
          'sent',
          'returned',
          'accepted',
        ]);
        for (const step of history) if (!step.isReached) expect(step.when).toBeNull();
        const derived = deriveBallotStatus(events);
        const isShown = history.some((step) => step.status === derived.status && step.isReached);
        expect(isShown || derived.kind === null).toBe(true);
      }),
      { numRuns: runs(2000) },
    );
  });

  test('for any record the events between the steps are in order of time', () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const dated = buildStatusHistory(events.filter((event) => event.occurredOn !== null));
        const between = dated.filter((step) => !step.isStandardFlow).map((step) => step.when ?? '');
        expect(between).toEqual([...between].sort());
      }),
      { numRuns: runs(1000) },
    );
  });
});
