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

/**
 * Lets no request of this pattern through until the page is loaded anew. A try in between fails in every browser: since
 * version 156 Chromium fetches a script again whose import failed, and earlier ones do not.
 */
export async function abortUntilReload(page: Page, pattern: string): Promise<void> {
  let isLoadedAnew = false;
  page.on('request', (request) => {
    isLoadedAnew ||= request.isNavigationRequest() && request.frame() === page.mainFrame();
  });
  await page.route(pattern, (route) => (isLoadedAnew ? route.continue() : route.abort()));
}
