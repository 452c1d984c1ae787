import type { Page } from '@playwright/test';

/** Keeps the page without its script, however fast the machine. @returns lets the script come */
export async function holdScript(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route('**/voter/assets/**', async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
