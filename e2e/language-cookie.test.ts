import { expect, once, test } from './fixtures.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { open } from './sign-in.ts';

/** Sites that share a domain, as an installation for several offices has them. */
let server: OwnServer;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  server = await startOwnServer({
    CAPTCHA: 'off',
    BASE_DOMAIN: 'vote.localhost',
    LANGUAGE_COOKIE_DOMAIN: 'vote.localhost',
  });
});
test.afterAll(() => server.stop());

test(
  'with a domain for it, the chosen language lasts at every site of the domain',
  once,
  async ({ page }) => {
    const bare = server.origin.replace('localhost', 'vote.localhost');
    const county = server.origin.replace('localhost', 'demo.vote.localhost');
    // From before the domain was set.
    await page.context().addCookies([{ name: 'language', value: 'english', url: county }]);

    await open(page, `${county}/voter`);
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    for (const site of [county, bare]) {
      await open(page, `${site}/voter`);
      await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    }

    await open(page, `${bare}/voter?language=french`);
    for (const site of [county, bare]) {
      await open(page, `${site}/voter`);
      await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
    }
    const kept = (await page.context().cookies()).filter(({ name }) => name === 'language');
    expect(kept).toMatchObject([{ value: 'french', domain: '.vote.localhost', path: '/' }]);
  },
);
