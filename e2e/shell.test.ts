import { cast } from '../demo/cast.ts';
import { expectNoBarriersInAnyColors } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { save } from './preferences-form.ts';
import { comeFromElsewhere, fillIn, open, signIn, signInByHand, submit } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test.describe('the first stop of the keyboard', () => {
  test('leads a visitor to the first-name field', async ({ page }) => {
    await open(page, '/voter');
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the sign-in form' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('First name')).toBeFocused();
  });

  test('leads a signed-in voter to the email field', async ({ page, baseURL }) => {
    for (const path of ['/voter/dashboard', '/voter/preferences']) {
      await signIn(page, cast.sent, baseURL, path);
      await page.keyboard.press('Tab');
      const skip = page.getByRole('link', { name: 'Skip to your contact preferences' });
      await expect(skip).toBeFocused();
      await expect(skip).toBeInViewport();
      await page.keyboard.press('Enter');
      const email = page.getByRole('textbox', { name: 'Email address' });
      await expect(email).toBeFocused();
      await expect(email).toBeInViewport();
    }
  });
});

test('the top bar shows the county, the voter’s name and a way out', async ({ page, baseURL }) => {
  await signIn(page, cast.sent, baseURL);
  const bar = page.locator('.top-bar');
  await expect(bar).toContainText('Harbor County Supervisor of Elections');
  await expect(bar.locator('img.top-bar-logo')).toBeVisible();
  await expect(bar.getByRole('button', { name: /Darnell .*Pruitt/ })).toBeVisible();
  await expect(bar.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'a voter whose only way to alerts the office has given up is asked to sign up again',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const member = { ...cast.sent, typed: office.typed };
    await signIn(page, member, office.url, '/voter/preferences');
    await save(page, { phone_sms: '3525550123', sms_opt_in: true });
    await page.goto(`${office.url}/voter/dashboard`);
    const link = page.getByRole('link', { name: 'Sign Up for Ballot Status Alerts' });
    await expect(page.locator('.ballot')).toBeVisible();
    await expect(link).toHaveCount(0);
    await office.apply({ delivery_types: ['email'] });
    await page.reload();
    await expect(link).toBeVisible();
    office.close();
  },
);

test('Sign Up for Ballot Status Alerts leads to the contact preferences', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await page.getByRole('link', { name: 'Sign Up for Ballot Status Alerts' }).click();
  await expect(page.getByRole('heading', { name: 'Contact Preferences' })).toBeInViewport();
});

test('the footer has the year and opens what is worth reading', async ({ page, baseURL }) => {
  await open(page, '/voter');
  const footer = page.locator('footer');
  await expect(footer).toContainText(`© ${new Date().getFullYear()}`);
  for (const name of ['Voter FAQ', 'Your Privacy & Security', 'SMS Terms'])
    await expect(footer.getByText(name)).toBeVisible();
  await expect(footer.getByText('Release Notes')).toHaveCount(0);
  await signIn(page, cast.sent, baseURL);
  await expect(footer.getByText('Release Notes')).toBeVisible();
});

test('a county’s name cannot break out of the title', once, async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const office = await openOffice(baseURL, { name: 'A</title><script>"1"/2</script>' });
  const answer = await page.goto(`${office.url}/voter`);
  const title = /<title>(.*?)<\/title>/s.exec((await answer?.text()) ?? '')?.[1] ?? '';
  expect(title).toContain(
    'A&lt;&#x2F;title&gt;&lt;script&gt;&quot;1&quot;&#x2F;2&lt;&#x2F;script&gt;',
  );
  await expect(page).toHaveTitle('Track your mail ballot – A</title><script>"1"/2</script>');
  office.close();
});

test('the login page has an introduction, the form with its hints, help and a footer', async ({
  page,
}) => {
  await open(page, '/voter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where is my mail ballot?');
  await expect(page.locator('.hero-text')).toContainText('Follow your ballot');
  await expect(page.locator('.hero-logo')).toBeVisible();
  await expect(page.getByLabel('First name')).toHaveAccessibleDescription(
    'Exactly as it is on your voter registration.',
  );
  await expect(page.getByLabel('Date of birth')).toHaveAccessibleDescription('MM-DD-YYYY');
  for (const label of ['Last name', 'ZIP code']) await expect(page.getByLabel(label)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Need help?' })).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
});

test(
  'what is sent to sign in are the five fields, backslashes in the birth date as slashes',
  once,
  async ({ page }) => {
    await open(page, '/voter');
    await fillIn(page, { ...cast.sent.typed, birthdate: '09\\02\\1987' });
    const sent = page.waitForRequest('**/api/voter/session');
    await submit(page);
    expect((await sent).postDataJSON()).toEqual({
      ...cast.sent.typed,
      birthdate: '09/02/1987',
      recaptcha: 'off',
    });
    await expect(page.locator('.top-bar').getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test('an alert is of its type by its icon and its words, and one press closes all', async ({
  page,
  baseURL,
  expectConsole,
}, { project }) => {
  expectConsole(/status of 401/);
  const alerts = page.locator('.alert');
  await open(page, '/voter');
  await fillIn(page, { ...cast.sent.typed, lastname: 'Nobody' });
  await submit(page);
  await expect(alerts).toContainText('Error:');
  const iconOf = (type: string) => page.locator(`.alert[data-type="${type}"] svg.icon`).innerHTML();
  const icons = [await iconOf('error')];

  await signIn(page, cast.curlyApostrophe, baseURL);
  await page.locator('#field-email').fill(`anthony-${project.name}-${Date.now()}@example.com`);
  await page.locator('#contact-preferences button[type="submit"]').click();
  await expect(page.locator('.alert[data-type="success"]')).toContainText('Success:');
  await expect(page.locator('.alert[data-type="notice"]')).toContainText('Notice:');
  icons.push(await iconOf('success'), await iconOf('notice'));
  expect(new Set(icons).size).toBe(3);
  await page.getByRole('button', { name: 'Close messages' }).click();
  await expect(alerts).toHaveCount(0);
});

test('help names the county, its phone and its email', once, async ({ page }) => {
  await open(page, '/voter');
  const help = page.getByRole('region', { name: 'Need help?' });
  // Without what keeps a number in one piece: isolates, hard spaces and hyphens.
  const words = (await help.locator('p').first().innerText())
    .replaceAll(/[\u2060\u2068\u2069]/g, '')
    .replaceAll('\u00a0', ' ')
    .replaceAll('\u2011', '-');
  expect(words).toBe(
    'If you have questions, contact Harbor County Supervisor of Elections at (850) 555-0100 or ballots@harbor-county.example.',
  );
});

test(
  'the QR login stands before the office’s picture, or a hero of the product’s own',
  once,
  async ({ page, baseURL }) => {
    test.setTimeout(120_000);
    const office = await openOffice(baseURL);
    await page.route('**/api/voter/qr-validate/**', (route) => route.fulfill({ status: 204 }));
    const pictureOf = () =>
      page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--hero-picture'),
      );
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(page, '/voter/qr-login?guid=a');
    expect(await pictureOf()).toContain('/account-image/background/');
    await open(page, `${office.url}/voter/qr-login?guid=a`);
    expect(await pictureOf()).not.toContain('url(');
    await expect(page.getByRole('button', { name: 'Register / Log In' })).toBeVisible();
    office.close();
  },
);

test('the office’s picture is dropped on screens up to 425 pixels wide', once, async ({ page }) => {
  const pictures: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/account-image/background/')) pictures.push(request.url());
  });
  const hero = page.locator('.hero');
  const pictureOf = () =>
    hero.evaluate((element) => {
      const root = getComputedStyle(document.documentElement).getPropertyValue('--hero-picture');
      return root || getComputedStyle(element).backgroundImage;
    });
  await page.setViewportSize({ width: 425, height: 800 });
  await open(page, '/voter');
  await expect(page.locator('.hero-logo')).toBeVisible();
  expect(await pictureOf()).not.toContain('url(');
  expect(pictures).toEqual([]);
  await page.setViewportSize({ width: 426, height: 800 });
  await expect.poll(pictureOf).toContain('url(');
});

test(
  'page views are counted without whose, and not for those who ask not to be',
  once,
  async ({ page, baseURL, browser }) => {
    const counted: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/page-view')) counted.push(request.postDataJSON());
    });
    await signInByHand(page, cast.sent, baseURL);
    await expect.poll(() => counted).toContainEqual({ name: 'page:preferences' });
    // The sign-in's own was counted with the page, and what lies between the two is none.
    expect(counted).toEqual([{ name: 'page:preferences' }]);

    const context = await browser.newContext({ ...(baseURL !== undefined && { baseURL }) });
    await context.addInitScript(() =>
      Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }),
    );
    const private_ = await context.newPage();
    await comeFromElsewhere(private_);
    let isCounted = false;
    private_.on('request', (request) => {
      if (request.url().endsWith('/page-view')) isCounted = true;
    });
    await signInByHand(private_, cast.sent, baseURL);
    await open(private_, '/voter/dashboard');
    expect(isCounted).toBe(false);
    await context.close();
  },
);

for (const [path, who] of [
  ['/voter', null],
  ['/voter/dashboard', cast.accepted],
  ['/voter/preferences', cast.accepted],
  ['/voter/privacy', null],
] as const)
  test(`${path} has no detectable barrier, in light and in dark colors, and fits 320 pixels and doubled text`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await (who ? signIn(page, who, baseURL, path) : open(page, path));
    if (path === '/voter/dashboard') await expect(page.getByRole('article')).toBeVisible();
    await expectNoBarriersInAnyColors(page);
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
      expect(overhang, `${width} pixels at ${size}`).toBeLessThanOrEqual(0);
    }
  });
