import { expectNoBarriers } from './barriers.ts';
import { inDays } from './days.ts';
import { signUp } from './file-steps.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

test(
  'a figure of Today leads a clerk to its list, and the list to the voter, whose phone was lost',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    const voter = await (await browser.newContext()).newPage();
    await signUp(voter, office);
    await page.reload();
    const signIns = page.getByRole('region', { name: 'Voters’ sign-ins of the last 24 hours' });
    await expect(signIns.getByRole('row', { name: 'Signed in' })).toContainText('1');
    await expectNoBarriers(page);

    await page.getByRole('link', { name: 'Mailed to the voter, 1' }).press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Ballots: Mailed to the voter',
    );
    await expect(page.getByRole('row')).toHaveCount(2);
    await expect(page.getByRole('row').last()).toContainText('Ines Marlowe');
    await expectNoBarriers(page);
    // The list is in its address.
    await page.reload();
    await page.getByRole('link', { name: 'M-1', exact: true }).click();

    const signingIn = page.getByRole('region', { name: 'Signing in' });
    await signingIn.getByRole('button', { name: 'Delete failed sign-ins' }).press('Enter');
    await expect(signingIn).toContainText('The voter was not locked out.');
    await signingIn.getByRole('button', { name: 'Sign out on every device' }).press('Enter');
    await expect(signingIn).toContainText('1 session ended.');
    await expectNoBarriers(page);
    await voter.reload();
    await expect(voter.getByRole('button', { name: 'Sign in' })).toBeVisible();

    await page.getByRole('link', { name: 'Today' }).click();
    const emails = page.getByRole('link', { name: /^Email, / }).first();
    // The list is of the week that was counted.
    await expect(emails).toHaveAttribute('href', new RegExp(`from=${inDays(-7).iso}`));
    await emails.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Messages');
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await voter.context().close();
    office.close();
  },
);
