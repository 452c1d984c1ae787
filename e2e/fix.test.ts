import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

async function openFix(page: Page, baseURL: string | undefined) {
  await signIn(page, cast.rejectedCurable, baseURL, '/voter/dashboard');
  const fix = page.locator('.ballot-fix');
  await expect(fix).toBeVisible();
  return fix;
}

test('a voter with a missing signature reads what is wrong, until when, and the surest way first', async ({
  page,
  baseURL,
}) => {
  const fix = await openFix(page, baseURL);
  await expect(fix).toContainText('The signature on your return envelope is missing.');
  await expect(fix.locator('.fix-deadline')).toHaveText(/^Fix it by Thu, Dec 10, 5:00\sPM EST\.$/);
  await expect(fix.locator('.fix-left')).toContainText(/\d+ days left|Today is the last day/);
  await expect(fix.getByRole('listitem').first()).toContainText('Online');
  const calendar = fix.getByRole('link', { name: 'Add to calendar' });
  expect(decodeURIComponent((await calendar.getAttribute('href')) ?? '')).toContain(
    'DTEND:20261210T220000Z',
  );
  await expect(fix.getByRole('link', { name: 'Print the form (PDF)' })).toBeVisible();
  await expect(fix.getByRole('link', { name: "I didn't return a ballot" })).toBeVisible();
  await expectNoBarriers(page);
});

test('the deadline follows the language of the page', once, async ({ page, baseURL }) => {
  const fix = await openFix(page, baseURL);
  await page
    .locator('.language-list a[href="?language=spanish"]')
    .evaluate((link: HTMLElement) => link.click());
  await expect(fix).toContainText('Falta la firma en su sobre de devolución.');
  await expect(fix.locator('.fix-deadline')).toContainText('Corríjalo a más tardar');
});

for (const { name, from, before, minutes, after } of [
  {
    name: 'to the hour on the last day',
    from: '2026-12-09T23:57:00-05:00',
    before: '1 day left',
    minutes: '04:00',
    after: 'Today is the last day: 16 hours left',
  },
  {
    name: 'until its time has ended',
    from: '2026-12-10T16:55:00-05:00',
    before: 'Today is the last day',
    minutes: '06:00',
    after: 'The time to fix it ended Thu, Dec 10,',
  },
])
  test(
    `an open page counts down by itself, ${name}`,
    once,
    async ({ page, context, baseURL, expectConsole }) => {
      // The browser's clock is weeks ahead of the server's, so that React renders the card anew.
      expectConsole(/error #418/);
      await context.clock.install({ time: new Date(from) });
      const fix = await openFix(page, baseURL);
      await page.clock.runFor(31_000);
      await expect(fix).toContainText(before);
      await page.clock.fastForward(minutes);
      await expect(fix).toContainText(after);
    },
  );
