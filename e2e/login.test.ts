import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { comeFromElsewhere, fillIn, open, signInByHand, submit } from './sign-in.ts';

/** What a browser itself says of an answer that is no success. */
const refused = /Failed to load resource: the server responded with a status of (401|422|429|500)/;

const invalidText =
  "Your information doesn't match any voters in our system. Please double-check that what you've entered is correct and make sure that your first name is the same as your first name on your voter registration.";

/** The default of LOCATOR_URL: a national ballot locator. */
const locator = 'https://www.usvotefoundation.org/vote/eoddomestic.htm';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('a voter signs in with the details of the voter registration', async ({ page, baseURL }) => {
  const answered = page.waitForResponse('**/api/voter/session');
  await signInByHand(page, cast.accepted, baseURL);
  expect(await (await answered).json()).toEqual({ session_id: expect.any(String) });
  await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)$/);
  await expect(page.locator('.alert')).toHaveCount(0);
});

test(
  'names may be typed without accents, in any case, with another apostrophe',
  once,
  async ({ page, baseURL }) => {
    await signInByHand(page, cast.accent, baseURL);
    await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)$/);
  },
);

test('a voter with one name leaves the first name empty', once, async ({ page, baseURL }) => {
  await signInByHand(page, cast.noFirstName, baseURL);
  await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)$/);
});

test(
  'a voter who went on to another page before the details were refused reads nothing of it there',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await open(page, '/voter');
    await fillIn(page, { ...cast.accepted.typed, lastname: 'Nobody' });
    const answer = await holdCalls(page, '**/api/voter/session');
    await submit(page);
    await page.evaluate(() => history.pushState(null, '', '/voter/faq'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Frequently asked questions');
    await answer();
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

test(
  'details that match no voter get an error, and everything typed is kept',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await open(page, '/voter');
    await fillIn(page, { ...cast.accepted.typed, lastname: 'Nobody' });
    await submit(page);
    const alert = page.locator('.alert[data-type="error"]');
    await expect(alert.getByText('Invalid credentials', { exact: true })).toBeVisible();
    await expect(alert.getByText(invalidText)).toBeVisible();
    await expect(alert).toBeInViewport();
    // The same again comes into sight again.
    const answered = page.waitForResponse('**/api/voter/session');
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(alert).not.toBeInViewport();
    await page.locator('#login-form').evaluate((form: HTMLFormElement) => form.requestSubmit());
    await answered;
    await expect(alert).toBeInViewport();
    await expect(page.locator('[name="firstname"]')).toHaveValue('Margaret');
    await expect(page.locator('[name="birthdate"]')).toHaveValue('03-14-1958');

    await page.locator('[name="lastname"]').fill(cast.accepted.typed.lastname);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    await expect(alert).toHaveCount(0);
  },
);

test('an alert can be closed', once, async ({ page, expectConsole }) => {
  expectConsole(refused);
  await open(page, '/voter');
  await fillIn(page, { ...cast.accepted.typed, lastname: 'Nobody' });
  await submit(page);
  await page.getByRole('button', { name: 'Close messages' }).click();
  await expect(page.locator('.alert')).toHaveCount(0);
});

test(
  'after too many wrong tries from one network the form says when to try again',
  once,
  async ({ page, request, baseURL, expectConsole }, { project }) => {
    expectConsole(refused);
    const typed = { firstname: 'Nobody', zipcode: '34811', birthdate: '01-01-1950' };
    const network = { 'x-forwarded-for': project.name === 'phone' ? '10.9.8.1' : '10.9.8.2' };
    // Of as many voters: what one voter got wrong asks for more work, and makes nobody wait.
    for (let attempt = 0; attempt < 20; attempt++)
      await request.post('/api/voter/session', {
        data: { ...typed, lastname: `Known ${attempt}`, recaptcha: 'off' },
        headers: { origin: new URL(baseURL ?? '').origin, ...network },
      });
    await page.setExtraHTTPHeaders(network);
    await open(page, '/voter');
    await fillIn(page, { ...typed, lastname: 'Known' });
    await submit(page);
    const alert = page.locator('.alert[data-type="error"]');
    await expect(alert.getByText('Too many attempts', { exact: true })).toBeVisible();
    await expect(alert).toContainText(/please wait and try again at .*\d{1,2}:\d{2}\s[AP]M\./);
  },
);

test('what is missing is listed above the form and said at each field', once, async ({ page }) => {
  await open(page, '/voter');
  await submit(page);
  const summary = page.locator('.error-summary');
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('link')).toHaveText([
    'Last name is required.',
    'Zip code is required.',
    'Date of birth is required.',
  ]);
  const zip = page.getByLabel('ZIP code');
  await expect(zip).toHaveAttribute('aria-invalid', 'true');
  await expect(zip).toHaveAccessibleDescription(/Zip code is required\./);
  await summary.getByRole('link', { name: 'Date of birth is required.' }).click();
  await expect(page.getByLabel('Date of birth')).toBeFocused();
  await expectNoBarriers(page);
});

test('what cannot be right is said before anything is sent', once, async ({ page }) => {
  await open(page, '/voter');
  await fillIn(page, {
    firstname: 'x'.repeat(61),
    lastname: 'x'.repeat(61),
    zipcode: '348',
    birthdate: '02-30-1958',
  });
  await submit(page);
  await expect(page.locator('.error-summary').getByRole('link')).toHaveText([
    'First name is too long.',
    'Last name is too long.',
    'Zip code must be 5 digits.',
    'Enter a date that exists as MM-DD-YYYY, for example 04-21-1968.',
  ]);
});

test('a birth date typed as eight digits gets its hyphens', once, async ({ page }) => {
  await open(page, '/voter');
  await page.getByLabel('Date of birth').fill('03141958');
  await page.getByLabel('ZIP code').focus();
  await expect(page.getByLabel('Date of birth')).toHaveValue('03-14-1958');
});

test(
  'a server failure shows the number to give to support',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await page.route('**/api/voter/session', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/problem+json',
        body: JSON.stringify({
          title: 'Internal Server Error',
          status: 500,
          detail: 'Internal Server Error',
          err_id: '7f3a19',
        }),
      }),
    );
    await open(page, '/voter');
    await fillIn(page, cast.accepted.typed);
    await submit(page);
    const alert = page.locator('.alert[data-type="error"]');
    await expect(alert).toContainText(
      'Oops! Something went wrong on our end. Please try your latest action again.',
    );
    await expect(alert).toContainText('7f3a19');
  },
);

test(
  'without a connection the form says so and keeps what was typed',
  once,
  async ({ page, context, expectConsole }) => {
    expectConsole(/net::ERR_INTERNET_DISCONNECTED/);
    await open(page, '/voter');
    await fillIn(page, cast.accepted.typed);
    await page.waitForLoadState('networkidle');
    await context.setOffline(true);
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('offline');
    await context.setOffline(false);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test('what is typed before the script has arrived stays', once, async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto('/voter', { waitUntil: 'commit' });
  await fillIn(page, cast.accepted.typed);
  release();
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  for (const [name, value] of Object.entries(cast.accepted.typed))
    await expect(page.locator(`[name="${name}"]`)).toHaveValue(value);
  await submit(page);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('two quick presses send one try', once, async ({ page }) => {
  let tries = 0;
  await page.route('**/api/voter/session', async (route) => {
    tries += 1;
    await route.continue();
  });
  await open(page, '/voter');
  await fillIn(page, cast.accepted.typed);
  await page.locator('#login-form button[type="submit"]').dblclick();
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  expect(tries).toBe(1);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what it needs and gives the office’s number', once, async ({ page }) => {
    await page.goto('/voter');
    await expect(page.locator('.no-script')).toContainText('(850) 555-0100');
  });

  test(
    'a form that is sent all the same comes back with what was typed',
    once,
    async ({ page }) => {
      await page.goto('/voter');
      await fillIn(page, cast.accepted.typed);
      await submit(page);
      await expect(page.getByText(/The page was still loading/)).toBeVisible();
      for (const [name, value] of Object.entries(cast.accepted.typed))
        await expect(page.locator(`[name="${name}"]`)).toHaveValue(value);
      expect(page.url()).not.toContain(cast.accepted.typed.lastname);
    },
  );
});

test(
  'a county that is not served leads to another ballot locator',
  once,
  async ({ request, baseURL }) => {
    const { port } = new URL(baseURL ?? '');
    const get = (path: string, name: string) =>
      request.get(`http://localhost:${port}${path}`, {
        headers: { host: `${name}localhost:${port}` },
        maxRedirects: 0,
      });
    for (const path of ['/voter', '/voter/login', '/voter/dashboard', '/voter/nowhere']) {
      const answer = await get(path, 'nowhere.');
      expect(answer.status(), path).toBe(302);
      expect(answer.headers().location, path).toBe(locator);
    }
    // What is served, with and without a subdomain, leads nobody away.
    for (const name of ['', 'lake.']) {
      const answer = await get('/voter', name);
      expect(answer.status(), name).toBe(200);
    }
  },
);

test('the whole way in is open to the keyboard', async ({ page }) => {
  await open(page, '/voter');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the sign-in form' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('First name')).toBeFocused();
  for (const value of Object.values(cast.sent.typed)) {
    await page.keyboard.type(value);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test('nothing of the login comes from another site', once, async ({ page, baseURL }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL ?? '')) elsewhere.push(request.url());
  });
  await open(page, '/voter');
  await page.getByLabel('First name').focus();
  await page.waitForLoadState('networkidle');
  expect(elsewhere).toEqual([]);
});

test(
  'the login fits a screen 320 pixels wide, and one of 390 with the text doubled',
  once,
  async ({ page }) => {
    for (const language of ['english', 'spanish']) {
      await open(page, `/voter?language=${language}`);
      for (const [width, size] of [
        [320, '100%'],
        [390, '200%'],
      ] as const) {
        await page.setViewportSize({ width, height: 700 });
        await page.evaluate((value) => {
          document.documentElement.style.fontSize = value;
        }, size);
        const overhang = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        expect(overhang, `${language} at ${size}`).toBeLessThanOrEqual(0);
      }
    }
  },
);

test(
  'the button says at once that it signs in, also while its script is still on its way',
  once,
  async ({ page }) => {
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/submission-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    await open(page, '/voter');
    await fillIn(page, cast.returned.typed);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
    release();
    await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)$/);
  },
);
