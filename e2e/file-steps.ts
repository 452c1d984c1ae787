import type { Page } from '@playwright/test';
import { asOfNow } from '../testing/demo-days.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect } from './fixtures.ts';
import type { Office } from './office.ts';
import { open } from './sign-in.ts';
import { enter, savePreferences } from './voter-steps.ts';

const email = 'ines@example.com';
const received = 'We received your ballot for the Winter Election.';

/** The next day's file: the ballot that was sent is back. */
function nextDay(): string {
  const today = new Date().toLocaleDateString('en-US', {
    timeZone: 'America/New_York',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  });
  return `ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason
${asOfNow('1,M-1,Accepted,02/01/2026,02/20/2026')},1,,,,FALSE,FALSE
${asOfNow('2,M-1,Returned,11/01/2026')},${today},1,,,,FALSE,FALSE
`;
}

const readOutbox = (office: Office) => office.beacon('outbox', '--account', office.subdomain);

/** The office's voter asks for email and confirms the address. */
export async function signUp(page: Page, office: Office): Promise<void> {
  await enter(page, office);
  await savePreferences(page, { email, email_opt_in: true });
  let link = '';
  await expect
    .poll(async () => {
      link = /\/voter\?code=[\w%-]+/.exec(await readOutbox(office))?.[0] ?? '';
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

/** An importer drops the next day's file, reads what it would do, and has a second person asked. */
export async function importAndAsk(desk: Page, office: Office, importer: string): Promise<void> {
  await desk.getByRole('link', { name: 'Files' }).click();
  await drop(desk, 'next-day.csv', nextDay());
  await expect(desk.getByRole('heading', { name: 'next-day.csv' })).toBeVisible();
  await expect(desk.getByText('Nothing looks wrong.')).toBeVisible();
  const samples = desk.locator('section', { hasText: 'Some of the changes' });
  await expect(samples).toContainText('Ines Marlowe');
  await expect(samples).toContainText('Mailed to the voter → Returned');
  const messages = desk.locator('section', { hasText: 'Messages it would send' });
  await expect(messages).toContainText('1 message.');
  await messages.getByText('Returned, Email, English: 1').click();
  await expect(messages).toContainText(received);
  await expectNoBarriers(desk);
  expect(await readOutbox(office)).not.toContain(received);
  await desk.getByText('Ask a second person all the same').click();
  await desk.getByLabel('What should the second person check?').fill('First file of the vendor.');
  await desk.getByRole('button', { name: 'Import, and ask' }).click();
  await expect(desk.getByText('Waiting for approval', { exact: true })).toBeVisible();
  await expect(desk.getByText(`${importer} asks a second person: First file`)).toBeVisible();
}

/** Another person finds the file on Today and writes down what was checked. */
export async function findWaitingFile(other: Page): Promise<void> {
  await other.getByRole('link', { name: /1 file is waiting for approval/ }).click();
  await other.getByRole('link', { name: 'next-day.csv' }).click();
  await other.getByLabel('Reason').fill('Checked with the vendor by phone.');
}

export async function expectReleased(other: Page, voter: Page, office: Office): Promise<void> {
  await expect(other.getByText('Approved. The file is loaded.')).toBeVisible();
  await open(voter, `${office.url}/voter/dashboard`);
  await expect(voter.locator('main')).toContainText(/received|returned/i);
  await expect.poll(() => readOutbox(office)).toContain(received);
}

/** The same person corrects the file; exactly the voter who got a message hears of it. */
export async function correctFile(other: Page, office: Office): Promise<void> {
  await other.getByLabel('Reason').fill('The vendor sent the wrong file.');
  await other.getByRole('button', { name: 'Correct this import' }).click();
  await expect(other.getByText('Corrected. Now the right file can be imported.')).toBeVisible();
  const correction = 'Correction: please ignore our earlier message';
  await expect.poll(() => readOutbox(office)).toContain(correction);
  const outbox = await readOutbox(office);
  expect(outbox.match(/Correction: please/g)).toHaveLength(1);
  expect(outbox).toMatch(new RegExp(`${email}\\tsent\\n +Correction:`));
}
