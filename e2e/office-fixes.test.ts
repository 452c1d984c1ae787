import { readFileSync } from 'node:fs';
import { asOfNow } from '../testing/demo-days.ts';
import { dated } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { join } from './people.ts';

const header =
  'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason';

test(
  'a clerk finds an envelope to fix with its deadline and who was notified, and sees it leave the list',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    const office = await openOffice(baseURL);
    try {
      const load = async (name: string, status: string, reason: string) => {
        const row = asOfNow(`2,M-1,${status},11/01/2026,11/15/2026,1,,,${reason},FALSE,FALSE`);
        const file = office.write(name, `${header}\n${row}\n`);
        await office.beacon(
          ...['import', file, '--account', office.subdomain, '--format', 'voter-focus-ballots'],
        );
      };
      await load('problem.csv', 'RejectedCurable', 'No signature');

      await join(page, office, 'Rosa Kim', 'clerk');
      await expect(page.getByText('1 voter can be reached by letter only.')).toBeVisible();
      await page.getByRole('link', { name: '1 voter can be reached by letter only.' }).click();
      await expect(page.getByRole('heading', { name: 'Envelopes to fix', level: 1 })).toBeVisible();
      const row = page.getByRole('row', { name: /M-1/ });
      await expect(row).toContainText(`${dated('2026-12-12')}, 5:00 PM`);
      await expect(row).toContainText('Signature missing');
      await expect(row).toContainText('Not yet: needs a letter');

      await page.getByLabel('Problem').selectOption('Wrong envelope');
      await expect(page.getByText('No envelope matches.')).toBeVisible();
      await page.getByLabel('Problem').selectOption('All problems');
      await expect(row).toBeVisible();

      // The office's roll has this voter's address; no channel was chosen.
      await expect(page.getByText('1 voter needs a letter.')).toBeVisible();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the letters' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toMatch(/^letters-[\d-]+\.html$/);
      expect(readFileSync(await file.path(), 'utf8')).toContain('<section lang="en-US"');
      await expect(page.getByText('No letter is needed now.')).toBeVisible();
      await expect(row).toContainText('Letter');
      await page.getByLabel('Also 1 letter that was saved before').check();
      const savedAgain = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the letters' }).click();
      expect(readFileSync(await (await savedAgain).path(), 'utf8')).toContain('<section lang');

      await load('fixed.csv', 'Accepted', '');
      await page.reload();
      await expect(page.getByText('No envelope matches.')).toBeVisible();
      await page.getByLabel('Show').selectOption('Fixed');
      await expect(page.getByRole('row', { name: /M-1/ })).toContainText('Signature missing');
    } finally {
      office.close();
    }
  },
);
