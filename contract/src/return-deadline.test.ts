import { expect, test } from 'vitest';
import { formatsFor } from './formats.ts';
import { isTooLateToReturn, lastToSend } from './return-deadline.ts';

const isTooLate = (time: string | null, at: string) =>
  isTooLateToReturn(
    { date: '2026-11-03', time },
    new Date(at),
    formatsFor('english', 'America/New_York'),
  );

test.each([
  ['19:00', '2026-11-03T05:00:00Z', false],
  ['19:00', '2026-11-03T05:59:59Z', false],
  ['19:00', '2026-11-03T23:59:59Z', false],
  ['19:00', '2026-11-04T00:00:00Z', true],
  [null, '2026-11-04T04:59:59Z', false],
  [null, '2026-11-04T05:00:00Z', true],
])(
  'where ballots must be back on November 3 by %j, at %s it is too late: %s',
  (time, at, isLate) => {
    expect(isTooLate(time, at)).toBe(isLate);
  },
);

test.each([
  [
    { date: '2026-11-02', time: '17:00' },
    { date: '2026-11-02', time: '17:00' },
  ],
  [
    { date: '2026-11-03', time: '19:00' },
    { date: '2026-11-03', time: '19:00' },
  ],
  [
    { date: '2026-11-04', time: '19:00' },
    { date: '2026-11-03', time: null },
  ],
  [null, { date: '2026-11-03', time: null }],
])('with the deadline %j and Election Day on November 3, ballots leave by %j', (deadline, last) => {
  expect(lastToSend(deadline, '2026-11-03')).toEqual(last);
});
