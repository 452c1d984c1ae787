import { cast } from '../demo/cast.ts';
import { expectNoBarriersInAnyColors } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the dashboard can be used by the keyboard alone', async ({ page, baseURL }) => {
  await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
  const summary = page.getByRole('article').locator('summary');
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press('Tab');
    if (await summary.evaluate((element) => element === document.activeElement)) break;
  }
  await expect(summary).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').locator('details').getByRole('list')).toBeVisible();
});

for (const name of ['accepted', 'rejectedCurable', 'undeliverable', 'none'] as const) {
  test(`the dashboard has no barrier that can be found, in light and in dark colors: ${name}`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await signIn(page, cast[name], baseURL, '/voter/dashboard');
    for (const summary of await page.locator('.timeline summary').all()) await summary.click();
    await expectNoBarriersInAnyColors(page);
  });
}

test('the dashboard fits a screen 320 pixels wide', once, async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await signIn(page, cast.longName, baseURL, '/voter/dashboard');
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
});
