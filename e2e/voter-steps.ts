import type { Browser, Page } from '@playwright/test';
import { expect } from './fixtures.ts';
import type { Office } from './office.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

/** A voter's own browser, signed in to the page of the office. */
export async function signInAsVoter(browser: Browser, office: Office): Promise<Page> {
  const voter = await (await browser.newContext()).newPage();
  await enter(voter, office);
  return voter;
}

/** Signs the office's voter in at this page. */
export async function enter(voter: Page, office: Office): Promise<void> {
  await comeFromElsewhere(voter);
  await open(voter, `${office.url}/voter`);
  await fillIn(voter, office.typed);
  await submit(voter);
  await expect(voter).toHaveURL(/\/voter\/(dashboard|preferences)/);
}

/** Saves where messages go, as the form does. */
export async function savePreferences(voter: Page, preferences: object): Promise<void> {
  const status = await voter.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    return (await fetch('/api/voter/information/me', { method: 'PATCH', headers, body })).status;
  }, JSON.stringify(preferences));
  expect(status).toBe(200);
}

/** Goes on to a page of the voter's menu, such as "My ballot". */
export function goOnTo(voter: Page, name: string): Promise<void> {
  return voter.getByRole('navigation').getByRole('link', { name }).click();
}

/** Chooses another language by its entry in the menu; not by pointer, since the menu may be closed, or behind a dialog. */
export async function chooseLanguage(voter: Page, language: string): Promise<void> {
  await voter
    .locator(`.language-list a[href="?language=${language}"]`)
    .evaluate((link: HTMLElement) => link.click());
}

/** Lets the server's clock be at another time, as far as the page hears of it: in the first answer, after which none comes. */
export async function answerOnceAt(page: Page, time: string): Promise<void> {
  const progress = '**/api/voter/ballot-status-progress/**';
  await page.route(progress, () => {});
  await page.route(
    progress,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), answered_at: time } });
    },
    { times: 1 },
  );
}
