import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { join } from './people.ts';

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

test(
  'a person sorts a table by keyboard, both ways, and the sorting stays in the address',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    const names = page.getByRole('rowheader');
    await expect(names).toHaveText(['Winter Election', 'Spring Election']);
    const day = page.getByRole('columnheader', { name: 'Election day' });
    await expect(day).not.toHaveAttribute('aria-sort');

    await day.getByRole('button').press('Enter');
    await expect(day).toHaveAttribute('aria-sort', 'ascending');
    await expect(names).toHaveText(['Spring Election', 'Winter Election']);
    await expect(day.getByRole('button')).toBeFocused();
    await day.getByRole('button').press('Space');
    await expect(day).toHaveAttribute('aria-sort', 'descending');
    await expect(names).toHaveText(['Winter Election', 'Spring Election']);

    const name = page.getByRole('columnheader', { name: 'Name' });
    await name.getByRole('button').press('Enter');
    await expect(page).toHaveURL(/sort=name$/);
    await page.reload();
    await expect(name).toHaveAttribute('aria-sort', 'ascending');
    await expect(day).not.toHaveAttribute('aria-sort');
    await expect(names).toHaveText(['Spring Election', 'Winter Election']);
    await expectNoBarriers(page);
  },
);

test(
  'a list that pages turns around at its time, and keeps its filter',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await page.getByLabel('About').selectOption('Files and messages');
    const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
    const when = page.getByRole('columnheader', { name: 'When' });
    await expect(when).toHaveAttribute('aria-sort', 'descending');
    await expect(rows.first()).toContainText('voter-focus-ballots');
    await when.getByRole('button').press('Enter');
    await expect(when).toHaveAttribute('aria-sort', 'ascending');
    await expect(rows.first()).toContainText('beacon-voters');
    await expect(page).toHaveURL(/area=files&order=oldest$/);
    await page.reload();
    await expect(rows.first()).toContainText('beacon-voters');
    await expect(page.getByLabel('About')).toHaveValue('files');
  },
);

test(
  'a list that pages goes on from either end, and back to where it begins',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await join(page, office, 'Ada Wu', 'admin', 'clerk');
    // Each look at the list of ballots is in the log, of which a page has a hundred entries.
    await page.evaluate(async () => {
      const look = () => fetch('/api/office/ballots?election=2');
      await Promise.all(Array.from({ length: 101 }, look));
    });
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const imports = page.getByRole('row').filter({ hasText: 'Imported a file' });
    const goOn = (name: string) => page.getByRole('link', { name }).press('Enter');
    await expect(page.getByRole('row')).toHaveCount(101);
    await expect(imports).toHaveCount(0);
    await goOn('Older');
    await expect(imports).toHaveCount(2);
    await expect(page.getByRole('link', { name: 'Older' })).toHaveCount(0);
    await goOn('Newest');
    await expect(imports).toHaveCount(0);

    await page.getByRole('columnheader', { name: 'When' }).getByRole('button').press('Enter');
    await expect(imports).toHaveCount(2);
    await goOn('Newer');
    await expect(imports).toHaveCount(0);
    await expect(page.getByRole('row').last()).toContainText('Ada Wu');
    await expect(page.getByRole('link', { name: 'Newer' })).toHaveCount(0);
    await goOn('Oldest');
    await expect(imports).toHaveCount(2);
  },
);

test(
  'what is made active keeps the sorting, and a day that is typed is one step of the way back at most',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    await page.getByRole('button', { name: /^Election day/ }).click();
    await expect(page).toHaveURL(/elections\?sort=day$/);
    await page.getByRole('button', { name: 'Make active: Spring Election' }).click();
    await expect(page.getByText('Spring Election was changed.')).toBeVisible();
    await expect(page).toHaveURL(/elections\?sort=day$/);

    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const from = page.getByLabel('From');
    await from.focus();
    await page.keyboard.type('11202026');
    await expect(page).toHaveURL(/log\?from=2026-11-20$/);
    await page.goBack();
    await expect(page).toHaveURL(/elections\?sort=day$/);
  },
);

test(
  'with the keyboard, a screen that a link of the one before opened begins at its content',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Ada Wu', 'admin');
    const isInContent = () =>
      page.evaluate(() => document.querySelector('#content')?.contains(document.activeElement));
    await page.getByRole('link', { name: 'Elections' }).press('Enter');
    await page.getByRole('link', { name: 'Edit Winter Election' }).press('Enter');
    await expect(page.getByLabel('Name')).toBeVisible();
    await expect.poll(isInContent).toBe(true);
    await page.getByLabel('Name').fill('Winter Primary');
    await page.getByLabel('Name').press('Enter');
    await expect(page.getByText('Winter Primary was changed.')).toBeVisible();
    await expect.poll(isInContent).toBe(true);
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  },
);
