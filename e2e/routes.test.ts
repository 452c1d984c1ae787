import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, fillIn, open, signIn, signInByHand, submit } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const readable = [
  ['/voter', 'Where is my mail ballot?'],
  ['/voter/login', 'Where is my mail ballot?'],
  ['/voter/privacy', 'Our commitment to your privacy'],
  ['/voter/faq', 'Frequently asked questions'],
  ['/voter/sms-policy', 'SMS Terms'],
  ['/voter/verify', 'Is this message from us?'],
  ['/voter/letter', 'Sign in with a letter code'],
  ['/voter/performance', 'How we are doing'],
  ['/voter/accessibility', 'Accessibility statement'],
  ['/voter/unsubscribe', /./],
] as const;

for (const [path, heading] of readable)
  test(`${path} can be opened, reloaded and read without a session`, once, async ({ page }) => {
    await open(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expectNoBarriers(page);
  });

test(
  'a visitor without a session reaches the login, what there is to read, the unsubscribing and the QR login',
  once,
  async ({ page }) => {
    // Whether the code was printed is another journey’s matter.
    await page.route('**/api/voter/qr-validate/**', (route) => route.fulfill({ status: 204 }));
    for (const [path, part] of [
      ['/voter', page.getByRole('button', { name: 'Sign in' })],
      ['/voter/faq', page.getByRole('heading', { name: 'Frequently asked questions' })],
      ['/voter/privacy', page.getByRole('heading', { name: 'Our commitment to your privacy' })],
      ['/voter/sms-policy', page.getByRole('heading', { name: 'SMS Terms' })],
      [
        '/voter/unsubscribe?key=k&email=i@example.com',
        page.getByRole('button', { name: 'Unsubscribe' }),
      ],
      ['/voter/qr-login?guid=g', page.getByRole('button', { name: 'Register / Log In' })],
    ] as const) {
      await open(page, path);
      await expect(part).toBeVisible();
    }
    expect(await page.context().cookies()).toEqual([]);
  },
);

test('the bare address leads to the page', once, async ({ page }) => {
  await page.goto('/');
  await expect(page).toHaveURL(/\/voter$/);
});

for (const path of ['/voter/nowhere', '/voter/dashboard/more'])
  test(
    `${path} shows Page Not Found, with a way to the root`,
    once,
    async ({ page, expectConsole }) => {
      expectConsole(/404/);
      await open(page, path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page Not Found');
      await expect(page).toHaveTitle(/^Page Not Found/);
      await expect(page.locator('.top-bar')).toBeVisible();
      await expectNoBarriers(page);
      await page.getByRole('link', { name: 'Go Back' }).click();
      await expect(page).toHaveURL(/\/voter\/?$/);
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    },
  );

test('a mistyped address outside the page is a page too, and JSON only for programs', async ({
  page,
  request,
  expectConsole,
}) => {
  expectConsole(/404/);
  const answer = await page.goto('/votre');
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible();
  await page.getByRole('link', { name: 'Ballot Beacon' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const call = await request.get('/votre', { headers: { accept: 'application/json' } });
  expect(call.headers()['content-type']).toMatch(/^application\/problem\+json/);
});

for (const path of ['/voter/dashboard', '/voter/preferences', '/voter/confirmCheck'])
  test(`${path} is for signed-in voters: others are sent to the root`, once, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL(/\/voter\/?$/);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

test(
  'a voter who has not confirmed meets the preferences first',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.returned, baseURL);
    await expect(page).toHaveURL(/\/voter\/preferences$/);
    for (const path of ['/voter', '/voter/login', '/voter/confirmCheck']) {
      await page.goto(path);
      await expect(page).toHaveURL(/\/voter\/preferences$/);
    }
  },
);

test('the dashboard opens by its own address and stays there over a reload', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.returned, baseURL, '/voter/dashboard');
  await expect(page.getByRole('article')).toBeVisible();
  await page.reload();
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.getByRole('article')).toBeVisible();
});

test(
  'the code of a confirmation mail leads a signed-in voter to its confirmation',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/422/);
    await signIn(page, cast.returned, baseURL);
    await page.goto('/voter?code=no-such%2Fcode');
    await expect(page).toHaveURL(/\/voter\/confirm-email\?code=no-such%2Fcode$/);
    await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoBarriers(page);
  },
);

test(
  'the code of a confirmation mail waits until the voter has signed in',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/422/);
    await open(page, '/voter/confirm-email?code=abc');
    await expect(page).toHaveURL(/\/voter\/?\?code=abc$/);
    await fillIn(page, cast.returned.typed);
    await submit(page);
    await expect(page).toHaveURL(/\/voter\/confirm-email\?code=abc$/);
    await expect(page.getByRole('alert').getByRole('heading', { level: 1 })).toBeVisible();
  },
);

test('back and forward lead through the pages that were seen, and to no detour', async ({
  page,
  baseURL,
}) => {
  await open(page, '/voter/privacy');
  await signInByHand(page, cast.returned, baseURL);
  await expect(page).toHaveURL(/\/voter\/preferences$/);
  await page.locator('.top-bar-home').click();
  await expect(page).toHaveURL(/\/voter\/preferences$/);
  await page.evaluate(() => history.pushState(null, '', '/voter/dashboard'));
  await expect(page.getByRole('article')).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Contact Preferences' })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole('article')).toBeVisible();
});

test(
  'the language that a link asked for gives way to the one chosen afterwards',
  once,
  async ({ page }) => {
    await open(page, '/voter?language=SPANISH');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  },
);

test('members’ pages are kept by no cache', once, async ({ page, baseURL }) => {
  await signIn(page, cast.returned, baseURL);
  const answer = await page.goto('/voter/dashboard');
  expect(answer?.headers()['cache-control']).toBe('no-store');
});
