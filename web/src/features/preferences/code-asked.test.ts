import { contactCodeLifetimeMs } from '@ballot-beacon/contract/messages';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { discard } from '../../shell/tab-memory.ts';
import { canTypeCode, rememberCodeAsked } from './code-asked.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  discard('codeAsked');
  vi.useRealTimers();
});

test.each([
  [contactCodeLifetimeMs - 1, true],
  [contactCodeLifetimeMs, false],
  [contactCodeLifetimeMs + 1, false],
])('%i milliseconds after a voter asked for a code it can be typed: %s', (later, canType) => {
  rememberCodeAsked(7);
  vi.setSystemTime(Date.now() + later);
  expect(canTypeCode(7)).toBe(canType);
});

test('the code is that voter’s alone, and nobody’s before it was asked for', () => {
  expect(canTypeCode(7)).toBe(false);
  rememberCodeAsked(7);
  expect([7, 70, 1].map(canTypeCode)).toEqual([true, false, false]);
});
