import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';
import { savePreferences, signInAsVoter } from './voter-steps.ts';

/** Hours of the office's clock that begin in six hours, so that what is sent now waits. */
function laterHours(): { before: string; after: string } {
  const format = { timeZone: 'America/New_York', hour: '2-digit', hourCycle: 'h23' } as const;
  const now = Number(new Date().toLocaleTimeString('en-US', format));
  const show = (hours: number) => `${String((now + hours) % 24).padStart(2, '0')}:00`;
  return { before: show(6), after: show(8) };
}

test(
  'a clerk sees what waits to be sent, and when it leaves',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    // Of a sender that it shares, an office sees what waits for others, too.
    const short_code = String(20_000 + Math.floor(Math.random() * 70_000));
    await office.apply({ short_code });
    await page.getByRole('link', { name: 'Messages' }).click();
    const panel = page.getByRole('region', { name: 'Waiting to be sent' });
    await panel.getByRole('button', { name: 'See what waits' }).press('Enter');
    const texts = panel.getByRole('listitem').filter({ hasText: 'Text message' });
    await expect(panel.getByRole('button', { name: 'Look again' })).toBeEnabled();
    await expect(texts).toHaveCount(0);

    const voter = await signInAsVoter(browser, office);
    const { before, after } = laterHours();
    await savePreferences(voter, {
      ...{ phone_sms: '352-555-0123', sms_opt_in: true },
      ...{ sms_do_not_contact_before: before, sms_do_not_contact_after: after },
    });
    await panel.getByRole('button', { name: 'Look again' }).press('Enter');
    await expect(texts).toContainText(/^Text message: 1 message\. The last message leaves about/);
    await expectNoBarriers(page);
    await voter.context().close();
    office.close();
  },
);
