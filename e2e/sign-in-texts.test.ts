import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { problem } from './problem.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

/** The sign-in page comes with what it says itself; the texts of what follows it are fetched. */
const texts = '**/api/voter/language-file**';
const privacy = 'Your Privacy & Security';
const dialogOf = (page: Page) => page.getByRole('dialog');
const openPrivacy = (page: Page) =>
  page.getByRole('contentinfo').getByRole('link', { name: privacy }).click();

/** @returns the languages whose texts the page asked for */
function watchTexts(page: Page): readonly (string | null)[] {
  const asked: (string | null)[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/language-file')) asked.push(url.searchParams.get('language'));
  });
  return asked;
}

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'the texts of the voter’s screens come while the voter types, and once',
  once,
  async ({ page }) => {
    const asked = watchTexts(page);
    const isQuiet = page.waitForResponse((response) => response.url().includes('/ofrep/'));
    await open(page, '/voter');
    await isQuiet;
    expect(asked).toEqual([]);
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Preferences');
    expect(asked).toEqual(['en_US']);
  },
);

test('a dialog that is opened first of all waits for its texts', once, async ({ page }) => {
  const release = await holdCalls(page, texts);
  await open(page, '/voter');
  await openPrivacy(page);
  await expect(page.getByRole('status').filter({ hasText: /Loading/ })).toBeVisible();
  await expect(dialogOf(page)).toHaveCount(0);
  await release();
  await expect(dialogOf(page)).toContainText('never the vote');
  await page.keyboard.press('Escape');
  await fillIn(page, cast.sent.typed);
  await submit(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Preferences');
});

test(
  'texts that cannot be fetched come with the page of the same words',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await page.route(texts, (route) => route.abort());
    await open(page, '/voter');
    await openPrivacy(page);
    await expect(page).toHaveURL(/\/voter\/privacy$/);
    await expect(page.getByRole('main')).toContainText('never the vote');
  },
);

test(
  'a voter whose texts cannot be fetched is signed in all the same, by a page that has them',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 503/);
    await page.route(texts, (route) => route.fulfill(problem(503, 'Very busy.')));
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Contact Preferences');
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

test(
  'a language that is chosen while the texts of another are on their way stays',
  once,
  async ({ page }) => {
    const english = await holdCalls(page, `${texts}en_US`);
    await open(page, '/voter');
    await page.locator('[name="firstname"]').focus();
    await page.locator('[name="firstname"]').fill('Ann');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
    await english();
    await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Preferencias de contacto');
  },
);
