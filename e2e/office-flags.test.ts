import { desk, expect, test } from './fixtures.ts';
import { runCommand } from './office.ts';
import { openOfficeAs } from './people.ts';

test(
  'an administrator turns a banner on, voters see it, and undoes it after a reload',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Switches' }).click();
    const banner = page.locator('section', { hasText: 'Many visitors' });
    await expect(banner.getByText('Now: As usual (off)')).toBeVisible();
    const chosen: unknown[] = [];
    page.on('request', (one) => {
      if (one.method() !== 'GET' && /\/flags\/\w+$/.test(one.url()))
        chosen.push(one.postDataJSON());
    });
    // What it is already is nothing to change.
    await banner.getByRole('button', { name: 'Many visitors: As usual (off)' }).press('Enter');
    await banner.getByRole('button', { name: 'Many visitors: On' }).press('Enter');
    await expect(banner.getByText('Now: On')).toBeVisible();

    const context = await browser.newContext();
    const voter = await context.newPage();
    await expect(async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(voter.getByText(/very busy right now/)).toBeVisible({ timeout: 1000 });
    }).toPass();
    await context.close();

    expect(chosen).toEqual([{ to: 'on' }]);
    await page.reload();
    await expect(banner.getByText(/Ada Wu: As usual \(off\) → On/)).toBeVisible();
    await banner.getByRole('button', { name: 'Undo the last change of “Many visitors”' }).click();
    await expect(banner.getByText('Now: As usual (off)')).toBeVisible();
    const listed = await runCommand('flag', 'list', '--account', office.subdomain, '--json');
    expect(JSON.parse(listed)).toContainEqual(
      expect.objectContaining({ key: 'voterOutage', definition: null }),
    );
    office.close();
  },
);
