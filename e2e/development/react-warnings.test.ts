import { cast } from '../../demo/cast.ts';
import { expect, test } from '../fixtures.ts';
import { type OwnServer, startOwnServer } from '../own-server.ts';
import { button, field } from '../preferences-form.ts';
import { comeFromElsewhere, open, reload, signInByHand } from '../sign-in.ts';

/**
 * React's development build warns in the console about mistakes that its production build ignores: markup that the
 * browser would have rendered differently from the server, lists without keys, updates during a render. Here such a
 * warning fails the test.
 */

// One worker, and so one server that has to transform every source.
test.describe.configure({ mode: 'default' });

let server: OwnServer;
test.beforeAll(async () => {
  server = await startOwnServer({ CAPTCHA: 'off' }, { entry: 'dev/serve.ts' });
});
test.afterAll(() => server.stop());
test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test.fail('an attribute that the server rendered differently is reported', async ({ page }) => {
  await page.route('**/voter', async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    await route.fulfill({
      response: answer,
      body: html.replace('data-screen="login"', 'data-screen="x"'),
    });
  });
  await open(page, `${server.origin}/voter`);
});

test('public pages render without a warning', async ({ page }) => {
  for (const path of ['', '/privacy', '/faq', '/sms-policy', '/accessibility'])
    await test.step(`/voter${path}`, async () => {
      await open(page, `${server.origin}/voter${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    });
});

test('a visitor changes the language and opens a dialog without a warning', async ({ page }) => {
  await open(page, `${server.origin}/voter`);
  await page.locator('.language-menu summary').click();
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
  await page.locator('.language-menu summary').click();
  await page.getByRole('link', { name: 'English' }).click();
  await page.getByRole('contentinfo').getByText('Voter FAQ').click();
  await expect(page.getByRole('dialog')).toContainText('Ballot Beacon');
  await page.keyboard.press('Escape');
});

test('a voter signs in, saves preferences and logs out without a warning', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/status of 401/); // the token is asked for
  await signInByHand(page, cast.tokenFather, server.origin);
  await field(page, 'email').fill('father@mail.example');
  await button(page, 'CONFIRM').click();
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.getByRole('article').first()).toBeVisible();
  await reload(page);
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});
