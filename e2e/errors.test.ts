import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { abortUntilReload } from './hold-script.ts';
import { problem } from './problem.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signIn, submit } from './sign-in.ts';

const oops = 'Oops! Something went wrong on our end. Please try your latest action again.';
const noMatch =
  "Your information doesn't match any voters in our system. Please double-check that what you've entered is correct and make sure that your first name is the same as your first name on your voter registration.";
const ambiguous =
  'Your information matches someone else from our records. Please enter your voter ID to verify your account.';

const alertOf = (page: Page, type: 'error' | 'notice') =>
  page.locator(`.alert[data-type="${type}"]`);

/** Answers a call with a problem, as the server words it. */
async function refuse(page: Page, path: string, status: number, detail: string, more: object = {}) {
  await page.route(path, (route) => route.fulfill(problem(status, detail, more)));
}

/** What the page says to developers as it goes on. */
function readConsole(page: Page): readonly string[] {
  const lines: string[] = [];
  page.on('console', (message) => message.type() === 'info' && lines.push(message.text()));
  return lines;
}

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test.describe('a sign-in', once, () => {
  test.beforeEach(({ expectConsole }) => expectConsole(/status of (401|422|500)/));

  test('that matches nobody says so, with what to check', async ({ page }) => {
    await open(page, '/voter');
    await fillIn(page, { ...cast.sent.typed, firstname: 'Nickname' });
    await submit(page);
    await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText('Invalid credentials');
    await expect(alertOf(page, 'error').locator('p')).toHaveText([noMatch]);
  });

  for (const member of [cast.inactive, cast.confidential])
    test(`of a voter ${member.shows} says the same as for a voter nobody knows`, async ({
      page,
      baseURL,
    }) => {
      await open(page, `${addressOf(member.account, baseURL)}/voter`);
      await fillIn(page, member.typed);
      await submit(page);
      await expect(alertOf(page, 'error').locator('p')).toHaveText([noMatch]);
    });

  test('that failed the server’s validation lists its messages as plain lines', async ({
    page,
  }) => {
    await refuse(page, '**/api/voter/session', 422, 'Failed Validation', {
      'error-code': 8888,
      validation_messages: { zipcode: { format: 'Zip code must be 5 digits.' } },
    });
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText('Invalid credentials');
    await expect(alertOf(page, 'error').locator('p')).toHaveText([
      noMatch,
      'Zip code must be 5 digits.',
    ]);
  });

  test('that fits two voters asks for the voter ID by a notice', async ({ page }) => {
    await open(page, '/voter');
    await fillIn(page, cast.ambiguousFirst.typed);
    await submit(page);
    await expect(alertOf(page, 'notice').locator('p')).toHaveText([ambiguous]);
    await expect(alertOf(page, 'error')).toHaveCount(0);
  });

  test('with an invalid CAPTCHA asks to refresh the page', async ({ page }) => {
    await refuse(page, '**/api/voter/session', 401, 'Invalid ReCAPTCHA', { 'error-code': 9999 });
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(alertOf(page, 'error').locator('p')).toHaveText([
      'Please refresh the page and try again.',
    ]);
  });

  test('that demands a token asks for it by a notice', async ({ page, baseURL }) => {
    await open(page, `${addressOf('lake', baseURL)}/voter`);
    await fillIn(page, cast.token.typed);
    await submit(page);
    await expect(alertOf(page, 'notice').locator('p')).toHaveText([
      'Your county requires an enhanced security token to sign in.',
    ]);
    await expect(alertOf(page, 'error')).toHaveCount(0);
    await expect(page.getByRole('textbox', { name: 'Security token' })).toBeFocused();
  });

  test('that fails in any other way says Oops, with the number for support', async ({ page }) => {
    await refuse(page, '**/api/voter/session', 500, 'Internal Server Error', { err_id: 'a1b2c3' });
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText(oops);
    await expect(alertOf(page, 'error')).toContainText('a1b2c3');
  });
});

test.describe('when the data of a signed-in voter cannot be had', once, () => {
  test('because the browser keeps no cookies, the voter reads that, and what to do', async ({
    page,
    context,
  }) => {
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'cookieEnabled', { get: () => false }),
    );
    await page.route('**/api/voter/session', async (route) => {
      const answer = await route.fetch();
      await context.clearCookies();
      const { 'set-cookie': _refused, ...headers } = answer.headers();
      await route.fulfill({ response: answer, headers });
    });
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(alertOf(page, 'error').locator('p')).toHaveText([
      "Your browser doesn't keep cookies from this site, so you can't stay signed in. Please allow cookies for this site, or use another browser.",
    ]);
  });

  for (const [what, path] of [
    ['the voter', '**/api/voter/information'],
    ['the ballots', '**/api/voter/ballot-status-progress/**'],
    ['the ways of delivery', '**/api/voter/delivery-type'],
  ] as const)
    test(`because ${what} failed, the voter is logged out and sees why`, async ({
      page,
      expectConsole,
    }) => {
      expectConsole(/status of 500/);
      await refuse(page, path, 500, 'Internal Server Error');
      await open(page, '/voter');
      await fillIn(page, cast.sent.typed);
      const ended = page.waitForResponse((response) => response.request().method() === 'DELETE');
      await submit(page);
      await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText(oops);
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await ended;
    });

  test(
    'because the connection broke, the voter gets an error instead of waiting',
    once,
    async ({ page, expectConsole }) => {
      expectConsole(/ERR_FAILED/);
      await page.route('**/api/voter/delivery-type', (route) => route.abort());
      await open(page, '/voter');
      await fillIn(page, cast.sent.typed);
      await submit(page);
      await expect(alertOf(page, 'error')).toContainText(oops);
      await page.unroute('**/api/voter/delivery-type');
      await fillIn(page, cast.sent.typed);
      await submit(page);
      await expect(page.locator('.top-bar').getByRole('button', { name: 'Log out' })).toBeVisible();
    },
  );
});

test(
  'previous ballots that cannot be had show nothing',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 500/);
    await refuse(page, '**/api/voter/archive-ballot**', 500, 'Internal Server Error');
    await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
    await expect(page.getByRole('article')).toBeVisible();
    await page.waitForLoadState('networkidle');
    await expect(page.getByText('Previous Mail Ballots')).toBeHidden();
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

for (const [status, name] of [
  [400, 'BadRequest'],
  [404, 'NotFound'],
  [503, 'Application Error: 503: Not Now - Not Now'],
] as const)
  test(
    `a call refused with ${status} is named ${name} in the console, and nowhere else`,
    once,
    async ({ page, baseURL, expectConsole }) => {
      expectConsole(new RegExp(`status of ${status}`));
      await refuse(page, '**/api/voter/archive-ballot**', status, 'Not Now');
      const lines = readConsole(page);
      await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
      await expect.poll(() => lines).toContain(`getArchiveBallots: ${name}`);
      await expect(page.getByRole('article')).toBeVisible();
      await expect(page.locator('.alert')).toHaveCount(0);
    },
  );

test(
  'a language that cannot be fetched leaves the page as it was, and is only noted',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 500/);
    await refuse(page, '**/api/voter/language-file**', 500, 'Internal Server Error');
    const lines = readConsole(page);
    await open(page, '/voter');
    const shown = await page.locator('main').innerText();
    const noted = page.waitForRequest(
      (request) =>
        request.url().endsWith('/page-view') &&
        request.postDataJSON()?.name === 'event:translations-failed',
    );
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await noted;
    expect(lines).toContain('Could not fetch the texts in spanish');
    await expect(page.locator('main')).toHaveText(shown, { useInnerText: true });
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

test(
  'a session that ended meanwhile leads back to the login and says why',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/status of 403/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await context.clearCookies({ name: 'beacon_session' });
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.getByRole('button', { name: 'Ingresar' })).toBeVisible();
    await expect(alertOf(page, 'notice')).toContainText('La sesión ha terminado');
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
  },
);

test(
  'a slow answer is waited for with words, and said to be slow when it is',
  once,
  async ({ page }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/voter/information', async (route) => {
      await released;
      await route.continue();
    });
    await page.clock.install();
    await open(page, '/voter');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    const wait = page.getByRole('status').filter({ hasText: /Loading|longer/ });
    await expect(wait).toHaveText('Loading…');
    await page.clock.fastForward('00:07');
    await expect(wait).toHaveText('This is taking longer than usual. Please stay on this page.');
    release();
    await expect(page.locator('.top-bar').getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test('an answer that never comes is given up after half a minute', once, async ({ page }) => {
  // A call's own clock, which page.clock does not reach, runs thirty times as fast.
  await page.addInitScript(() => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 30);
  });
  await page.route('**/api/voter/session', () => {});
  await open(page, '/voter');
  await fillIn(page, cast.sent.typed);
  await submit(page);
  await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText(oops);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test(
  'scripts that cannot be fetched leave no endless wait, and the next try brings them with what was typed',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await open(page, '/voter');
    await page.waitForLoadState('networkidle');
    await abortUntilReload(page, '**/voter/assets/**');
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(alertOf(page, 'error').locator('.alert-label')).toHaveText(oops);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled();
    await submit(page);
    await expect(page.getByText(/The page was still loading/)).toBeVisible();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await submit(page);
    await expect(page.locator('.top-bar').getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test(
  'without a connection the ballots stay readable, with the time of the news',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await expect(page.locator('.as-of')).toContainText("You're offline. Last known status as of");
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.locator('.alert')).toHaveCount(0);
    await context.setOffline(false);
    await expect(page.locator('.as-of')).toContainText(/^Last updated /);
  },
);

test(
  'a connection that was lost before the script was there is said as well',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    // The event came and went unheard; only the browser's own word is left.
    await page.addInitScript(() =>
      Object.defineProperty(navigator, 'onLine', { value: false, configurable: true }),
    );
    const calls = '**/api/voter/ballot-status-progress/**';
    await page.route(calls, (route) => route.abort('internetdisconnected'));
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expect(page.locator('.as-of')).toContainText("You're offline. Last known status as of");
    await expect(page.getByRole('article')).toBeVisible();
  },
);

test(
  'while the server does not answer the ballots stay readable, with the time of the news',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 503/);
    await page.clock.install();
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await refuse(page, '**/api/voter/ballot-status-progress/**', 503, 'Service Unavailable');
    await page.clock.fastForward('02:00');
    await page.evaluate(() =>
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true })),
    );
    await page.clock.fastForward('00:30');
    await expect(page.locator('.as-of')).toContainText(
      /We can't reach our server right now. Last known status as of [A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2}/,
    );
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);
