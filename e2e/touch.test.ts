import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';

// Also a computer may have a screen to touch.
test.use({ hasTouch: true });

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'what a finger tapped does not keep the look of something under a mouse',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    const nav = page.locator('.members-nav');
    const current = nav.locator('[aria-current]');
    const ground = await current.evaluate((link) => getComputedStyle(link).backgroundColor);
    await nav.getByRole('link', { name: 'Alerts' }).tap();
    await expect(page).toHaveURL(/\/voter\/preferences$/);
    await expect(current).toHaveText('Alerts');
    await expect(current).toHaveCSS('background-color', ground);
    // Nor does anything else: some browsers show it at the next touch only.
    const always = await page.evaluate(() =>
      [...document.styleSheets]
        .flatMap((sheet) => [...sheet.cssRules])
        .filter((rule) => rule instanceof CSSStyleRule && rule.selectorText.includes(':hover'))
        .map((rule) => rule.cssText),
    );
    expect(always).toEqual([]);
  },
);
