import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { wholeNumber } from './whole-number.ts';

test.each([
  ['1', 'must be 2 or more'],
  ['2', undefined],
  ['3', undefined],
  ['64', undefined],
  ['65', undefined],
  ['66', 'must be 65 or less'],
  ['2.5', 'must be a whole number from 2 to 65'],
  ['many', 'must be a whole number from 2 to 65'],
])('%s', (text, message) => {
  const read = z.safeParse(wholeNumber(2, 65), text);
  expect(read.error?.issues[0]?.message).toBe(message);
  if (message === undefined) expect(read.data).toBe(Number(text));
});
