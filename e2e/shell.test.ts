import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
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
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await page.keyboard.press('Tab');
    await expect(
      page.getByRole('link', { name: 'Skip to your contact preferences' }),
    ).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('#field-email')).toBeFocused();
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

test.describe('the voter’s details', () => {
  let office: Office;
  test.beforeAll(async ({ baseURL }) => {
    test.setTimeout(120_000);
    office = await openOffice(baseURL);
  });
  test.afterAll(() => office.close());

  test('open and close with their button, by Escape and by going elsewhere', async ({ page }) => {
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    const button = page.getByRole('button', { name: /Ines Marlowe/ });
    const panel = page.getByRole('region', { name: 'Your details' });
    await expect(panel).toBeHidden();
    await button.click();
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    for (const fact of ['Ines Marlowe', '12 Harbor Lane', 'Marlowe Springs', 'FL', '32001'])
      await expect(panel.getByText(fact, { exact: true })).toBeVisible();
    await expect(panel.getByRole('link', { name: '(352) 555-0123' })).toHaveAttribute(
      'href',
      'tel:+13525550123',
    );
    await expect(panel.getByRole('link', { name: 'help@marlowe.example' })).toBeVisible();
    await expectNoBarriers(page);

    await button.click();
    await expect(panel).toBeHidden();
    await button.click();
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(button).toBeFocused();
    await button.click();
    await page.locator('footer p').last().click();
    await expect(panel).toBeHidden();
  });

  test('are closed again after the next sign-in', once, async ({ page }) => {
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    await page.locator('.top-bar-tools > .button', { hasText: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await fillIn(page, office.typed);
    await submit(page);
    await expect(page.getByRole('button', { name: /Ines Marlowe/ })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Your details' })).toBeHidden();
  });

  test('show the office’s own words in place of phone and email', once, async ({ page }) => {
    const html = '<p>Visit us at <strong>1 Court Square</strong>.<script>alert(1)</script></p>';
    const of = ['--account', office.subdomain, '--language', 'english'];
    await office.beacon('translation', 'set', 'profile.countyInfo.html', html, ...of);
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await page.getByRole('button', { name: /Ines Marlowe/ }).click();
    const panel = page.getByRole('region', { name: 'Your details' });
    await expect(panel.locator('strong')).toHaveText('1 Court Square');
    await expect(panel.locator('script')).toHaveCount(0);
    await expect(panel.getByRole('link', { name: '(352) 555-0123' })).toHaveCount(0);
  });
});

test(
  'a county without phone and email shows the product’s own',
  once,
  async ({ page, baseURL }) => {
    test.setTimeout(120_000);
    const office = await openOffice(baseURL, { contact_phone: '', contact_email: '' });
    await open(page, `${office.url}/voter`);
    const help = page.getByRole('region', { name: 'Need help?' });
    await expect(help.getByRole('link', { name: /\(800\) \d{3}-\d{4}/ })).toBeVisible();
    await expect(help.getByRole('link', { name: /@/ })).toBeVisible();
    office.close();
  },
);

test('on a phone the details lead to the ballots, previous ones only where there are some', async ({
  page,
  baseURL,
  isMobile,
}) => {
  await signIn(page, cast.accepted, baseURL, '/voter/preferences');
  const actions = page.locator('.profile-actions');
  await page.getByRole('button', { name: /Margaret/ }).click();
  if (!isMobile) return await expect(actions).toBeHidden();

  await expect(actions.getByRole('button', { name: 'Previous Mail Ballots' })).toHaveCount(0);
  await actions.getByRole('button', { name: 'Current Mail Ballot Status' }).click();
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(page.locator('.dashboard-main')).toBeFocused();
  await expect(page.getByRole('article')).toBeInViewport();

  await page.getByRole('button', { name: /Margaret/ }).click();
  await actions.getByRole('button', { name: 'Previous Mail Ballots' }).click();
  const previous = page.getByRole('region', { name: 'Previous Mail Ballots' });
  await expect(previous).toBeInViewport();
  await expect(previous).toBeFocused();

  await page.getByRole('button', { name: /Margaret/ }).click();
  await actions.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('on a phone a voter without previous ballots is offered none', async ({
  page,
  baseURL,
  isMobile,
}) => {
  await signIn(page, cast.returned, baseURL);
  const asked = page.waitForResponse((response) => response.url().includes('archive-ballot'));
  await open(page, '/voter/dashboard');
  await asked;
  await page.getByRole('button', { name: /Soledad/ }).click();
  const actions = page.locator('.profile-actions');
  if (!isMobile) return await expect(actions).toBeHidden();
  await expect(actions.getByRole('button')).toHaveText(['Current Mail Ballot Status', 'Log out']);
});

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
    'Exactly as on your voter registration.',
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
  await expect(alerts.locator('svg.icon')).toBeVisible();

  await signIn(page, cast.curlyApostrophe, baseURL);
  await page.locator('#field-email').fill(`anthony-${project.name}-${Date.now()}@example.com`);
  await page.locator('#contact-preferences button[type="submit"]').click();
  await expect(page.locator('.alert[data-type="success"]')).toContainText('Success:');
  await expect(page.locator('.alert[data-type="notice"]')).toContainText('Notice:');
  await expect(alerts.locator('svg.icon')).toHaveCount(2);
  await page.getByRole('button', { name: 'Close messages' }).click();
  await expect(alerts).toHaveCount(0);
});

test('the closed language menu shows the abbreviation of the language', async ({ page }) => {
  for (const [language, abbreviation] of [
    ['english', 'EN'],
    ['spanish', 'ES'],
  ]) {
    await open(page, `/voter?language=${language}`);
    await expect(page.locator('.language-menu summary')).toHaveText(abbreviation ?? '');
  }
});

test('help names the county, its phone and its email', async ({ page }) => {
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
      await expect(page.locator('.alert')).toContainText(
        'You have been logged out in another tab.',
      );
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
  'a page that the browser brings back is held against the session before it is read',
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
    await signIn(page, cast.sent, baseURL);
    await page.waitForLoadState('networkidle');
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
  'a reload after such a log-out does not bring the session back',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL);
    await page.evaluate(() => localStorage.setItem('beacon.ending', '1'));
    await page.goto('/voter/dashboard');
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

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
  for (const scheme of ['light', 'dark'] as const)
    test(`${path} has no barrier that can be found, in ${scheme} colours, and fits 320 pixels and doubled text`, async ({
      page,
      baseURL,
    }) => {
      await page.emulateMedia({ colorScheme: scheme });
      await (who ? signIn(page, who, baseURL, path) : open(page, path));
      if (path === '/voter/dashboard') await expect(page.getByRole('article')).toBeVisible();
      await expectNoBarriers(page);
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
