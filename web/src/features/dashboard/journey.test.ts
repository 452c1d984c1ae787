import type { Ballot, StatusHistoryStep } from '@ballot-beacon/contract/ballot-status-progress';
import { describe, expect, it } from 'vitest';
import { planJourney } from './journey.tsx';
import { addDays } from './when.tsx';

describe('the way of a ballot', () => {
  it('is printed, sent, returned, accepted, and shows where the ballot is', () => {
    expect(wayOf('sent', 'in-progress', flow(2))).toEqual([
      'printed completed',
      'sent completed, here',
      'returned incomplete',
      'accepted incomplete',
    ]);
  });

  it('shows what halted a ballot in its place', () => {
    const history = [...flow(2).slice(0, 2), event('undeliverable'), ...flow(2).slice(2)];
    expect(wayOf('undeliverable', 'halted', history)).toEqual([
      'printed completed',
      'sent completed',
      'undeliverable halted, here',
      'returned incomplete',
      'accepted incomplete',
    ]);
  });

  it('has nothing to come once an application was denied', () => {
    const history = [event('application-refused'), ...flow(0)];
    expect(wayOf('application-refused', 'halted', history)).toEqual([
      'application-refused halted, here',
    ]);
  });

  it('leaves a halt that was put right to the details', () => {
    const history = [...flow(4).slice(0, 3), event('rejected-curable'), ...flow(4).slice(3)];
    expect(wayOf('accepted', 'complete', history)).toEqual([
      'printed completed',
      'sent completed',
      'returned completed',
      'accepted completed, here',
    ]);
  });

  it('stands where USPS saw the envelope last: once, between sent and returned', () => {
    for (const status of ['in-transit', 'delivered', 'return-in-transit']) {
      const scans = [event('in-transit'), event('return-in-transit'), event(status)];
      const history = [...flow(2).slice(0, 2), ...scans, ...flow(2).slice(2)];
      expect(wayOf(status, 'in-progress', history)).toEqual([
        'printed completed',
        'sent completed',
        `${status} completed, here`,
        'returned incomplete',
        'accepted incomplete',
      ]);
    }
  });

  it('has the day of the last of several scans of one kind', () => {
    const scans = ['2026-10-05', '2026-10-07'].map((datetime) => ({
      ...event('in-transit'),
      datetime,
    }));
    const ballot = ballotOf('in-transit', 'in-progress', [
      ...flow(2).slice(0, 2),
      ...scans,
      ...flow(2).slice(2),
    ]);
    const stops = planJourney(ballot).filter(({ step }) => step.status === 'in-transit');
    expect(stops.map(({ step }) => step.datetime)).toEqual(['2026-10-07']);
  });

  it('leaves scans of the post office to the details once the office has the ballot', () => {
    const history = [...flow(3).slice(0, 2), event('in-transit'), ...flow(3).slice(2)];
    expect(wayOf('returned', 'in-progress', history)).toEqual([
      'printed completed',
      'sent completed',
      'returned completed, here',
      'accepted incomplete',
    ]);
  });

  it('ends with a vote in person, a cancelled ballot or a final rejection: nothing more is to come', () => {
    for (const [status, summary, look] of [
      ['in-person', 'complete', 'completed'],
      ['cancelled', 'halted', 'halted'],
      ['rejected', 'halted', 'halted'],
      ['not-counted', 'halted', 'halted'],
      ['application-refused', 'halted', 'halted'],
    ] as const) {
      const history = [...flow(2).slice(0, 2), event(status), ...flow(2).slice(2)];
      expect(wayOf(status, summary, history)).toEqual([
        'printed completed',
        'sent completed',
        `${status} ${look}, here`,
      ]);
    }
  });

  it('stands nowhere before the ballot is printed', () => {
    expect(wayOf('sent', 'in-progress', flow(0)).some((stop) => stop.endsWith('here'))).toBe(false);
  });
});

describe('the expected days', () => {
  it('are counted on the calendar for a day, also over the end of a month and a change of the clocks', () => {
    expect(addDays('2026-10-31', 2)).toBe('2026-11-02');
  });

  it('keep the time of a timestamp', () => {
    expect(addDays('2026-10-31T22:15:00.000Z', 2)).toBe('2026-11-02T22:15:00.000Z');
  });
});

function ballotOf(
  current: string,
  status: Ballot['status_summary']['status'],
  history: StatusHistoryStep[],
): Ballot {
  return {
    status_summary: { status, current_status: { status: current } },
    status_history: history,
  } as Ballot;
}

function wayOf(...of: Parameters<typeof ballotOf>) {
  return planJourney(ballotOf(...of)).map(
    ({ step, look, isCurrent }) => `${step.status} ${look}${isCurrent ? ', here' : ''}`,
  );
}

function flow(reached: number): StatusHistoryStep[] {
  return ['printed', 'sent', 'returned', 'accepted'].map((status, index) =>
    event(status, true, index < reached),
  );
}

function event(status: string, is_standard_flow = false, is_reached = true): StatusHistoryStep {
  return {
    status,
    display_name: status,
    display_description: '',
    datetime: null,
    is_standard_flow,
    is_reached,
    kind: null,
  };
}
