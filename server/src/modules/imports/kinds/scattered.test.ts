import { expect, test } from 'vitest';
import { areScattered } from './scattered.ts';

test.each([
  ['a batch is corrected in one of five ways', 50, 5, 300, false],
  ['days go in six ways', 50, 6, 300, true],
  ['a clerk corrects ten', 10, 10, 300, false],
  ['eleven change', 11, 11, 300, true],
  ['eleven of a list of 2,200 change', 11, 11, 2_200, false],
  ['one of 200 changes', 20, 20, 4_000, false],
  ['more than one of 200 change', 21, 20, 4_000, true],
])('%s: %i rows in %i ways, of %i listed', (_what, changed, ways, listed, expected) => {
  expect(areScattered(changed, ways, listed)).toBe(expected);
});
