import type { Page } from '@playwright/test';
import { expectNoBarriers } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { join } from './people.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

const email = 'ines@example.com';
const received = 'We received your ballot for the Winter Election.';
/** The next day's file: the ballot that was sent is back. */
const nextDay = `ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason
1,M-1,Accepted,02/01/2026,02/20/2026,1,,,,FALSE,FALSE
2,M-1,Returned,11/01/2026,${today()},1,,,,FALSE,FALSE
`;

function today(): string {
  const date = new Date().toLocaleDateString('en-US', {
    timeZone: 'America/New_York',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  return date;
}

const readOutbox = () => office.beacon('outbox', '--account', office.subdomain);

/** The office's voter asks for email and confirms the address. */
async function signUp(page: Page): Promise<void> {
  await comeFromElsewhere(page);
  await open(page, `${office.url}/voter`);
  await fillIn(page, office.typed);
  await submit(page);
  await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)/);
  await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      await fetch('/api/voter/information/me', { method: 'PATCH', headers, body });
    },
    JSON.stringify({ email, email_opt_in: true }),
  );
  let link = '';
  await expect
    .poll(async () => {
      link = /\/voter\?code=[\w%-]+/.exec(await readOutbox())?.[0] ?? '';
      return link;
    })
    .not.toBe('');
  await open(page, `${office.url}${link}`);
  await expect(page.locator('.alert')).toContainText('Your email address is confirmed.');
}

/** Drops a file as from a folder of the desktop. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, text]) => {
      const dropped = new DataTransfer();
      dropped.items.add(new File([text], fileName));
      return dropped;
    },
    [name, content] as const,
  );
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: transfer });
}

test('a file is dropped, read before it counts, approved by another person, and corrected; the right voter hears of it', async ({
  page,
  browser,
}) => {
  await signUp(page);

  const desk = await (await browser.newContext()).newPage();
  await join(desk, office, 'Ina Wolf', 'importer');
  await desk.getByRole('link', { name: 'Files' }).click();
  await drop(desk, 'next-day.csv', nextDay);
  await expect(desk.getByRole('heading', { name: 'next-day.csv' })).toBeVisible();
  await expect(desk.getByText('Nothing looks wrong.')).toBeVisible();
  const samples = desk.locator('section', { hasText: 'Some of the changes' });
  await expect(samples).toContainText('Ines Marlowe');
  await expect(samples).toContainText('Mailed to the voter → Returned');
  const messages = desk.locator('section', { hasText: 'Messages it would send' });
  await expect(messages).toContainText('1 message.');
  await messages.getByText('Returned, email, english: 1').click();
  await expect(messages).toContainText(received);
  await expectNoBarriers(desk);
  expect(await readOutbox()).not.toContain(received);

  await desk.getByText('Ask a second person all the same').click();
  await desk.getByLabel('What should the second person check?').fill('First file of the vendor.');
  await desk.getByRole('button', { name: 'Import, and ask' }).click();
  await expect(desk.getByText('Waiting for approval', { exact: true })).toBeVisible();
  await expect(desk.getByText('Ina Wolf asks a second person: First file')).toBeVisible();
  await desk.context().close();

  const other = await (await browser.newContext()).newPage();
  await join(other, office, 'Rosa Kim', 'releaser');
  await other.getByRole('link', { name: /1 file is waiting for approval/ }).click();
  await other.getByRole('link', { name: 'next-day.csv' }).click();
  await other.getByLabel('Reason').fill('Checked with the vendor by phone.');
  await other.getByRole('button', { name: 'Approve and load the file' }).click();
  await expect(other.getByText('Approved. The file is loaded.')).toBeVisible();

  await open(page, `${office.url}/voter/dashboard`);
  await expect(page.locator('main')).toContainText(/received|returned/i);
  await expect.poll(readOutbox).toContain(received);

  await other.getByLabel('Reason').fill('The vendor sent the wrong file.');
  await other.getByRole('button', { name: 'Correct this import' }).click();
  await expect(other.getByText('Corrected. Now the right file can be imported.')).toBeVisible();
  await expect.poll(readOutbox).toContain('Correction: please ignore our earlier message');
  expect((await readOutbox()).match(/Correction: please/g)).toHaveLength(1);
  expect(await readOutbox()).toMatch(new RegExp(`${email}\\tsent\n +Correction:`));
  await other.context().close();
});

test('an upload survives a lost connection and a reload, and a wrong file says so in a clerk’s words', async ({
  page,
  expectConsole,
}) => {
  expectConsole(/401|ERR_FAILED/);
  await join(page, office, 'Ina Wolf', 'importer');
  await page.goto(`${office.url}/office/files`);
  const sent: string[] = [];
  let isDown = true;
  await page.route('**/pieces/*', (route) => {
    const piece = /pieces\/(\d+)/.exec(route.request().url())?.[1] ?? '';
    if (isDown && piece !== '0') return route.abort();
    sent.push(piece);
    return route.continue();
  });
  const text = 'Dear Ina, please find the letter attached.\n'.repeat(30_000);
  const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByLabel('Drop files here, or choose them').setInputFiles(file);
  await expect(page.getByText('No connection. The upload goes on by itself')).toBeVisible();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  isDown = false;
  await page.getByLabel('Choose the same file again to go on.').setInputFiles(file);
  await expect(page.getByText(/We do not recognize this file by its first line/)).toBeVisible();
  expect(sent.toSorted()).toEqual(['0', '1', '2']);
  await expectNoBarriers(page);
  await page.getByLabel('Format').selectOption('beacon-voters');
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('This file cannot be loaded:')).toBeVisible();
  await page.getByRole('button', { name: 'Delete this file' }).click();
  await expect(page.getByText('No uploaded file waits for a decision.')).toBeVisible();
});
