import { asOfNow } from '../testing/demo-days.ts';
import { dated } from './days.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOffice, runCommand } from './office.ts';
import { join } from './people.ts';

test(
  'an administrator adds an election, corrects its day, announces a deadline, makes it active, and undoes that',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401|409|422/); // nobody is signed in yet; a wrong year, and a number that is taken
    const office = await openOffice(baseURL);
    const list = async (): Promise<{ number: string; isActive: boolean }[]> =>
      JSON.parse(await runCommand('election', 'list', '--account', office.subdomain, '--json'));
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    await expect(page.getByRole('row', { name: /Winter Election/ })).toContainText('Active');

    await page.getByRole('link', { name: 'Add an election' }).click();
    await page.getByLabel('Number').fill('2');
    await page.getByLabel('Name').fill('Runoff Election');
    await page.getByLabel('Election day').fill('1926-12-22');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('Check the year of election day.');
    await expect(page.getByLabel('Election day')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Election day').fill(asOfNow('2026-12-22'));
    await page.getByLabel('What must happen in time').selectOption('We must have received it');
    await page.getByLabel('Last day').fill(asOfNow('2026-12-22'));
    await page.getByLabel('Until (time)').fill('19:00');
    await page.getByLabel('Where').fill('any drop box');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    // What was typed stays.
    await expect(page.getByRole('alert')).toContainText('Election 2 exists already');
    await page.getByLabel('Number').fill('2R');
    await page.getByRole('button', { name: 'Save' }).press('Enter');

    const row = page.getByRole('row', { name: /Runoff Election/ });
    await expect(row).toContainText(`received by ${dated('2026-12-22')}, 7:00 PM, any drop box`);
    await expect(row).toContainText('Not active');
    await page.getByRole('button', { name: 'Make active: Runoff Election' }).click();
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    expect(await list()).toContainEqual(expect.objectContaining({ number: '2R', isActive: true }));
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await expect(row).toContainText('Not active');
    await undo.click();
    await expect(row.getByText('Active', { exact: true })).toBeVisible();
    await undo.click();
    await expect(row).toContainText('Not active');

    await page.getByRole('link', { name: 'Edit Runoff Election' }).click();
    const answered = page
      .waitForEvent('dialog', { timeout: 15_000 })
      .then((dialog) => dialog.dismiss());
    await page.getByRole('button', { name: 'Remove' }).click();
    await answered;
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect(page.getByText('Runoff Election was removed.')).toBeVisible();
    expect((await list()).map(({ number }) => number)).toEqual(['2', '1']);
    office.close();
  },
);

test(
  'a clerk is not shown the settings, elections and switches, and may not open them',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401/);
    const office = await openOffice(baseURL);
    await join(page, office, 'Cleo Marsh', 'clerk');
    const screens = { Settings: 'settings', Elections: 'elections', Switches: 'flags' };
    for (const [name, address] of Object.entries(screens)) {
      await expect(page.getByRole('link', { name })).toHaveCount(0);
      await page.goto(`${office.url}/office/${address}`);
      await expect(
        page.getByRole('heading', { name: 'Your roles do not allow this' }),
      ).toBeVisible();
    }
    office.close();
  },
);

test(
  'what was refused in one form stands neither at the list nor in the next form',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401|422/); // nobody is signed in yet; nothing was typed
    const office = await openOffice(baseURL);
    await join(page, office, 'Ada Wu', 'admin');
    const refused = page.getByRole('alert');
    await page.getByRole('link', { name: 'Elections' }).click();
    await page.getByRole('link', { name: 'Add an election' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await page.goBack();
    await page.getByRole('link', { name: 'Edit Winter Election' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Winter Election');
    await expect(page.getByLabel('Name')).not.toHaveAttribute('aria-invalid');
    await expect(refused).toHaveCount(0);

    await page.getByRole('link', { name: 'Deadlines to fix an envelope' }).click();
    const day = page.getByLabel('Last day');
    await page.getByRole('button', { name: 'Set this deadline' }).click();
    await expect(day).toHaveAttribute('aria-invalid', 'true');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(day).toHaveCount(0);
    await expect(refused).toHaveCount(0);
    office.close();
  },
);

test(
  'what was typed of an election stays while another screen is looked at, until it is saved or canceled',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL);
    await join(page, office, 'Ada Wu', 'admin');
    const elections = page.getByRole('link', { name: 'Elections', exact: true });
    const edit = page.getByRole('link', { name: 'Edit Winter Election' });
    const name = page.getByLabel('Name');
    await elections.click();
    await edit.click();
    await name.fill('Winter Election, corrected');
    await page.getByRole('link', { name: 'Deadlines to fix an envelope' }).click();
    await expect(page.getByLabel('Last day')).toBeVisible();
    await page.goBack();
    await expect(name).toHaveValue('Winter Election, corrected');
    // Of another election nothing was typed.
    await elections.click();
    await page.getByRole('link', { name: 'Add an election' }).click();
    await expect(name).toHaveValue('');
    await elections.click();
    await edit.click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('row', { name: /Winter Election, corrected/ })).toBeVisible();
    await page.getByRole('link', { name: 'Edit Winter Election, corrected' }).click();
    await name.fill('Something else');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Edit Winter Election, corrected' }).click();
    await expect(name).toHaveValue('Winter Election, corrected');
    office.close();
  },
);
