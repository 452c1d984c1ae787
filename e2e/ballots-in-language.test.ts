import type { Page, Route } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const spanishSent = /Enviada/;
const chip = (page: Page) => page.locator('.ballot-chip').first();

/** Goes to a page of the app without loading it anew. */
const goTo = (page: Page, path: string) =>
  page.evaluate((address) => history.pushState(null, '', address), `/voter${path}`);

test(
  'a language chosen on another page is the language of the ballots',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/preferences');
    const asked = page.waitForRequest(/ballot-status-progress\/me\?language=spanish/);
    await chooseLanguage(page, 'spanish');
    await asked;
    await goTo(page, '/dashboard');
    await expect(chip(page)).toHaveText(spanishSent);
  },
);

test('previous ballots change their language with the page', once, async ({ page, baseURL }) => {
  await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
  const how = page.locator('.past-status span').first();
  await expect(how).toBeVisible();
  const english = (await how.textContent()) ?? '';
  await chooseLanguage(page, 'spanish');
  await expect(how).not.toHaveText(english);
  await chooseLanguage(page, 'english');
  await expect(how).toHaveText(english);
});

test(
  'a newer answer never gives way to an older one, whichever language each is in',
  once,
  async ({ page, baseURL }) => {
    const answers = await interceptProgress(page);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await chooseLanguage(page, 'spanish');
    await answers.give('spanish', 'newer, Spanish');
    await expect(chip(page)).toHaveText('newer, Spanish');

    await chooseLanguage(page, 'english');
    await answers.asked('english');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await expect(chip(page)).toHaveText('newer, Spanish');
    await goTo(page, '/preferences');
    await goTo(page, '/dashboard');
    await expect(chip(page)).toHaveText('newer, Spanish');
    await answers.give('english', 'newest, English');
    await expect(chip(page)).toHaveText('newest, English');

    await goTo(page, '/preferences');
    await goTo(page, '/dashboard');
    await expect(chip(page)).toHaveText('newest, English');
  },
);

test(
  'a late answer does not replace the answer to a newer question',
  once,
  async ({ page, baseURL }) => {
    const answers = await interceptProgress(page);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await chooseLanguage(page, 'spanish');
    await answers.asked('spanish');
    await chooseLanguage(page, 'english');
    await answers.give('english', 'asked last');
    await expect(chip(page)).toHaveText('asked last');
    await answers.give('spanish', 'asked first');
    await goTo(page, '/preferences');
    await goTo(page, '/dashboard');
    await expect(chip(page)).toHaveText('asked last');
  },
);

/**
 * Keeps the calls for the ballots waiting until the test answers those in a language with a status name of its choice;
 * later ones in that language are answered so at once.
 */
async function interceptProgress(page: Page) {
  const waiting: { language: string; route: Route }[] = [];
  const given = new Map<string, string>();
  const answer = async (route: Route, name: string) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const ballot of json.ballots) ballot.status_summary.current_status.display_name = name;
    await route.fulfill({ response, json });
  };
  await page.route('**/api/voter/ballot-status-progress/me*', async (route) => {
    const language = new URL(route.request().url()).searchParams.get('language') ?? '';
    const name = given.get(language);
    if (name === undefined) waiting.push({ language, route });
    else await answer(route, name);
  });
  const asked = (language: string) =>
    expect.poll(() => waiting.some((one) => one.language === language)).toBe(true);
  return {
    asked,
    async give(language: string, name: string) {
      await asked(language);
      given.set(language, name);
      for (const one of waiting.splice(0))
        if (one.language === language) await answer(one.route, name);
        else waiting.push(one);
    },
  };
}
