import { expectNoBarriers } from './barriers.ts';
import { signUp } from './file-steps.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { join, openOfficeAs } from './people.ts';

test(
  'a clerk notes a call and sends a message again that the voter asks for, by keyboard, and both are in the log',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL);
    const voter = await (await browser.newContext()).newPage();
    await signUp(voter, office);
    const readOutbox = () => office.beacon('outbox', '--account', office.subdomain);
    const news = /Your ballot is on its way to you/g;
    await expect.poll(async () => (await readOutbox()).match(news)?.length).toBe(1);

    await join(page, office, 'Cleo Marsh', 'clerk', 'admin');
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.getByLabel('What you know of the voter').fill('M-1');
    await page.getByRole('button', { name: 'Find' }).press('Enter');
    await page.getByRole('link', { name: 'M-1', exact: true }).press('Enter');
    await expect(page.getByText('No call was noted.')).toBeVisible();
    const seen = page.frameLocator('iframe[title="As the voter sees it: On a phone"]');
    await expect(seen.getByText('Hello, Ines')).toBeVisible();
    await expect(seen.getByText('Your ballot is on its way to you.').first()).toBeVisible();
    await page.getByLabel('Note a call').fill('Did not find our email. Sent it again.');
    await page.getByRole('button', { name: 'Keep the note' }).press('Enter');
    await expect(page.getByText('The note was kept.')).toBeVisible();
    await expect(page.getByLabel('Note a call')).toHaveValue('');
    const calls = page.getByRole('region', { name: 'Calls' });
    await expect(calls.getByRole('listitem')).toContainText('Cleo Marsh');

    const again = page.getByRole('button', { name: /^Send again: Mailed to the voter, Email/ });
    await again.press('Enter');
    await expect(
      page.getByText('It was sent again and is on its way to ines@example.com.'),
    ).toBeVisible();
    await expect(again).toHaveCount(0);
    await expectNoBarriers(page);
    await expect.poll(async () => (await readOutbox()).match(news)?.length).toBe(2);

    // The next clerk sees both. The page beside them is late, and is asked for again.
    expectConsole(/503/);
    await page.route('**/page.html', (route) => route.fulfill({ status: 503, json: {} }), {
      times: 1,
    });
    await page.reload();
    const late = page.getByRole('alert').filter({ hasText: 'This could not be loaded.' });
    await late.getByRole('button', { name: 'Try again' }).press('Enter');
    await expect(seen.getByText('Hello, Ines')).toBeVisible();
    await expect(late).toHaveCount(0);
    await expect(calls.getByRole('listitem')).toContainText('Did not find our email.');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const rows = page.getByRole('row');
    await expect(rows.filter({ hasText: 'Noted a call' })).toBeVisible();
    await expect(rows.filter({ hasText: 'Looked at a voter’s page' })).toHaveCount(2);
    await expect(rows.filter({ hasText: 'Sent a message again for a voter' })).toBeVisible();
    await expect(page.getByText('Did not find our email')).toHaveCount(0);
    await voter.context().close();
    office.close();
  },
);

test(
  'a note that is typed and not kept yet stays while the clerk looks elsewhere, and is asked about before the page is closed',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.getByLabel('What you know of the voter').fill('M-1');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'M-1', exact: true }).click();
    const note = page.getByLabel('Note a call');
    await note.fill('Moved to Oak Street. Asks which');
    await page.getByRole('link', { name: 'Envelopes to fix' }).click();
    await expect(page.getByRole('heading', { name: 'Counts' })).toBeVisible();
    const leaves = page.waitForEvent('dialog', { timeout: 15_000 });
    await page.close({ runBeforeUnload: true });
    const leaving = await leaves;
    expect(leaving.type()).toBe('beforeunload');
    await leaving.dismiss();
    await page.goBack();
    await expect(note).toHaveValue('Moved to Oak Street. Asks which');
    await page.getByRole('button', { name: 'Keep the note' }).click();
    await expect(page.getByText('The note was kept.')).toBeVisible();
    await expect(note).toHaveValue('');
    // Nothing is typed any more, so nothing is asked.
    const questions: string[] = [];
    page.on('dialog', async (dialog) => {
      questions.push(dialog.type());
      await dialog.accept();
    });
    const closed = page.waitForEvent('close', { timeout: 15_000 });
    await page.close({ runBeforeUnload: true });
    await closed;
    expect(questions).toEqual([]);
    office.close();
  },
);
