import { expect, test } from 'vitest';
import { lazyPage } from './lazy-page.tsx';

test('a script that could not be fetched is asked for again, and a script that is there is not', async () => {
  let asked = 0;
  const page = lazyPage(async () => {
    asked += 1;
    if (asked === 1) throw new Error('No connection');
    return { default: () => null };
  });
  await expect(page.preload()).rejects.toThrow('No connection');
  await page.preload();
  await page.preload();
  expect(asked).toBe(2);
});
