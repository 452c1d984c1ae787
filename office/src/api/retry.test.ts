import { expect, test } from 'vitest';
import { CallError } from './client.ts';
import { isWorthAnotherTry } from './retry.ts';

test.each([
  [0, new CallError('No answer', 0), true],
  [1, new CallError('No answer', 0), true],
  [2, new CallError('No answer', 0), false],
  [0, new CallError('Not allowed', 403), false],
  [0, new CallError('Broken', 500), false],
  [0, new Error('A bug'), false],
])('after %i more tries, %s is worth another: %s', (count, error, isWorthIt) => {
  expect(isWorthAnotherTry(count, error)).toBe(isWorthIt);
});
