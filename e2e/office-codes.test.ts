import { readFile } from 'node:fs/promises';
import { answerQuestion } from './answer-question.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOffice, runCommand } from './office.ts';
import { join, openOfficeAs } from './people.ts';

test(
  'an importer makes the codes that the command makes, and one of them signs its voter in',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    expectConsole(/422/); // the voter who is not there
    const office = await openOffice(baseURL);
    await join(page, office, 'Ina Moss', 'importer');
    await page.getByRole('link', { name: 'QR codes' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Letters to confidential voters' })).toHaveCount(
      0,
    );
    const [table] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download a table (CSV)' }).press('Enter'),
    ]);
    expect(table.suggestedFilename()).toBe('ballot-codes-2.csv');
    const rows = (await readFile(await table.path(), 'utf8')).trim().split('\r\n');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['VoterID', 'M-1']);
    await expect(page.getByText('Your browser has saved ballot-codes-2.csv.')).toBeVisible();

    await page.getByLabel('Voter ID').fill('M-2');
    await page.getByRole('button', { name: 'Download a sheet to print (PDF)' }).click();
    await expect(page.getByRole('alert')).toContainText('This voter has no ballot');
    await page.getByLabel('Voter ID').fill('M-1');
    const [sheet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download a sheet to print (PDF)' }).click(),
    ]);
    expect((await readFile(await sheet.path())).subarray(0, 5).toString()).toBe('%PDF-');

    const out = office.write('codes.csv', '');
    await runCommand('qr', '--account', office.subdomain, '--election', '2', '--out', out);
    // The command's port is not the server's here.
    const guidsOf = (csv: string) => csv.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g);
    expect(guidsOf(await readFile(out, 'utf8'))).toEqual(guidsOf(rows.join('\n')));
    const context = await browser.newContext();
    const voter = await context.newPage();
    await voter.goto(`${office.url}/voter/qr-login?guid=${guidsOf(rows.join('\n'))?.[0]}`);
    await voter.getByLabel('Date of birth').fill(office.typed.birthdate);
    await voter.getByRole('button', { name: 'Register / Log In' }).click();
    await expect(voter).toHaveURL(/\/voter\/(?:dashboard|preferences)$/);
    await context.close();
    office.close();
  },
);

test(
  'codes of letters that were sent end only for the voter who is typed, or once a person is sure',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs(
      { page, baseURL, expectConsole },
      'Cora Hill',
      'confidential-clerk',
    );
    const asked: unknown[] = [];
    await page.route('**/api/office/letter-codes.*', async (route) => {
      asked.push(route.request().postDataJSON());
      const headers = { 'content-disposition': 'attachment; filename="letters.csv"' };
      await route.fulfill({ headers, contentType: 'text/csv', body: 'VoterID,Code\r\n' });
    });
    const saved = page.getByText('Your browser has saved letters.csv.');
    await page.getByRole('link', { name: 'QR codes' }).click();
    await expect(page.getByRole('heading', { name: 'On ballots' })).toHaveCount(0);
    const table = page.getByRole('button', { name: 'Download a table (CSV)' });
    const sheet = page.getByRole('button', { name: 'Download a sheet to print (PDF)' });
    await table.click();
    await expect(saved).toBeVisible();
    await page.getByLabel('Replace the codes that still work').check();
    const sure = 'Replace every letter code of this election?';
    expect(await answerQuestion(page, 'dismiss', () => sheet.click())).toContain(sure);
    await expect(saved).toHaveCount(0);
    expect(await answerQuestion(page, 'accept', () => sheet.click())).toContain(sure);
    await expect(saved).toBeVisible();
    await page.getByLabel('Voter ID').fill(' M-1 ');
    await table.click();
    await expect.poll(() => asked).toHaveLength(3);
    await page.getByLabel('Election').selectOption('Spring Election');
    await table.click();
    await expect.poll(() => asked).toHaveLength(4);
    expect(asked).toEqual([
      { election: '2', renew: false },
      { election: '2', renew: true },
      { election: '2', renew: true, voter_id: 'M-1' },
      { election: '1', renew: true, voter_id: 'M-1' },
    ]);
    office.close();
  },
);
