import { asOfNow } from '../testing/demo-days.ts';
import { expectNoBarriers } from './barriers.ts';
import { dated } from './days.ts';
import { desk, expect, test } from './fixtures.ts';
import { runCommand } from './office.ts';
import { openOfficeAs } from './people.ts';

test(
  'an administrator reads what the state’s rule says, sets the office’s own deadline over it, removes one, and undoes both',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/422/); // a reason is missing at first
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const own = async (): Promise<{ defect: string; source: string | null }[]> => {
      const days = ['cure', 'days', '--account', office.subdomain, '--json'];
      const found: { defect: string; source: string | null }[] = JSON.parse(
        await runCommand(...days),
      );
      return found.filter(({ source }) => source?.startsWith('the office: '));
    };
    await page.getByRole('link', { name: 'Elections' }).click();
    await page.getByRole('link', { name: 'Deadlines to fix an envelope' }).click();
    const differs = page.getByRole('row', { name: /^Signature differs/ });
    await expect(differs).toContainText(`${dated('2026-12-12')}, 5:00 PM`);
    await expect(differs).toContainText('Section 101.68, Florida Statutes');
    await expect(page.getByRole('row', { name: /^Wrong envelope/ })).toContainText(
      'No rule is known.',
    );
    await expectNoBarriers(page);

    await page.getByRole('link', { name: 'Set a deadline: Winter Election' }).click();
    await page.getByRole('checkbox', { name: 'Other' }).uncheck();
    // To the minute as the rule of the state is not earlier.
    const earlier = page.getByText('This is earlier than the rule of your state gives');
    await page.getByLabel('Last day').fill(asOfNow('2026-12-12'));
    await page.getByLabel('Until (time)').fill('16:59');
    await expect(earlier).toBeVisible();
    await page.getByLabel('Until (time)').fill('17:00');
    await expect(earlier).toHaveCount(0);
    await page.getByLabel('Last day').fill(asOfNow('2026-12-11'));
    await page.getByRole('checkbox', { name: 'Signature missing' }).uncheck();
    await expect(earlier).toContainText('Signature differs');
    await expect(earlier).not.toContainText('Signature missing');
    await page.getByRole('checkbox', { name: 'Signature missing' }).check();
    await page.getByLabel('Until (time)').fill('12:00');
    await expect(earlier).toContainText('Signature missing, Signature differs');
    await page.getByRole('button', { name: 'Set this deadline' }).press('Enter');
    await expect(page.getByLabel('What it rests on')).toHaveAttribute('aria-invalid', 'true');
    expect(await own()).toEqual([]);
    await expectNoBarriers(page);
    await page.getByLabel('What it rests on').fill('Court order 7');
    await page.getByRole('button', { name: 'Set this deadline' }).press('Enter');
    await expect(page.getByText('The deadlines of 5 problems were changed.')).toBeVisible();
    await expect(differs).toContainText(`${dated('2026-12-11')}, 12:00 PM`);
    await expect(differs).toContainText('Court order 7. Set by Ada Wu');
    expect(await own()).toHaveLength(5);

    await page.getByRole('button', { name: 'Remove your deadline: Signature differs' }).click();
    await expect(page.getByText('The deadline of 1 problem was changed.')).toBeVisible();
    expect((await own()).map(({ defect }) => defect)).not.toContain('signature-differs');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await expect(differs).toContainText('Court order 7');
    expect(await own()).toHaveLength(5);
    // The undoing can be undone, and that again.
    await undo.click();
    await expect(differs).not.toContainText('Court order 7');
    expect(await own()).toHaveLength(4);
    await undo.click();
    await expect(differs).toContainText('Court order 7');

    await page.getByRole('link', { name: 'Log' }).click();
    await expect(page.getByRole('row', { name: /Set a deadline/ }).first()).toContainText(
      'signature-differs',
    );
    office.close();
  },
);

test(
  'whether a deadline is over already, the office’s clock says, not the one of the desk',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const timeZone = 'Pacific/Honolulu';
    await office.apply({ time_zone: timeZone });
    await page.goto(`${office.url}/office/elections/deadlines`);
    await page.getByRole('link', { name: 'Set a deadline: Winter Election' }).click();
    const over = page.getByText('This time is over.');
    // Hours behind this desk's clock: what is two hours ahead there was here before.
    for (const [hours, count] of [
      [2, 0],
      [-2, 1],
    ] as const) {
      const at = new Date(Date.now() + hours * 3_600_000).toLocaleString('sv-SE', { timeZone });
      await page.getByLabel('Last day').fill(at.slice(0, 10));
      await page.getByLabel('Until (time)').fill(at.slice(11, 16));
      await expect(over).toHaveCount(count);
    }
    office.close();
  },
);

test(
  'with the keyboard, who removes a deadline goes on at the screen’s content, with its undoing next',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.goto(`${office.url}/office/elections/deadlines`);
    await page.getByRole('link', { name: 'Set a deadline: Winter Election' }).press('Enter');
    await page.getByLabel('Last day').fill(asOfNow('2026-12-11'));
    await page.getByLabel('What it rests on').fill('Court order 7');
    await page.getByLabel('What it rests on').press('Enter');
    await expect(page.getByText('The deadlines of 6 problems were changed.')).toBeVisible();
    await page.getByRole('button', { name: 'Remove your deadline: Other' }).press('Enter');
    await expect(page.getByText('The deadline of 1 problem was changed.')).toBeVisible();
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
    office.close();
  },
);
