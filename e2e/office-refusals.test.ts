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
