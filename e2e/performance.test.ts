import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, open } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('a visitor finds how the office is doing below its answers, and the same as data', async ({
  page,
}) => {
  await open(page, '/voter/faq');
  await page.getByRole('link', { name: 'How we are doing' }).click();
  await expect(page).toHaveURL(/\/voter\/performance$/);
  await expect(page.getByRole('heading', { level: 1, name: 'How we are doing' })).toBeVisible();
  await expect(page).toHaveTitle(/^How we are doing/);
  const rows = page.getByRole('rowheader');
  await expect(rows).toContainText(['Messages due', 'Passed to the email']);
  await expect(page.getByText('Last 90 days').first()).toBeAttached();
  await expectNoBarriers(page);
  const answer = await page.request.get('/api/voter/performance');
  const { periods } = (await answer.json()) as { periods: { days: number }[] };
  expect(periods.map(({ days }) => days)).toEqual([7, 90]);
  const data = page.getByRole('link', { name: 'These figures as data (JSON)' });
  await expect(data).toHaveAttribute('href', '/api/voter/performance');
});

test(
  'figures that cannot be fetched are asked for again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/Failed to load resource|status of 500/);
    await page.route('**/api/voter/performance', (route) => route.abort());
    await open(page, '/voter/performance');
    const again = page.getByRole('alert').getByRole('button');
    await expect(again).toBeVisible();
    await page.unroute('**/api/voter/performance');
    const away = { title: 'Away', status: 500, detail: 'Away' };
    const contentType = 'application/problem+json';
    await page.route('**/api/voter/performance', (route) =>
      route.fulfill({ status: 500, contentType, json: away }),
    );
    const asked = page.waitForResponse('**/api/voter/performance');
    await again.click();
    await asked;
    await expect(again).toBeVisible();
    await page.unroute('**/api/voter/performance');
    await again.click();
    await expect(page.getByRole('table')).toBeVisible();
  },
);

for (const scheme of ['light', 'dark'] as const)
  test(
    `the figures fit 320 pixels, and numbers below ten are words: ${scheme}`,
    once,
    async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 320, height: 640 });
      const period = {
        messages: null,
        within_ten_seconds: null,
        channels: [{ channel: 'email', messages: null, delivered: null, failed: null }],
        corrections: null,
        oldest_data_hours: null,
        availability: 99.98,
      };
      await page.route('**/api/voter/performance', (route) =>
        route.fulfill({
          json: {
            through: '2026-11-20',
            data_updated_at: null,
            periods: [
              { days: 7, ...period },
              { days: 90, ...period, messages: 1_230, within_ten_seconds: 99.7 },
            ],
          },
        }),
      );
      await open(page, '/voter/performance');
      await expect(page.getByRole('cell', { name: 'Too few to show' }).first()).toBeVisible();
      await expect(page.getByRole('cell', { name: /About 1,230/ })).toBeVisible();
      await expect(page.getByRole('cell', { name: /99.98%/ }).first()).toBeVisible();
      await expectNoBarriers(page);
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang).toBeLessThanOrEqual(0);
    },
  );
