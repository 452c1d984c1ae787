import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { asOfNow } from '../testing/demo-days.ts';
import { expectNoBarriers } from './barriers.ts';
import { inCounty, nameDay, timeZone } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, signIn, signInByHand } from './sign-in.ts';
import { answerOnceAt, chooseLanguage } from './voter-steps.ts';

const progress = '**/api/voter/ballot-status-progress/**';
/** Until 5 PM of it the voter can fix the envelope. */
const lastDay = asOfNow('2026-12-10');
const deadline = new Date(inCounty(lastDay, '17:00'));

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
  const zone = deadline.toLocaleString('en-US', { timeZone, timeZoneName: 'short' }).slice(-3);
  await expect(fix.locator('.fix-deadline')).toHaveText(
    new RegExp(`^Fix it by ${nameDay(lastDay)}, 5:00\\sPM ${zone}\\.$`),
  );
  await expect(fix.locator('.fix-left')).toContainText(/1\d days left/);
  await expect(fix.getByRole('listitem').first()).toContainText('Online');
  const downloading = page.waitForEvent('download');
  await fix.getByRole('link', { name: 'Add to calendar' }).click();
  const entry = await downloading;
  expect(entry.suggestedFilename()).toBe('ballot.ics');
  expect(readFileSync(await entry.path(), 'utf8')).toContain(
    `DTEND:${deadline.toISOString().replaceAll(/[-:]|\.000/g, '')}`,
  );
  await expect(fix.getByRole('link', { name: 'Print the form (PDF)' })).toBeVisible();
  await expect(fix.getByRole('link', { name: "I didn't return a ballot" })).toBeVisible();
  await expectNoBarriers(page);
});

test('the deadline follows the language of the page', once, async ({ page, baseURL }) => {
  const fix = await openFix(page, baseURL);
  await chooseLanguage(page, 'spanish');
  await expect(fix).toContainText('Falta la firma en su sobre de devolución.');
  await expect(fix.locator('.fix-deadline')).toContainText('Corríjalo a más tardar');
});

for (const [clock, days] of [
  ['ahead of', 40],
  ['behind', -40],
] as const)
  test(
    `a device whose clock is weeks ${clock} the server's shows the days that are really left`,
    once,
    async ({ page, context, baseURL }) => {
      // Unannounced console output fails a journey: React would complain here, and render the card anew.
      await context.clock.install({ time: Date.now() + days * 86_400_000 });
      const fix = await openFix(page, baseURL);
      const asRendered = await page.request.get(page.url());
      const [left = ''] = /1\d days left/.exec(await asRendered.text()) ?? [];
      await expect(fix.locator('.fix-left')).toContainText(left);
      await page.clock.runFor(31_000);
      await expect(fix.locator('.fix-left')).toContainText(left);
      await expect(fix.getByRole('listitem').first()).toContainText('Online');

      // The answers to later calls bring the server's time too.
      const again = page.waitForResponse(progress);
      await page.clock.fastForward('02:00');
      await page.evaluate(() =>
        document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
      );
      await again;
      await page.clock.runFor(31_000);
      await expect(fix.locator('.fix-left')).toContainText(left);
    },
  );

for (const { name, from, before, minutes, after, headline } of [
  {
    name: 'to the hour on the last day',
    from: inCounty(asOfNow('2026-12-09'), '23:57'),
    before: '1 day left',
    minutes: '04:00',
    after: 'Today is the last day: 16 hours left',
    headline: 'Action needed: fix your return envelope so your ballot can count.',
  },
  {
    name: 'until its time has ended',
    from: inCounty(lastDay, '16:55'),
    before: 'Today is the last day',
    minutes: '06:00',
    after: `The time to fix it ended ${nameDay(lastDay)},`,
    headline: 'The signature on your return envelope is missing.',
  },
])
  test(`an open page counts down by itself, ${name}`, once, async ({ page, context, baseURL }) => {
    await context.clock.install();
    await answerOnceAt(page, from);
    await signInByHand(page, cast.rejectedCurable, baseURL);
    await page.getByRole('link', { name: 'My ballot' }).first().click();
    const fix = page.locator('.ballot-fix');
    await expect(fix).toContainText(before);
    await page.clock.fastForward(minutes);
    await expect(fix).toContainText(after);
    await expect(page.locator('.ballot-meaning')).toHaveText(headline);
  });

test(
  'an open page drops a way that is no longer in time',
  once,
  async ({ page, context, baseURL }) => {
    await context.clock.install();
    // A letter may take a week.
    const lastMailing = deadline.getTime() - 7 * 24 * 60 * 60_000;
    await answerOnceAt(page, new Date(lastMailing - 5 * 60_000).toISOString());
    await signInByHand(page, cast.rejectedCurable, baseURL);
    await page.getByRole('link', { name: 'My ballot' }).first().click();
    const ways = page.locator('.fix-ways');
    await expect(ways).toContainText('With the form by mail');
    await page.clock.fastForward('06:00');
    await expect(ways).not.toContainText('With the form by mail');
    await expect(ways).toContainText('By email');
  },
);

test(
  'the history names a problem that is past, and asks only for what can still be fixed',
  once,
  async ({ page, baseURL }) => {
    for (const [member, isAsked] of [
      [cast.rejectedCurable, true],
      [cast.fixRecorded, false],
      [cast.cured, false],
    ] as const) {
      await signIn(page, member, baseURL, '/voter/dashboard');
      await page.locator('.timeline summary').click();
      const step = page.locator('.timeline li', { hasText: 'Needs your attention' });
      await expect(step).toBeVisible();
      await expect(step.getByText('Action needed')).toHaveCount(isAsked ? 1 : 0);
    }
  },
);
