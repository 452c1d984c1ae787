import { expect, test } from 'vitest';
import { tabOfKey } from './tab-keys.ts';

test.each([
  ['ArrowRight', 0, 1],
  ['ArrowRight', 1, 2],
  ['ArrowRight', 2, 0],
  ['ArrowLeft', 2, 1],
  ['ArrowLeft', 0, 2],
  ['Home', 2, 0],
  ['Home', 0, null],
  ['End', 0, 2],
  ['End', 2, null],
  ['Tab', 1, null],
  ['Enter', 1, null],
])('%s leads from place %i of three to %j', (key, at, to) => {
  expect(tabOfKey(key, { at, count: 3, isRightToLeft: false })).toBe(to);
});

test.each([
  ['ArrowLeft', 0, 1],
  ['ArrowRight', 0, 2],
  ['Home', 2, 0],
])('from right to left, %s leads from place %i of three to %i', (key, at, to) => {
  expect(tabOfKey(key, { at, count: 3, isRightToLeft: true })).toBe(to);
});

test('without a tab that has the focus no key leads anywhere', () => {
  expect(tabOfKey('ArrowRight', { at: -1, count: 2, isRightToLeft: false })).toBeNull();
});
