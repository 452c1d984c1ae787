import type { Page } from '@playwright/test';
import { expect } from './fixtures.ts';

/** What the browser keeps of a voter: its caches, the documents in them, and its workers. */
export const readKept = (page: Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const documents = names.map(async (name) => (await (await caches.open(name)).keys()).length);
    return {
      caches: names,
      documents: (await Promise.all(documents)).reduce((sum, count) => sum + count, 0),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    };
  });

/** Chooses to be remembered, and waits until the browser has it all. */
export async function remember(page: Page): Promise<void> {
  await page.locator('.remember').getByRole('checkbox').check();
  await expect
    .poll(() => readKept(page))
    .toEqual({ caches: ['beacon-kept-status'], documents: 1, workers: 1 });
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
}
