import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriersInAnyColors } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

// The style sheets are changed on their way, and the policy names their hashes.
test.use({ bypassCSP: true });

test.beforeEach(async ({ page }) => {
  await comeFromElsewhere(page);
  await removeMixedColors(page);
});

test(
  'a browser that mixes no colors shows a sign-in page that can be read',
  once,
  async ({ page }) => {
    await open(page, '/voter');
    // White words over gradients are beyond axe.
    await expect(page.locator('.hero')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
    await expectNoBarriersInAnyColors(page);
  },
);

test(
  'a browser that mixes no colors shows a dashboard that can be read',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.rejected, baseURL, '/voter/dashboard');
    // What comes last: words that arrive while the colors change are looked at in neither.
    await expect(page.locator('.past-ballot').first()).toBeVisible();
    await expectNoBarriersInAnyColors(page);
  },
);

/** `color-mix` came with Chrome 111, Safari 16.2 and Firefox 113: under another name no browser knows it. */
async function removeMixedColors(page: Page): Promise<void> {
  await page.route(/\/voter(?!.*\.(js|json|png|svg|webp|ico))/, async (route) => {
    const response = await route.fetch();
    const type = response.headers()['content-type'] ?? '';
    if (!/css|html/.test(type)) return route.fulfill({ response });
    const body = (await response.text()).replaceAll('color-mix(', 'mixed-color(');
    return route.fulfill({ response, body });
  });
}
