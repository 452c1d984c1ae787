import type { Clock } from '../server/src/platform/clock.ts';

export interface TestClock extends Clock {
  set(instant: string): void;
  advance(milliseconds: number): void;
}

/** A clock that stands still until the test turns it. */
export function createTestClock(instant = '2026-11-21T15:00:00Z'): TestClock {
  let now = new Date(instant).getTime();
  return {
    now: () => new Date(now),
    set: (next) => {
      now = new Date(next).getTime();
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
