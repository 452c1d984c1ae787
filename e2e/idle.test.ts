import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { expectWatch } from './idle-watch.ts';
import { comeFromElsewhere, open, signIn, signInByHand } from './sign-in.ts';

const timedOut =
  "You were logged out because this page wasn't used for 24 minutes. Please sign in again.";

const warning = (page: Page) => page.getByRole('dialog', { name: 'Are you still there?' });

test.beforeEach(async ({ page, context }) => {
  await comeFromElsewhere(page);
  await context.clock.install();
});

test('after 22 minutes the voter is warned, and one key keeps the session', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.sent, baseURL);
  await expectWatch(page);
  await page.clock.fastForward('21:50');
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward('00:15');
  await expect(warning(page)).toBeVisible();
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeFocused();
  await expectNoBarriers(page);
  await page.keyboard.press('Enter');
  await expect(warning(page)).toHaveCount(0);
  await page.clock.fastForward('21:00');
  await expect(warning(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'where the browser has no room to keep anything, the voter stays signed in and is warned as elsewhere',
  once,
  async ({ page, baseURL }) => {
    await page.addInitScript(() => {
      const refused: string[] = [];
      Object.assign(window, { refused });
      Storage.prototype.setItem = (key) => {
        refused.push(key);
        throw new DOMException('No room', 'QuotaExceededError');
      };
    });
    await signIn(page, cast.sent, baseURL);
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'refused')))
      .toContain('beacon.lastActivity');
    await page.clock.fastForward('21:50');
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    await page.clock.fastForward('00:15');
    await page.keyboard.press('Enter');
    await expect(warning(page)).toHaveCount(0);
    // As a tab that comes back into sight.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.clock.fastForward('21:00');
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test(
  'Escape keeps the session too, and the focus goes back to where it was',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await expectWatch(page);
    const email = page.locator('#field-email');
    await email.focus();
    await page.clock.fastForward('22:05');
    await expect(warning(page)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(warning(page)).toHaveCount(0);
    await expect(email).toBeFocused();
  },
);

test('the warning takes the place of an open dialog, and gives it back to a voter who stays', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.leapDay, baseURL);
  await expectWatch(page);
  const opener = page.getByRole('button', { name: 'Release Notes' });
  await opener.click();
  const notes = page.getByRole('dialog', { name: 'Release Notes' });
  await expect(notes).toBeVisible();
  await page.clock.fastForward('22:05');
  await expect(warning(page)).toBeVisible();
  await expect(page.locator('dialog[open]')).toHaveCount(1);
  await expect(warning(page).getByRole('button', { name: 'Stay signed in' })).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(warning(page)).toHaveCount(0);
  await expect(notes).toBeVisible();
  await expect(page.locator('dialog[open]')).toHaveCount(1);
  await expect(notes.locator(':focus')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(notes).toHaveCount(0);
  await expect(opener).toBeFocused();

  await opener.click();
  await page.clock.fastForward('22:05');
  await warning(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test(
  'after 24 minutes the voter is logged out, here and on the server',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await expectWatch(page);
    const begun = await page.evaluate(() => Number(localStorage.getItem('beacon.lastActivity')));
    const ended = page.waitForResponse(
      (response) => response.request().method() === 'DELETE' && response.status() === 204,
    );
    const now = await page.evaluate(() => Date.now());
    await page.clock.fastForward(begun + 1_440_000 - 5_000 - now);
    await expect(warning(page)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in' })).toHaveCount(0);
    await page.clock.fastForward('00:06');
    await expect(page.locator('.alert[data-type="notice"]')).toContainText(timedOut);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
    await ended;
    await page.reload();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'the watch ends with the log-out, and begins anew with the next voter',
  once,
  async ({ page, baseURL }) => {
    await open(page, '/voter');
    await page.clock.fastForward('25:00');
    await expect(page.locator('.alert')).toHaveCount(0);
    expect(await page.evaluate(() => localStorage.getItem('beacon.lastActivity'))).toBeNull();

    await signInByHand(page, cast.sent, baseURL);
    await expectWatch(page);
    await page.clock.fastForward('20:00');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.clock.fastForward('30:00');
    await expect(warning(page)).toHaveCount(0);
    await expect(page.getByText(timedOut)).toHaveCount(0);

    await signInByHand(page, cast.accepted, baseURL);
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
    await page.clock.fastForward('21:30');
    await expect(warning(page)).toHaveCount(0);
    await page.clock.fastForward('01:00');
    await expect(warning(page)).toBeVisible();
  },
);

test('the warning can be answered by logging out', once, async ({ page, baseURL }) => {
  await signIn(page, cast.sent, baseURL);
  await expectWatch(page);
  await page.clock.fastForward('22:05');
  await warning(page).getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('.alert')).toHaveCount(0);
  // The session is over on the server too.
  await open(page, '/voter/dashboard');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test(
  'work in one tab keeps the others, and all end together',
  once,
  async ({ page, context, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await expectWatch(page);
    const other = await context.newPage();
    await open(other, '/voter/dashboard');
    await page.clock.fastForward('20:00');
    await other.getByRole('heading', { level: 1 }).click();
    await page.clock.fastForward('05:00');
    await expect(warning(page)).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();

    await page.clock.fastForward('20:00');
    for (const tab of [page, other])
      await expect(tab.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'the time of the last activity stands in the browser’s own storage and is looked at each second',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await expectWatch(page);
    const key = 'beacon.lastActivity';
    const read = () => page.evaluate((name) => Number(localStorage.getItem(name)), key);
    await page.clock.fastForward('10:00');
    const before = await read();
    await page.getByRole('heading', { level: 1 }).click();
    await expect.poll(async () => (await read()) - before).toBeGreaterThanOrEqual(600_000);
    await expect(warning(page)).toHaveCount(0);
    // As if that had been twenty-two minutes ago.
    await page.evaluate((name) => localStorage.setItem(name, `${Date.now() - 22 * 60_000}`), key);
    await page.clock.fastForward(1000);
    await expect(warning(page)).toBeVisible();
    const lookAt = async (idleFor: number) => {
      await page.evaluate(([name, since]) => localStorage.setItem(name, `${Date.now() - since}`), [
        key,
        idleFor,
      ] as const);
      await page.clock.fastForward(1000);
    };
    await lookAt(1_440_000 - 10_000);
    await expect(warning(page)).toBeVisible();
    await lookAt(1_440_000);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'a voter who reads and scrolls keeps the session on the server',
  once,
  async ({ page, baseURL }) => {
    await signInByHand(page, cast.sent, baseURL);
    await expectWatch(page);
    let signs = 0;
    page.on('request', (request) => {
      const isCheck = request.method() === 'GET' && request.url().endsWith('/information/me');
      if (isCheck) signs += 1;
    });
    await page.clock.fastForward('06:00');
    expect(signs, 'of a voter who does nothing').toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.fastForward('00:02');
    await expect.poll(() => signs).toBe(1);
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.fastForward('00:02');
    expect(signs, 'not at each movement').toBe(1);
  },
);

test(
  'where the computer’s clock is put back, a voter who reads keeps the session, and one who left is warned as elsewhere',
  once,
  async ({ page, baseURL }) => {
    await signInByHand(page, cast.sent, baseURL);
    await expectWatch(page);
    const now = await page.evaluate(() => Date.now());
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.setSystemTime(now - 3_600_000);
    await page.clock.fastForward('00:02');
    await page.clock.fastForward('06:00');
    const kept = page.waitForRequest('**/information/me', { timeout: 15_000 });
    await page.getByRole('heading', { level: 1 }).click();
    await page.clock.fastForward('00:02');
    await kept;
    await page.clock.setSystemTime(now - 7_200_000);
    await page.clock.fastForward('00:02');
    await page.clock.fastForward('22:05');
    await expect(warning(page)).toBeVisible();
  },
);

test('a saved change begins the 24 minutes anew', once, async ({ page, baseURL }) => {
  await signIn(page, cast.cured, baseURL);
  await expectWatch(page);
  await page.getByRole('textbox', { name: 'Email address' }).fill('eleanor@example.org');
  // Without a hand on mouse or keys, so that the save alone counts.
  await page.clock.fastForward('20:00');
  await page.evaluate(() =>
    document.querySelector<HTMLFormElement>('#contact-preferences')?.requestSubmit(),
  );
  await expect(page.locator('.alert[data-type="success"]')).toBeVisible();
  await page.clock.fastForward('20:00');
  await expect(warning(page)).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'a tab that comes back into sight too late logs the voter out without waiting for its timer',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await expectWatch(page);
    const now = await page.evaluate(() => Date.now());
    // Browsers slow down the timers of hidden tabs: these stand still.
    await page.clock.pauseAt(now + 60_000);
    await page.clock.setSystemTime(now + 25 * 60_000);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await expect(page.locator('.alert[data-type="notice"]')).toContainText(timedOut);
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
  },
);
