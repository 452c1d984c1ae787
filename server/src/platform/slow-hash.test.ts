import { expect, test } from 'vitest';
import {
  hashSlowly,
  isSlowHashOf,
  readSlowHash,
  recommendedCost,
  writeSlowHash,
} from './slow-hash.ts';

test.each([
  ['of today', recommendedCost],
  ['of another time', { N: 2 ** 10, r: 4, p: 2 }],
])(
  'a secret is known again by its hash as it is stored, at the cost %s, and no other is',
  async (_when, cost) => {
    const stored = writeSlowHash(await hashSlowly('K7QM3XPD', cost));
    expect(stored).not.toContain('K7QM');
    const read = readSlowHash(stored);
    if (!read) throw new Error('The hash cannot be read.');
    expect(await isSlowHashOf('K7QM3XPD', read)).toBe(true);
    expect(await isSlowHashOf('K7QM3XPE', read)).toBe(false);
    expect(readSlowHash('plain text')).toBeUndefined();
  },
);

test('the same secret has another hash each time', async () => {
  const [one, other] = [await hashSlowly('same'), await hashSlowly('same')];
  expect(one.hash.equals(other.hash)).toBe(false);
});

test('costs what OWASP recommends: N·p of one of its five equivalent sets, with r = 8', () => {
  const sets = [
    [2 ** 17, 1],
    [2 ** 16, 2],
    [2 ** 15, 3],
    [2 ** 14, 5],
    [2 ** 13, 10],
  ];
  expect(recommendedCost.r).toBe(8);
  expect(sets).toContainEqual([recommendedCost.N, recommendedCost.p]);
});
