import { readFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { runCommand } from './office.ts';
import { comeFromElsewhere, fillIn, logOutUnheard, open, submit } from './sign-in.ts';

const member = cast.returned;
let path: string;

test.beforeAll(async ({ baseURL: _ }, info) => {
  path = await printCode(info, member);
});
test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a voter scans the code, gives the date of birth and is at the ballots',
  once,
  async ({ page }) => {
    await open(page, path);
    await expect(page.locator('.language-menu')).toBeVisible();
    const logo = page.locator('img.qr-login-logo');
    await expect(logo).toBeVisible();
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(page.getByRole('textbox')).toHaveAccessibleDescription(/MM-DD-YYYY/);
    await page.getByLabel('Date of birth').fill(member.typed.birthdate);
    const sent = page.waitForRequest('**/api/voter/ballot-login');
    await button(page).click();
    expect((await sent).postDataJSON()).toEqual({
      ballot_guid: new URLSearchParams(path.split('?')[1]).get('guid'),
      date_of_birth: member.typed.birthdate,
    });
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(page.locator('.ballot')).toContainText('Harbor County Special Election');
  },
);

test(
  'the date of birth must not be empty, and editing takes the error back',
  once,
  async ({ page }) => {
    await open(page, path);
    await button(page).click();
    await expect(error(page)).toHaveText('Date of Birth must not be empty');
    await expect(page.getByLabel('Date of birth')).toBeFocused();
    await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription(/must not be empty/);
    await expectNoBarriers(page);
    await page.getByLabel('Date of birth').pressSequentially('0');
    await expect(error(page)).toHaveCount(0);
  },
);

for (const [what, birthdate, status] of [
  ['another day', '01-02-1950', 400],
  ['no day at all', 'yesterday', 422],
] as const)
  test(
    `a date of birth that is ${what} keeps the voter here, with the way to the full site`,
    once,
    async ({ page, expectConsole }) => {
      expectConsole(new RegExp(`the server responded with a status of ${status}`));
      await open(page, path);
      await page.getByLabel('Date of birth').fill(birthdate);
      await button(page).click();
      const { host } = new URL(page.url());
      await expect(error(page)).toHaveText(
        `The date of birth you entered does not match the QR code you scanned. Please try again, or log in on our full site at ${host}.`,
      );
      await expect(page.getByLabel('Date of birth')).toBeFocused();
      await expectNoBarriers(page);
      await error(page).getByRole('link').click();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  );

test('an address without a code leads to the first page', once, async ({ page }) => {
  await page.goto('/voter/qr-login');
  await expect(page).toHaveURL(/\/voter\/?$/);
});

test(
  'a code that nobody printed leads to the first page and says so',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/the server responded with a status of 404/);
    await open(page, '/voter/qr-login?guid=00000000-0000-4000-8000-000000000000');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText(
      "We don't recognize the QR code you scanned.",
    );
  },
);

test(
  'any other failure leads to the first page and says so',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/Failed to load resource/);
    await open(page, path);
    await page.route('**/api/voter/ballot-login', (route) => route.abort());
    await page.getByLabel('Date of birth').fill(member.typed.birthdate);
    await button(page).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText('Oops! Something went wrong on our end.');
  },
);

test(
  'a scan on a phone where another voter is signed in asks for this ballot’s voter',
  once,
  async ({ page }) => {
    await open(page, '/voter');
    await fillIn(page, member.typed);
    await submit(page);
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).waitFor();
    await open(page, path);
    await expect(page.getByLabel('Date of birth')).toBeVisible();
    await expect(page.locator('body')).not.toContainText(member.typed.lastname);
  },
);

test(
  'a voter whose last log-out never reached the server signs in by the code, and stays signed in',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await logOutUnheard(page, member, baseURL);
    await open(page, path);
    await page.getByLabel('Date of birth').fill(member.typed.birthdate);
    await button(page).click();
    await expect(page.locator('.ballot')).toContainText('Harbor County Special Election');
    await open(page, '/voter/dashboard');
    await expect(page.locator('.ballot')).toContainText('Harbor County Special Election');
  },
);

test(
  'a voter who sends the date of birth and goes home before the answer is shown as signed in',
  once,
  async ({ page }) => {
    await open(page, path);
    await page.getByLabel('Date of birth').fill(member.typed.birthdate);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/voter/ballot-login', async (route) => {
      await released;
      await route.continue();
    });
    await button(page).click();
    await page.locator('.top-bar-home').click();
    await expect(page.locator('#login-form')).toBeVisible();
    release();
    await expect(page.locator('.ballot')).toContainText('Harbor County Special Election');
    await expect(page.locator('#login-form')).toHaveCount(0);
  },
);

test(
  'a page that the browser restores by Back asks for the date of birth again',
  once,
  async ({ page }) => {
    await open(page, path);
    await page.getByLabel('Date of birth').fill(member.typed.birthdate);
    // An answer without a page, so that this one is still there to be restored.
    await page.route('**/voter/dashboard', (route) => route.fulfill({ status: 204 }));
    const left = page.waitForResponse('**/voter/dashboard');
    await button(page).click();
    await left;
    await expect(page.getByLabel('Date of birth')).toHaveCount(0);
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await expect(page.getByLabel('Date of birth')).toBeVisible();
    await expect(button(page)).toBeEnabled();
  },
);

test(
  'the date of birth may be typed with other separators, and sent by Enter',
  once,
  async ({ page }) => {
    await open(page, path);
    await page.getByLabel('Date of birth').fill(member.typed.birthdate.replaceAll('-', '/'));
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
  },
);

for (const scheme of ['light', 'dark'] as const)
  test(
    `the QR login has no barrier that can be found and fits 320 pixels: ${scheme}`,
    once,
    async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 320, height: 640 });
      await open(page, path);
      await expectNoBarriers(page);
      const overhang = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overhang).toBeLessThanOrEqual(0);
    },
  );

const button = (page: Page) => page.getByRole('button', { name: 'Register / Log In' });
const error = (page: Page) => page.locator('.field-error');

/** Prints the codes of the demo's current election. @returns path and query of what this voter's says */
async function printCode(info: TestInfo, { registrationId }: CastMember): Promise<string> {
  const file = info.outputPath('codes.csv');
  const of = ['--account', 'demo', '--election', '217', '--voter', registrationId];
  await runCommand('qr', ...of, '--out', file);
  const url = /http\S+guid=[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0];
  if (!url) throw new Error('The print shop’s file contains no code.');
  const { pathname, search } = new URL(url);
  return pathname + search;
}
