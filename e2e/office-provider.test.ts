import type { Page } from '@playwright/test';
import { expectNoBarriers } from './barriers.ts';
import {
  correctFile,
  expectReleased,
  findWaitingFile,
  importAndAsk,
  signUp,
} from './file-steps.ts';
import { desk, expect, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { chooseAtProvider, signInAs } from './people.ts';

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

test(
  'people of the office’s provider import a file, approve it as another person, and correct it',
  desk,
  async ({ page, browser }) => {
    await signUp(page, office);

    const desk = await (await browser.newContext()).newPage();
    await signInAs(desk, office, 'Ina Wolf', 'importers');
    await importAndAsk(desk, office, 'Ina Wolf');
    await desk.context().close();

    const other = await (await browser.newContext()).newPage();
    // The provider knows this person since an hour, and the decision asks for a fresh sign-in.
    await signInAs(other, office, 'Rosa Kim', 'signed in an hour ago');
    await findWaitingFile(other);
    await other.getByRole('button', { name: 'Approve and load the file' }).click();
    const dialog = other.getByRole('dialog', { name: 'Confirm that it is you' });
    const confirm = dialog.getByRole('button', { name: 'Sign in with Local provider' });
    await blockNextWindow(other);
    await confirm.click();
    await expect(dialog).toContainText('Your browser blocked the window for signing in.');
    const opening = other.context().waitForEvent('page');
    await confirm.click();
    await chooseAtProvider(await opening, 'Rosa Kim', 'releasers');
    await expectReleased(other, page, office);
    await expect(dialog).toHaveCount(0);
    await correctFile(other, office);
    await other.context().close();
  },
);

test(
  'a person who lost every group is refused at the next sign-in, and signed out where still signed in',
  desk,
  async ({ page, browser, expectConsole }) => {
    expectConsole(/401|403/);
    await signInAs(page, office, 'Carl Reed', 'clerks');
    await expect(page.getByRole('link', { name: 'Find a voter' })).toBeVisible();
    const elsewhere = await (await browser.newContext()).newPage();
    await signInAs(elsewhere, office, 'Carl Reed', 'taken out of every group');
    await expect(elsewhere.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
    await expect(elsewhere.getByText('names no group of yours that may use')).toBeVisible();
    await elsewhere.context().close();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
  },
);

test(
  'a person who is removed is refused at the next request and sign-in, until an administrator undoes it',
  desk,
  async ({ page, browser, expectConsole }) => {
    expectConsole(/401|403/);
    await signInAs(page, office, 'Carl Reed', 'clerks');
    await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
    const desk = await (await browser.newContext()).newPage();
    await signInAs(desk, office, 'Ada Wu', 'admins');
    await desk.getByRole('link', { name: 'People' }).click();
    const carl = desk.locator('li', { hasText: 'Carl Reed' });
    await expect(carl).toContainText('The roles come from groups there: Clerk.');
    desk.once('dialog', (dialog) => void dialog.accept());
    await carl.getByRole('button', { name: 'Remove' }).click();
    await expect(desk.getByText('Carl Reed was removed.')).toBeVisible();
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible();
    // The provider still knows the person, and asks nothing.
    await page.getByRole('button', { name: 'Sign in with Local provider' }).click();
    await expect(page.getByText('You were removed from this office.')).toBeVisible();

    // It was a mistake.
    await desk.getByRole('button', { name: 'Let in again: Carl Reed' }).press('Enter');
    await expect(desk.getByText('Carl Reed may sign in again.')).toBeVisible();
    await expectNoBarriers(desk);
    await desk.context().close();
    await page.goto(`${office.url}/office/`);
    await page.getByRole('button', { name: 'Sign in with Local provider' }).click();
    await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
  },
);

test(
  'after signing out, the console says where the provider’s own sign-in ends, and asks anew',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await signInAs(page, office, 'Vera Stone', 'viewers');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('You are signed out here.')).toBeVisible();
    const link = page.getByRole('link', { name: 'Sign out of Local provider too' });
    await expect(link).toHaveAttribute('href', /\/session\/end\?/);
    await page.getByRole('button', { name: 'Sign in with Local provider' }).click();
    await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  },
);

test(
  'the link of a command that waits for its sign-in leads through the provider’s, code and all',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await page.goto(`${office.url}/office/command-login#${'a1b2'.repeat(16)}`);
    await page.getByRole('button', { name: 'Sign in with Local provider' }).click();
    await chooseAtProvider(page, 'Rosa Kim', 'releasers');
    await expect(page.getByText('A1B2-A1B2')).toBeVisible();
  },
);

/** As a browser does that asks first whether a site may open windows. */
const blockNextWindow = (page: Page) =>
  page.evaluate(() => {
    const { open } = window;
    window.open = () => {
      window.open = open;
      return null;
    };
  });
