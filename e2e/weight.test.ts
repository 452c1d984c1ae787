import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

/**
 * What a browser fetches by itself, in kB (1000 bytes) as it comes compressed: also the parts that come after the first
 * paint. web/budgets.test.ts reads the same budgets from the build.
 */
const budgets = { loginScript: 85, loginFirstLoad: 120, dashboardScript: 125 };

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the sign-in page, with all that it fetches by itself', once, async ({ page }) => {
  const weigh = weighAll(page);
  const isQuiet = lastCall(page);
  await open(page, '/voter');
  await isQuiet;
  const weights = await weigh();
  expect(weights.some(({ url }) => url.includes('/assets/flag-feed-'))).toBe(true);
  expect(kilobytesOf(weights.filter(isScript))).toBeLessThan(budgets.loginScript);
  expect(kilobytesOf(weights)).toBeLessThan(budgets.loginFirstLoad);
});

test('the dashboard, with all that it fetches by itself', once, async ({ page, baseURL }) => {
  const weigh = weighAll(page);
  const isQuiet = lastCall(page);
  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await isQuiet;
  await page.locator('.remember').waitFor();
  const weights = await weigh();
  expect(weights.some(({ url }) => url.includes('/assets/kept-page-'))).toBe(true);
  expect(kilobytesOf(weights.filter(isScript))).toBeLessThan(budgets.dashboardScript);
});

interface Weight {
  readonly url: string;
  readonly type: string;
  readonly bytes: number;
}

/** Begins to note what the page fetches. @returns what weighs it */
function weighAll(page: Page): () => Promise<Weight[]> {
  const weighed: Promise<Weight>[] = [];
  page.on('requestfinished', (request) => {
    const type = request.resourceType();
    if (type === 'eventsource') return;
    weighed.push(
      request.sizes().then(({ responseBodySize: bytes }) => ({ url: request.url(), type, bytes })),
    );
  });
  return () => Promise.all(weighed);
}

/** The flags are asked for a while after the first paint, and nothing comes by itself after them. */
const lastCall = (page: Page) =>
  page
    .waitForResponse((response) => response.url().includes('/ofrep/'))
    .then((response) => response.finished());

const isScript = ({ type }: Weight) => type === 'script';

const kilobytesOf = (weights: readonly Weight[]) =>
  weights.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
