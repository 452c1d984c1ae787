import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { holdScript } from './hold-script.ts';
import { problem } from './problem.ts';
import {
  comeFromElsewhere,
  fillIn,
  logOutUnheard,
  open,
  signIn,
  signInByHand,
  submit,
} from './sign-in.ts';
import { goOnTo } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test.describe('several tabs', () => {
  test(
    'log out together, and none goes on showing the voter',
    once,
    async ({ page, context, baseURL }) => {
      await signIn(page, cast.sent, baseURL);
      const other = await context.newPage();
      await open(other, '/voter/dashboard');
      await other.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
      await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect(page.locator('.alert')).toContainText('You were logged out in another tab.');
      await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
    },
  );

  test(
    'never show one voter beside another’s session, and leave that session alone',
    once,
    async ({ page, context, baseURL }) => {
      await signIn(page, cast.sent, baseURL);
      const other = await context.newPage();
      await open(other, '/voter/dashboard');
      await other.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
      await signInByHand(other, cast.rejected, baseURL);
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await other.reload();
      await expect(other.getByRole('button', { name: /Calvin/ })).toBeVisible();
    },
  );
});

test(
  'logging out before the script has come ends the session, here and in other tabs',
  once,
  async ({ page, context, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    const early = await context.newPage();
    await comeFromElsewhere(early);
    const release = await holdScript(early);
    await early.goto('/voter/dashboard', { waitUntil: 'commit' });
    await early.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(early.getByRole('button', { name: 'Sign in' })).toBeVisible();
    release();
    await expect(early.locator('.alert')).toContainText("You're logged out.");
    await expect(early).toHaveURL(/\/voter$/);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await open(page, '/voter/dashboard');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'a tab that slept through the sign-in of another voter shows nothing of the one before',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await page.evaluate(() => {
      localStorage.setItem('beacon.voter', '0');
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.ballot')).toHaveCount(0);
  },
);

test(
  'a page that the browser restores is checked against the session before it is shown',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 403/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    // What a tab that slept has missed: the session's end, and what other tabs said.
    await page.context().clearCookies();
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText('Session expired');
    await expect(page.locator('.ballot')).toHaveCount(0);
  },
);

test(
  'logging out without a connection is kept until the server has heard of it',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await context.clock.install();
    await signIn(page, cast.sent, baseURL);
    await page.waitForLoadState('networkidle');
    // No round comes from now on: the next try is made because there is a connection.
    await page.clock.pauseAt(Date.now() + 5_000);
    await context.setOffline(true);
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText('your device is offline');
    const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
    await context.setOffline(false);
    expect((await ended).status()).toBe(204);
    await page.goto('/voter/dashboard');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'a log-out that the server refuses, as of a session that is over, is done with and not tried again',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/status of 403/);
    let tries = 0;
    await page.route('**/api/voter/session', (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      tries += 1;
      return route.fulfill(problem(403, 'Session not found'));
    });
    await context.clock.install();
    await signIn(page, cast.accepted, baseURL);
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect.poll(() => tries).toBe(1);
    const kept = () => page.evaluate(() => localStorage.getItem('beacon.ending'));
    await expect.poll(kept).toBeNull();
    await page.clock.runFor(30_000);
    await expect(page.locator('.alert')).toHaveText(/You're logged out\.$/);
    expect(tries).toBe(1);
  },
);

test(
  'a reload after such a log-out does not bring the session back',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await logOutUnheard(page, cast.sent, baseURL);
    await page.goto('/voter/dashboard');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'a sign-in that is refused while a log-out waits for the server does not bring its session back',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    expectConsole(/status of 401/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await page.route('**/api/voter/session', (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.continue(),
    );
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await fillIn(page, { ...cast.rejected.typed, birthdate: '01-01-1901' });
    await submit(page);
    await expect(page.locator('.alert')).toContainText('Invalid credentials');
    await page.unroute('**/api/voter/session');
    await page.goto('/voter/dashboard');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.ballot')).toHaveCount(0);
  },
);

test(
  'a log-out that is still on its way does not end the session of the next voter',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    const submitted = Promise.withResolvers<void>();
    const order: string[] = [];
    await page.route('**/api/voter/session', async (route) => {
      const isLogOut = route.request().method() === 'DELETE';
      if (!isLogOut) {
        order.push('signs in');
        return route.continue();
      }
      const response = await route.fetch();
      await submitted.promise;
      order.push('is logged out');
      await route.fulfill({ response });
    });
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await fillIn(page, cast.rejected.typed);
    await submit(page);
    submitted.resolve();
    await expect(page.locator('.top-bar').getByRole('button', { name: 'Log out' })).toBeVisible();
    expect(order).toEqual(['is logged out', 'signs in']);
    await open(page, '/voter/dashboard');
    await expect(page.locator('.ballot-chip')).toHaveText('Rejected');
  },
);

test(
  'a log-out that never reached the server does not log out the voter who signs in afterwards',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await logOutUnheard(page, cast.sent, baseURL);
    await signIn(page, cast.rejected, baseURL, '/voter/dashboard');
    await expect(page.locator('.ballot-chip')).toHaveText('Rejected');
  },
);

test(
  'a voter who logs out early leaves no call behind that could end the next voter’s session',
  once,
  async ({ page, baseURL }) => {
    await page.route('**/archive-ballot*', () => new Promise(() => {}));
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    const aborted = page.waitForEvent('requestfailed');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    expect((await aborted).url()).toContain('archive-ballot');
  },
);

test(
  'a voter who signs in and goes back before the answer is shown as signed in',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await goOnTo(page, 'Alerts');
    const ended = page.waitForResponse('**/api/voter/session');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await ended;
    await fillIn(page, cast.rejected.typed);
    const release = await holdCalls(page, '**/api/voter/session');
    const asked = page.waitForRequest('**/api/voter/session');
    await submit(page);
    await asked;
    await page.goBack();
    await release();
    await expect(page.locator('.top-bar').getByRole('button', { name: /Calvin/ })).toBeVisible();
    await expect(page.locator('#login-form')).toHaveCount(0);
  },
);
