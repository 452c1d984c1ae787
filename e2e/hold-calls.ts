import type { Page, Route } from '@playwright/test';

/**
 * Lets calls of this address wait, for what a person does meanwhile.
 *
 * @param answer by default the server's own
 * @returns lets them through, until the page has drawn what came of the first
 */
export async function holdCalls(
  page: Page,
  address: string,
  answer: (route: Route) => Promise<void> = (route) => route.continue(),
): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await answer(route);
  });
  return async () => {
    const answered = page.waitForResponse(address);
    release();
    await (await answered).finished();
    await page.evaluate(async () => {
      for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    });
  };
}
