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
