import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectNoBarriers } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

let office: Office;
let path: string;

// One office for all: each has its own guard against guessing per address, and these come from elsewhere.
test.beforeAll(async ({ baseURL }) => {
  office = await openOffice(baseURL);
  path = await printCode(office);
});
test.afterAll(() => office.close());
test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('a voter scans the code, gives the date of birth and is at the ballots', async ({ page }) => {
  await open(page, office.url + path);
  await expect(page.locator('.language-menu')).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveAccessibleDescription(/MM-DD-YYYY/);
  await page.getByLabel('Date of birth').fill(office.typed.birthdate);
  await button(page).click();
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.locator('.ballot')).toContainText('Winter Election');
});

test('the date of birth must not be empty, and editing takes the error back', async ({ page }) => {
  await open(page, office.url + path);
  await button(page).click();
  await expect(error(page)).toHaveText('Date of Birth must not be empty');
  await expect(page.getByLabel('Date of birth')).toBeFocused();
  await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(/must not be empty/);
  await expectNoBarriers(page);
  await page.getByLabel('Date of birth').pressSequentially('0');
  await expect(error(page)).toHaveCount(0);
});

for (const [what, birthdate, status] of [
  ['another day', '01-02-1950', 400],
  ['no day at all', 'yesterday', 422],
] as const)
  test(`a date of birth that is ${what} keeps the voter here, with the way to the full site`, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(new RegExp(`the server responded with a status of ${status}`));
    await open(page, office.url + path);
    await page.getByLabel('Date of birth').fill(birthdate);
    await button(page).click();
    const host = new URL(office.url).host;
    await expect(error(page)).toHaveText(
      `The date of birth you entered does not match the QR code you scanned. Please try again, or log in on our full site at ${host}.`,
    );
    await expectNoBarriers(page);
    await error(page).getByRole('link').click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

test('an address without a code leads to the first page', async ({ page }) => {
  await page.goto(`${office.url}/voter/qr-login`);
  await expect(page).toHaveURL(`${office.url}/voter`);
});

test('a code that nobody printed leads to the first page and says so', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/the server responded with a status of 404/);
  await open(page, `${office.url}/voter/qr-login?guid=00000000-0000-4000-8000-000000000000`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('.alert')).toContainText('We do not know the QR code you scanned.');
});

test('any other failure leads to the first page and says so', async ({ page, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await open(page, office.url + path);
  await page.route('**/api/voter/ballot-login', (route) => route.abort());
  await page.getByLabel('Date of birth').fill(office.typed.birthdate);
  await button(page).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('.alert')).toContainText('Oops! Something went wrong on our end.');
});

test('a scan on a phone where another voter is signed in asks for this ballot’s voter', async ({
  page,
}) => {
  await open(page, `${office.url}/voter`);
  await fillIn(page, office.typed);
  await submit(page);
  await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).waitFor();
  await open(page, office.url + path);
  await expect(page.getByLabel('Date of birth')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(office.typed.lastname);
});

test('the date of birth may be typed with other separators, and sent by Enter', async ({
  page,
}) => {
  await open(page, office.url + path);
  await page.getByLabel('Date of birth').fill(office.typed.birthdate.replaceAll('-', '/'));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
});

for (const scheme of ['light', 'dark'] as const)
  test(`the QR login has no barrier that can be found and fits 320 pixels: ${scheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 640 });
    await open(page, office.url + path);
    await expectNoBarriers(page);
    const overhang = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overhang).toBeLessThanOrEqual(0);
  });

const button = (page: Page) => page.getByRole('button', { name: 'Register / Log In' });
const error = (page: Page) => page.locator('.field-error');

/** Prints the code of the office's one current ballot. @returns path and query of what it says */
async function printCode({ subdomain, beacon, write }: Office): Promise<string> {
  const file = write('codes.csv', '');
  await beacon(...['qr', '--account', subdomain, '--election', '2', '--out', file]);
  const url = /http\S+guid=[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0];
  if (!url) throw new Error('The print shop’s file holds no code.');
  const { pathname, search } = new URL(url);
  return pathname + search;
}
