import { expect, test } from 'vitest';
import { isNearlyFull } from './disk.ts';

const bsize = 4096;
const gigabyte = 1024 ** 3 / bsize;

test.each([
  ['a tenth of a large disk', 500, 50],
  ['2 GB of a small disk', 8, 2],
])('a disk is nearly full with less than %s', (_what, size, least) => {
  const room = (bavail: number) => ({ blocks: size * gigabyte, bavail, bsize });
  expect(isNearlyFull(room(least * gigabyte - 1))).toBe(true);
  expect(isNearlyFull(room(least * gigabyte))).toBe(false);
});
