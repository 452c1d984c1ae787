import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

test(
  'an editor tries the outage notice and a color on the voter’s page, shows them to voters, and undoes both',
  desk,
  async ({ page, baseURL, browser, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    const voter = await (await browser.newContext()).newPage();
    const banner = voter.locator('.outage');
    const accent = () =>
      voter.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent'));
    const open = async () => {
      await voter.goto(`${office.url}/voter`);
      await expect(voter.getByLabel('First name')).toBeVisible();
    };
    await open();
    const usual = await accent();
    await page.getByRole('link', { name: 'Look and notice' }).click();
    const preview = page.frameLocator('iframe[title="How voters see it: On a phone"]');
    await expect(preview.getByLabel('First name')).toBeVisible();
    await expect(preview.locator('.outage')).toHaveCount(0);

    await page.getByRole('button', { name: 'See it with the banner' }).press('Enter');
    await expect(preview.locator('.outage')).toBeVisible();
    await expect(page.getByText('No voter sees it yet.')).toBeVisible();
    await page.getByLabel(/^Choose a color/).fill('#7a1f5c');
    const accentOfPreview = () =>
      preview
        .locator('html')
        .evaluate((html) => getComputedStyle(html).getPropertyValue('--accent'));
    await expect.poll(accentOfPreview).toBe('#7a1f5c');
    await expect(page.getByText('No voter sees it yet.')).toBeVisible();
    await expectNoBarriers(page);
    await open();
    await expect(banner).toHaveCount(0);
    expect(await accent()).toBe(usual);

    const press = async (name: string | RegExp) =>
      expect(
        await answerQuestion(page, 'accept', () =>
          page.getByRole('button', { name }).press('Enter'),
        ),
      ).toMatch(/Every voter sees (?:it|that) at once\.$/);
    await press('Turn the banner on');
    await expect(page.getByText('Changed. Voters see it now.')).toBeVisible();
    await press('Use #7a1f5c');
    await expect(page.getByRole('button', { name: /^Go back to #/ })).toBeVisible();
    await expect(page.getByText('No voter sees it yet.')).toHaveCount(0);
    await expect(async () => {
      await open();
      await expect(banner).toBeVisible({ timeout: 1000 });
      expect(await accent()).toBe('#7a1f5c');
    }).toPass();

    // Another person may undo it, after a reload.
    await page.reload();
    await expect(preview.locator('.outage')).toBeVisible();
    await page.locator('summary', { hasText: 'Who changed the color' }).click();
    await expect(page.getByRole('row').filter({ hasText: '→ #7a1f5c' })).toContainText('Edda Moss');
    await press(/^Go back to #/);
    await expect(page.getByText('Changed. Voters see it now.')).toBeVisible();
    await press('Undo the last change of the banner');
    await expect(page.getByRole('button', { name: 'Turn the banner on' })).toBeVisible();
    await expect(preview.locator('.outage')).toHaveCount(0);
    await expect.poll(accentOfPreview).toBe(usual);
    await expect(async () => {
      await open();
      await expect(banner).toHaveCount(0, { timeout: 1000 });
      expect(await accent()).toBe(usual);
    }).toPass();
    await voter.context().close();
    office.close();
  },
);
