import { desk, expect, test } from './fixtures.ts';
import { type Office, openOffice, runCommand } from './office.ts';
import { join } from './people.ts';

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL, { contact_phone: '(352) 555-0123' });
});
test.afterEach(() => office.close());

async function showAccount(): Promise<unknown> {
  return JSON.parse(await runCommand('account', 'show', '--account', office.subdomain));
}

test(
  'an administrator changes settings in several groups, sees what would change, saves, and undoes it',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Phone for voters').fill('555');
    await page.getByRole('link', { name: 'Messages', exact: true }).last().click();
    await page.getByLabel('Texts and calls from').fill('09:00');
    // Taken away and chosen again, beside the others, is no change.
    const ways = page.getByRole('group', { name: 'Ways to send messages' });
    await ways.getByLabel('Call').uncheck();
    await expect(page.getByRole('button', { name: 'See what 3 changes do' })).toBeVisible();
    await ways.getByLabel('Call').check();
    await page.getByRole('button', { name: 'See what 2 changes do' }).click();

    // The problem leads to its field, in another group.
    await page.getByRole('link', { name: /^Phone for voters must be a US phone number/ }).click();
    await expect(page.getByLabel('Phone for voters')).toBeFocused();
    await expect(page.getByLabel('Phone for voters')).toHaveAttribute('aria-invalid', 'true');
    expect(await showAccount()).toMatchObject({ quiet_hours: { start: '08:00' } });

    // The browser asks before it throws away what was typed.
    const asked = page.waitForEvent('dialog', { timeout: 15_000 });
    await page.close({ runBeforeUnload: true });
    const leaving = await asked;
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();

    // What was typed stays while another screen is looked at.
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Log', level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByLabel('Phone for voters')).toHaveValue('555');

    await page.getByLabel('Phone for voters').fill('(352) 555-0142');
    await page.getByRole('button', { name: 'See what 2 changes do' }).click();
    const row = page.getByRole('row', { name: 'Texts and calls from' });
    await expect(row).toContainText('08:00');
    await expect(row).toContainText('09:00');
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('2 settings were changed.')).toBeVisible();
    expect(await showAccount()).toMatchObject({
      ...{ contact_phone: '(352) 555-0142', quiet_hours: { start: '09:00' } },
    });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('2 settings were changed.')).toBeVisible();
    expect(await showAccount()).toMatchObject({
      ...{ contact_phone: '(352) 555-0123', quiet_hours: { start: '08:00' } },
    });
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    await expect(page.getByText('quiet hours.start: 08:00 → 09:00')).toBeVisible();
  },
);

test(
  'hours, languages and files are rows that are added and removed by keyboard',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await join(page, office, 'Ada Wu', 'admin');
    await page.goto(`${office.url}/office/settings/office`);
    await page.getByRole('button', { name: 'Add a row: Phone hours' }).press('Enter');
    const hours = page.getByRole('group', { name: 'Phone hours' });
    await hours.getByLabel('Days').fill('mon-fri');
    await hours.getByLabel('From').fill('08:30');
    await hours.getByLabel('Until').fill('17:00');
    await page.getByRole('link', { name: 'The voter’s page' }).click();
    await page.getByRole('button', { name: 'Add a row: Languages' }).press('Enter');
    const third = page.getByRole('group', { name: 'Row 3' }).getByRole('combobox');
    await third.selectOption({ label: 'French' });
    await page.getByRole('button', { name: 'Move row 2 up: Languages' }).press('Enter');
    await page.getByRole('link', { name: 'Files', exact: true }).last().click();
    await page.getByRole('button', { name: 'Add a row: Files that come regularly' }).press('Enter');
    await page.getByLabel('Format').fill('beacon-ballots');
    await page.getByLabel('Late after (hours)').fill('26');

    // Of two rows of one name the account could have one alone.
    await page.getByRole('button', { name: 'Add a row: Files that come regularly' }).press('Enter');
    await page.getByLabel('Format').last().fill(' beacon-ballots');
    await page.getByLabel('Late after (hours)').last().fill('6');
    await page.getByRole('button', { name: 'See what 3 changes do' }).press('Enter');
    await expect(page.getByRole('alert')).toContainText(
      'Files that come regularly, beacon-ballots is in two rows. Keep one of them.',
    );
    await page
      .getByRole('button', { name: 'Remove row 2: Files that come regularly' })
      .press('Enter');
    const add = page.getByRole('button', { name: 'Add a row: Files that come regularly' });
    await expect(add).toBeFocused();
    await page.getByRole('button', { name: 'See what 3 changes do' }).press('Enter');
    await expect(page.getByRole('row', { name: 'Languages' })).toContainText(
      'Spanish, English, French',
    );
    await page.getByRole('button', { name: 'Save these changes' }).press('Enter');
    await expect(page.getByText('3 settings were changed.')).toBeVisible();
    expect(await showAccount()).toMatchObject({
      phone_hours: [{ days: 'mon-fri', open: '08:30', close: '17:00' }],
      languages: ['spanish', 'english', 'french'],
      feeds: { 'beacon-ballots': { every_hours: 26 } },
    });
  },
);

test(
  'an account file shows what it would change, and another office’s file is refused',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Settings' }).click();
    const phone = page.getByLabel('Phone for voters');
    await phone.fill('555');
    await page.getByRole('button', { name: 'See what 1 change does' }).click();
    await expect(phone).toHaveAttribute('aria-invalid', 'true');
    // What is no longer typed is no longer wrong.
    await page.getByRole('button', { name: 'Discard my changes' }).click();
    await expect(phone).toHaveValue('(352) 555-0123');
    await expect(phone).toHaveAttribute('aria-invalid', 'false');
    await expect(page.getByRole('alert')).toHaveCount(0);
    const choose = async (file: object) => {
      const buffer = Buffer.from(JSON.stringify(file));
      const chosen = { name: 'account.json', mimeType: 'application/json', buffer };
      await page.getByLabel('Choose an account file').setInputFiles(chosen);
    };
    await choose({ subdomain: 'adams', name: 'Adams County Elections' });
    await expect(page.getByRole('alert')).toContainText('another office’s file');
    // A browser is silent about a choice of the file that is chosen already.
    await expect(page.getByLabel('Choose an account file')).toHaveValue('');
    await choose({ reports_counted: true, logo: 'logo.svg' });
    await expect(
      page.getByRole('row', { name: 'Your files say when a ballot is counted' }),
    ).toContainText('Yes');
    await expect(page.getByText('The file names images.')).toBeVisible();
    await page.getByRole('button', { name: 'Go on editing' }).click();
    expect(await showAccount()).toMatchObject({ reports_counted: false });

    // The secret before is shown to nobody, so nobody can go back to it.
    await choose({ recaptcha: { site_key: 'site-key', secret_key: 'secret-key' } });
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('1 setting was changed.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the settings' }).click();
    expect((await download).suggestedFilename()).toBe(`${office.subdomain}.json`);
  },
);
