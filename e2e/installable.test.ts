import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'the page can be put among a phone’s apps, under the office’s name',
  once,
  async ({ page }) => {
    await page.goto('/voter');
    const browser = await page.context().newCDPSession(page);
    const { errors, data } = await browser.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    expect(JSON.parse(data ?? '')).toMatchObject({
      name: 'Harbor County Supervisor of Elections',
      short_name: 'Harbor County',
      start_url: '/voter',
    });
    for (const { src } of JSON.parse(data ?? '').icons) {
      // As a browser draws it, under the page's own policy.
      const width = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image.naturalWidth;
      }, src);
      expect(width).toBeGreaterThan(0);
    }
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `what the browser draws above the page has the color of its top (${colorScheme})`,
    once,
    async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      await page.goto('/voter');
      const named = page.locator(`meta[name="theme-color"][media*="${colorScheme}"]`);
      const value = (await named.getAttribute('content')) ?? '';
      const channels = [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16));
      await expect(page.locator('.trust')).toHaveCSS(
        'background-color',
        `rgb(${channels.join(', ')})`,
      );
    },
  );
}
