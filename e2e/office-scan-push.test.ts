import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

test(
  'an administrator makes the password for USPS, which is shown once, and renews it',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const push = async (password: string): Promise<number> => {
      const answer = await page.request.post(`${baseURL}/api/usps/iv-mtr`, {
        headers: {
          host: new URL(office.url).host,
          authorization: `Basic ${Buffer.from(`usps:${password}`).toString('base64')}`,
        },
        data: { msgGrpId: '1', recCnt: 0, events: [] },
      });
      return answer.status();
    };
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'USPS scans' }).click();
    await expect(page.getByText('There is no password yet')).toBeVisible();
    await expect(page.getByText('/api/usps/iv-mtr')).toBeVisible();
    await page.getByRole('button', { name: 'Make a password' }).press('Enter');
    const shown = page.getByText(/^Password: /).locator('code');
    await expect(shown).toBeVisible();
    await expectNoBarriers(page);
    const first = (await shown.textContent()) ?? '';
    expect(await push(first)).toBe(200);

    await page.reload();
    await expect(page.getByText('Only its hash is kept')).toBeVisible();
    await expect(page.locator('body')).not.toContainText(first);
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Make a new password' }).press('Enter');
    expect(await push(first)).toBe(200);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Make a new password' }).press('Enter');
    await expect(shown).toBeVisible();
    expect(await push(first)).toBe(401);
    expect(await push((await shown.textContent()) ?? '')).toBe(200);

    await page.getByRole('link', { name: 'Log' }).click();
    await expect(page.getByRole('row', { name: /Made the password for scans/ })).toHaveCount(2);
    office.close();
  },
);
