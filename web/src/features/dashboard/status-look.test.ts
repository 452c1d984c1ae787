import { ballotStatuses } from '@ballot-beacon/contract/statuses';
import { describe, expect, it } from 'vitest';
import { iconOfStatus, lookOfPastBallot, lookOfProgress, lookOfStep } from './status-look.ts';

const step = (status: string, is_standard_flow = false, is_reached = true) =>
  lookOfStep({ status, is_standard_flow, is_reached });
const progress = (current: string, status: string) =>
  lookOfProgress({ status, current_status: { status: current } });

describe('how a ballot’s status looks', () => {
  it('shows a step of the standard flow as done once reached, and as open before', () => {
    for (const status of ['printed', 'sent', 'returned', 'accepted']) {
      expect(step(status, true)).toBe('completed');
      expect(step(status, true, false)).toBe('incomplete');
    }
  });

  it('shows what can be cured as caution and a reprint as done', () => {
    expect(step('rejected-curable')).toBe('caution');
    expect(step('application-incomplete')).toBe('caution');
    expect(step('reprinted')).toBe('completed');
  });

  it('shows a stop sign at what halts a ballot, and at nothing else', () => {
    const halting = ballotStatuses.filter((status) => step(status) === 'halted');
    expect(halting).toEqual([
      'application-refused',
      'rejected',
      'not-counted',
      'undeliverable',
      'cancelled',
    ]);
  });

  it('colors the card by its summary, with caution for a reprint and for a curable problem', () => {
    expect(progress('accepted', 'complete')).toBe('complete');
    expect(progress('rejected', 'halted')).toBe('halted');
    expect(progress('rejected-curable', 'halted')).toBe('caution');
    expect(progress('reprinted', 'in-progress')).toBe('caution');
    expect(progress('sent', 'in-progress')).toBe('progress');
  });

  it('shows a past ballot as accepted, rejected, or neither', () => {
    expect(ballotStatuses.filter((status) => lookOfPastBallot(status) === 'accepted')).toEqual([
      'accepted',
      'counted',
      'in-person',
    ]);
    expect(ballotStatuses.filter((status) => lookOfPastBallot(status) === 'rejected')).toEqual([
      'application-refused',
      'rejected',
      'not-counted',
      'undeliverable',
    ]);
    const others = ballotStatuses.filter(
      (status) => !['accepted', 'rejected'].includes(lookOfPastBallot(status)),
    );
    expect(new Set(others.map(lookOfPastBallot))).toEqual(new Set(['incomplete']));
  });

  it('has an icon for every status, so that none is known by its color alone', () => {
    const byIcon = Object.groupBy(ballotStatuses, iconOfStatus);
    expect(byIcon).toEqual({
      check: ['application-approved'],
      clock: ['application-received', 'requested'],
      printer: ['printed', 'reprinted'],
      sent: ['sent', 'in-transit'],
      returned: ['returned', 'return-in-transit'],
      ballotBox: ['accepted', 'counted', 'in-person'],
      stop: ['application-refused', 'rejected', 'not-counted', 'undeliverable', 'cancelled'],
      caution: ['application-incomplete', 'rejected-curable'],
      envelope: ['delivered'],
    });
    expect(iconOfStatus('a status of tomorrow')).toBe('envelope');
  });
});
