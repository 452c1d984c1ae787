import { expect, test } from 'vitest';
import { resultOf } from './results.ts';
import type { ClaimedMessage } from './store.ts';

const now = new Date('2026-10-05T15:00:00Z');
const claimed = (attempts: number) =>
  ({ message_id: 7, claimed_at: now, attempts }) as ClaimedMessage;
const waitMs = (attempts: number, hasOtherProvider: boolean): number => {
  const { deliverAfter } = resultOf(
    claimed(attempts),
    { kind: 'retryable', code: '503' },
    now,
    hasOtherProvider,
  );
  return (deliverAfter?.getTime() ?? Number.NaN) - now.getTime();
};

test.each([
  ['soon where another provider is at hand', 1, true, 3_000, 3_000],
  ['soon up to the sixth attempt', 6, true, 3_000, 3_000],
  ['later from the seventh on, since both fail', 7, true, 480_000, 1_440_000],
  ['later each time where there is no other', 1, false, 7_500, 22_500],
  ['later each time where there is no other', 6, false, 240_000, 720_000],
])(
  'a message that failed for now is tried again %s: attempt %i',
  (_, attempts, other, least, most) => {
    const wait = waitMs(attempts, other);
    expect(wait).toBeGreaterThanOrEqual(least);
    expect(wait).toBeLessThanOrEqual(most);
  },
);
