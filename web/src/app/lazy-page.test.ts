import { expect, test } from 'vitest';
import { expectMoreTexts } from '../shell/more-texts.ts';
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

test('a screen waits for the texts that the page came without, which are asked for once, and again after a failure', async () => {
  let asked = 0;
  let isThere = false;
  const stop = expectMoreTexts(async () => {
    asked += 1;
    if (asked === 1) throw new Error('No connection');
    isThere = true;
  });
  const [first, second] = [1, 2].map(() => lazyPage(async () => ({ default: () => null })));
  await expect(first?.preload()).rejects.toThrow('No connection');
  await Promise.all([first?.preload(), second?.preload()]);
  expect([asked, isThere]).toEqual([2, true]);
  stop();
  await lazyPage(async () => ({ default: () => null })).preload();
  expect(asked).toBe(2);
});
