import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What the browser keeps of a voter: its caches and its workers. */
export const readKept = (page: Page) =>
  page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

/** How many documents are in its caches. Not while they may go: to open a cache that has just gone makes it anew. */
const countDocuments = (page: Page) =>
  page.evaluate(async () => {
    const open = (await caches.keys()).map((name) => caches.open(name));
    const documents = (await Promise.all(open)).map((cache) => cache.keys());
    return (await Promise.all(documents)).flat().length;
  });

/** Chooses to be remembered, and waits until the browser has it all. */
export async function remember(page: Page): Promise<void> {
  await page.locator('.remember').getByRole('checkbox').check();
  await expect.poll(() => readKept(page)).toEqual({ caches: ['beacon-kept-status'], workers: 1 });
  await expect.poll(() => countDocuments(page)).toBe(1);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}
