import { desk, expect, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { openOfficeAs } from './people.ts';

test(
  'what a save was refused for is read at once, also while the screen is still being loaded anew',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.goto(`${office.url}/office/elections`);
    await page.getByRole('link', { name: 'Edit Winter Election' }).click();
    await page.getByLabel('Number').fill('1');
    expectConsole(/409/);
    await holdCalls(page, '**/api/office/elections');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toHaveText(/Election 1 exists already/);
    office.close();
  },
);

test(
  'who does not sign in again when the session ended at a save reads that once, and keeps what was typed',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.goto(`${office.url}/office/elections`);
    await page.getByRole('link', { name: 'Edit Winter Election' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Winter Primary');
    await page.context().clearCookies();
    await name.press('Enter');
    const question = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect(question).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alert')).toHaveText(/your session has ended/);
    await expect(question).toHaveCount(0);
    await expect(name).toHaveValue('Winter Primary');
    await name.press('Enter');
    await question.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByText('Winter Primary was changed.')).toBeVisible();
    office.close();
  },
);
