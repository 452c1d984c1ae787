import { expect, test } from 'vitest';
import type { StopPlan } from '../../ballots/index.ts';
import { mayBeRepeated } from '../restored/rules.ts';
import { isTooMany, writeStop } from './rules.ts';

test.each([
  [20, 0, 5, false],
  [21, 0, 5, true],
  [20, 100, 5, false],
  [21, 420, 5, false],
  [21, 400, 5, true],
  [22, 420, 5, true],
  [50, 1_000, 5, false],
  [51, 1_000, 5, true],
  [21, 10_000, 0, true],
])('%i stops of %i envelopes are too many at %i%%: %s', (stopped, inMail, percent, expected) => {
  expect(isTooMany(stopped, inMail, percent)).toBe(expected);
});

const plan = (more: Partial<StopPlan>) =>
  ({ advice: 'act', known: 'k', way: 'w', replacementUntil: null, ...more }) as StopPlan;

test('a voter is written to where there is something to do', () => {
  expect(writeStop(plan({}))).toEqual({ known: 'k', steps: [{ text: 'w', day: null }] });
  expect(writeStop(plan({ replacementUntil: '2026-10-30' }))?.steps).toEqual([
    { text: 'w', day: null },
    { text: 'stopped.do.replacement', day: '2026-10-30' },
  ]);
  expect(writeStop(plan({ advice: 'wait', replacementUntil: '2026-10-30' }))?.steps).toEqual([
    { text: 'stopped.do.replacement', day: '2026-10-30' },
  ]);
  expect(writeStop(plan({ advice: 'wait' }))).toBeNull();
});

test.each([
  ['status', true],
  ['catch-up', true],
  ['correction', true],
  ['news-waiting', true],
  ['fix-reminder', true],
  ['welcome', false],
  ['opt-in', false],
  ['contact-code', false],
  ['change', false],
  ['stopped', false],
] as const)('after a restore a message of kind %s may be the second: %s', (kind, expected) => {
  expect(mayBeRepeated(kind)).toBe(expected);
});
