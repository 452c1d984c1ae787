import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('every page says whose official site it is, how to know, and links to the office', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(/404/);
  const mark = page.locator('.trust');
  const expectMark = async () => {
    await expect(mark.locator('summary')).toHaveText(
      'Official ballot tracker of Harbor County Supervisor of Elections How to know',
    );
    await expect(mark.locator('summary')).toBeInViewport();
    await expect(mark.getByRole('link')).toBeHidden();
  };
  for (const path of [
    '',
    '/faq',
    '/privacy',
    '/sms-policy',
    '/accessibility',
    '/unsubscribe',
    '/no',
  ]) {
    await page.goto(`/voter${path}`);
    await expectMark();
  }
  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await expectMark();
  await page.setViewportSize({ width: 320, height: 640 });
  await mark.locator('summary').focus();
  await page.keyboard.press('Enter');
  await expect(mark.getByRole('listitem')).toHaveText([
    /starts with https/,
    'We never ask for money, a password, or your Social Security number.',
    'Website of Harbor County Supervisor of Elections',
  ]);
  await expect(mark.getByRole('link')).toHaveAttribute(
    'href',
    'https://elections.harbor-county.example',
  );
  await expectNoBarriers(page);
});

test.describe('without the script', () => {
  test.use({ javaScriptEnabled: false });

  test('the mark opens too, in the page’s language', async ({ page }) => {
    await page.goto('/voter?language=spanish');
    await page.locator('.trust summary').click();
    await expect(page.locator('.trust').getByRole('link')).toHaveText(
      'Sitio web de Harbor County Supervisor of Elections',
    );
  });
});
