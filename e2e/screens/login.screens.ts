import type { Page } from '@playwright/test';
import { languageNames } from '../../contract/src/languages.ts';
import { cast } from '../../demo/cast.ts';
import { expect } from '../fixtures.ts';
import { openOffice } from '../office.ts';
import { startOwnServer } from '../own-server.ts';
import { fillIn, open, submit } from '../sign-in.ts';
import { alert, calls, hold, openDashboard, refuse, screen, tryToSignIn } from './stage.ts';

screen('login/first', ({ page }) => open(page, '/voter'));
screen('login/spanish', ({ page }) => open(page, '/voter?language=spanish'));
const openLanguages = (page: Page) => page.locator('.language-menu summary').click();
screen(
  'login/languages',
  async ({ page }) => {
    await open(page, '/voter');
    await openLanguages(page);
  },
  { renew: openLanguages },
);
screen('login/nothing typed', async ({ page }) => {
  await open(page, '/voter');
  await submit(page);
  await page.locator('.error-summary').waitFor();
});
screen('login/nobody matches', async ({ page, baseURL }) => {
  await tryToSignIn(
    page,
    { ...cast.sent, typed: { ...cast.sent.typed, lastname: 'Nobody' } },
    baseURL,
  );
  await alert(page);
});
screen('login/voter ID asked', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.ambiguousFirst, baseURL);
  await alert(page);
});
screen('login/voter ID wrong', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.ambiguousFirst, baseURL);
  await page.getByRole('textbox', { name: 'Voter ID' }).fill('123');
  await submit(page);
  await page.locator('.alert[data-type="error"]').waitFor();
});
const askForToken = (page: Page) =>
  refuse(page, calls.session, 401, 'Token Required', { 'error-code': 8890 });
screen('login/token asked', async ({ page, baseURL }) => {
  await askForToken(page);
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/token missing', async ({ page, baseURL }) => {
  await askForToken(page);
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
  await submit(page);
  await page.locator('.field-error').first().waitFor();
});
screen('login/CAPTCHA refused', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 401, 'Invalid ReCAPTCHA', { 'error-code': 9999 });
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/too many tries', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 429, 'Too Many Attempts');
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/Oops', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 500, 'Internal Server Error', { err_id: '7f3a19' });
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/offline', async ({ page, context }) => {
  await open(page, '/voter');
  await fillIn(page, cast.sent.typed);
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await submit(page);
  await alert(page);
});
screen('login/signing in', async ({ page, baseURL }) => {
  await hold(page, calls.session);
  await tryToSignIn(page, cast.sent, baseURL);
});
screen('login/loading slowly', async ({ page, baseURL }) => {
  await page.clock.install();
  await hold(page, '**/api/voter/information');
  await tryToSignIn(page, cast.sent, baseURL);
  await page.locator('.loading').waitFor();
  await page.clock.fastForward('00:07');
});
screen('login/outage', async ({ page, baseURL }) => {
  const office = await openOffice(baseURL, { languages: languageNames });
  await office.beacon('flag', 'set', 'voterOutage', 'on', '--account', office.subdomain);
  // A server looks for changes of an office's content twice a second.
  await expect(async () => {
    await open(page, `${office.url}/voter`);
    await page.locator('.outage').waitFor({ timeout: 1_000 });
  }).toPass();
  office.close();
});
screen('login/session expired', async (stage) => {
  await openDashboard(stage);
  await stage.context.clearCookies({ name: 'beacon_session' });
  await stage.page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await alert(stage.page);
});

screen('login/idle log-out', async (stage) => {
  await stage.page.clock.install();
  await openDashboard(stage);
  await stage.page.clock.fastForward('24:05');
  await alert(stage.page);
});
screen('login/logged out in another tab', async (stage) => {
  await openDashboard(stage);
  const other = await stage.context.newPage();
  await open(other, `${stage.baseURL}/voter/dashboard`);
  await other.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
  await alert(stage.page);
  await other.close();
});
screen('login/logged out without a connection', async (stage) => {
  await openDashboard(stage);
  await refuse(stage.page, calls.session, 503, 'Service Unavailable');
  await stage.page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
  await alert(stage.page);
});
for (const state of ['missing', 'done'] as const)
  screen(`login/CAPTCHA ${state}`, async ({ page, after }) => {
    const server = await startOwnServer({ CAPTCHA: 'altcha' });
    after(() => server.stop());
    await open(page, `${server.origin}/voter`);
    if (state === 'missing') await submit(page);
    else await page.getByRole('checkbox').check();
    await page
      .locator(`.captcha[${state === 'done' ? 'data-progress="done"' : 'data-invalid'}]`)
      .waitFor();
  });
screen('login/reCAPTCHA blocked', async ({ page, after }) => {
  const server = await startOwnServer({ CAPTCHA: 'altcha' });
  after(() => server.stop());
  const office = await openOffice(server.origin, {
    languages: languageNames,
    recaptcha: { site_key: 'site', secret_key: 'secret' },
  });
  office.close();
  await page.route('https://www.google.com/**', (route) => route.abort());
  await open(page, `${office.url}/voter`);
  await fillIn(page, { lastname: 'Marlowe' });
  await page.locator('.recaptcha-blocked').waitFor();
});
screen('login/no county, nobody matches', async ({ page, after }) => {
  const server = await startOwnServer({ CAPTCHA: 'off', DEFAULT_ACCOUNT: '' });
  after(() => server.stop());
  await tryToSignIn(
    page,
    { ...cast.sent, typed: { ...cast.sent.typed, lastname: 'Nobody' } },
    server.origin,
  );
  await alert(page);
});
