import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { expectWatch } from './idle-watch.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const standalone = [
  '/voter/privacy',
  '/voter/faq',
  '/voter/sms-policy',
  '/voter/accessibility',
  '/voter/unsubscribe',
  '/voter/verify',
  '/voter/performance',
  '/voter/letter',
  '/voter/qr-login?guid=a',
];

for (const path of standalone)
  test(
    `a voter who is away for 24 minutes on ${path} is logged out`,
    once,
    async ({ page, baseURL }) => {
      // Whether the code was printed is another journey’s matter.
      await page.route('**/api/voter/qr-validate/**', (route) => route.fulfill({ status: 204 }));
      await page.clock.install();
      await signIn(page, cast.sent, baseURL, path);
      await expectWatch(page);
      await page.clock.fastForward('22:05');
      await expect(page.getByRole('dialog', { name: 'Are you still there?' })).toBeVisible();
      const ended = page.waitForResponse(
        (response) => response.request().method() === 'DELETE' && response.status() === 204,
      );
      await page.clock.fastForward('02:00');
      await ended;
      await expect(page.getByText(/You were logged out because/)).toBeVisible();
      await page
        .getByRole('link', { name: /Harbor County/ })
        .first()
        .click();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  );

test(
  'a tab that slept 25 minutes never shows the voter when it wakes',
  once,
  async ({ page, baseURL }) => {
    await page.clock.install();
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expectWatch(page);
    // Asleep no timer runs: only the clock goes on.
    const awake = await page.evaluate(() => Date.now());
    await page.clock.pauseAt(awake + 1_000);
    await page.clock.setSystemTime(awake + 25 * 60_000);
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
    await expect(page.locator('.ballot')).toHaveCount(0);
    await page.clock.resume();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText(/You were logged out because/)).toBeVisible();
  },
);

test(
  'a tab on a page to read hears of a log-out in another tab',
  once,
  async ({ page, context, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/privacy');
    const other = await context.newPage();
    await open(other, '/voter/dashboard');
    await other.waitForLoadState('networkidle');
    await other.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText('You were logged out in another tab.')).toBeVisible();
    await page.getByRole('link', { name: 'Visit Ballot Beacon' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
  },
);
