import { expect, test } from 'vitest';
import { hashSlowly, isSlowHashOf } from './slow-hash.ts';

test('a token is known again by its hash, and no other is', async () => {
  const hash = await hashSlowly('K7QM-3XPD');
  expect(hash).not.toContain('K7QM');
  expect(await isSlowHashOf('K7QM-3XPD', hash)).toBe(true);
  expect(await isSlowHashOf('K7QM-3XPE', hash)).toBe(false);
  expect(await isSlowHashOf('K7QM-3XPD', 'plain text')).toBe(false);
});

test('two voters with the same token have different hashes', async () => {
  expect(await hashSlowly('same')).not.toBe(await hashSlowly('same'));
});
