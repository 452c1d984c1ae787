import { readFile } from 'node:fs/promises';
import { dated } from './days.ts';
import { desk, expect, test } from './fixtures.ts';
import { runCommand } from './office.ts';
import { openOfficeAs } from './people.ts';

test(
  'a viewer reads ballots by day, sees them as a picture, and downloads the table that the command writes',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Vera Long', 'viewer');
    // A viewer counts, and may open no list of voters.
    const figure = page.getByRole('row', { name: 'Mailed to the voter 1' });
    await expect(figure).toBeVisible();
    await expect(figure.getByRole('link')).toHaveCount(0);
    await page.getByRole('link', { name: 'Reports' }).press('Enter');
    await expect(
      page.getByText('Choose an election to see its ballots as a picture.'),
    ).toBeVisible();
    await expect(page.getByRole('row', { name: /Spring Election/ }).first()).toBeVisible();

    expectConsole(/503/);
    await page.route('**/chart.svg?*', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.getByLabel('Election').selectOption('Spring Election');
    await expect(page.getByRole('alert')).toContainText('The picture could not be loaded.');
    // That of another election may come all the same.
    await page.getByLabel('Election').selectOption('Winter Election');
    await expect(page).toHaveURL(/election=2/);
    await expect(page.getByRole('row', { name: /Spring Election/ })).toHaveCount(0);
    // Came into it that day, and was in it at the end of it.
    await expect(
      page.getByRole('row', {
        name: new RegExp(`${dated('2026-11-01')} Mailed to the voter 1 1$`),
      }),
    ).toBeVisible();
    const picture = page.getByRole('img', { name: /^Ballots of Winter Election by status/ });
    await expect(picture).toBeVisible();
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(100);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the table (CSV)' }).press('Enter'),
    ]);
    const printed = await runCommand(
      ...['report', 'status', '--account', office.subdomain, '--election', '2'],
    );
    const downloaded = await readFile(await file.path(), 'utf8');
    // Without the mark by which Excel knows its letters, which is whitespace here.
    expect(downloaded.trim().replaceAll('\r', '')).toBe(printed.trimEnd().replaceAll('\r', ''));
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'To print (PDF)' }).click(),
    ]);
    expect((await readFile(await pdf.path())).subarray(0, 5).toString()).toBe('%PDF-');

    await page.getByLabel('Report').selectOption('Messages');
    await expect(page.getByText('Nothing was counted on these days.')).toBeVisible();
    office.close();
  },
);
