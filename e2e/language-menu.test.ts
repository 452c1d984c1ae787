import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the closed language menu says Language, and shows the abbreviation of the language', async ({
  page,
}) => {
  for (const [language, word, abbreviation] of [
    ['english', 'Language', 'EN'],
    ['spanish', 'Idioma', 'ES'],
  ] as const) {
    await open(page, `/voter?language=${language}`);
    const summary = page.locator('.language-menu summary');
    await expect(summary.locator('span')).toHaveText([word, abbreviation]);
    await expect(summary).toHaveAccessibleName(new RegExp(`^${word}`));
  }
});

test('every language can be seen at once, the office’s own order first, and a short screen shows that the list goes on', async ({
  page,
  isMobile,
}) => {
  await open(page, '/voter');
  await page.locator('.language-menu summary').click();
  const list = page.locator('.language-list');
  const entries = list.getByRole('link');
  await expect(entries).toHaveCount(21);
  for (const entry of await entries.all()) await expect(entry).toBeInViewport({ ratio: 1 });
  expect((await entries.allInnerTexts()).slice(0, 2).map((text) => text.split(/\s/)[0])).toEqual([
    'English',
    'Español',
  ]);

  await page.setViewportSize({ width: isMobile ? 844 : 1280, height: 390 });
  const { scrollHeight, clientHeight, background, bottom } = await list.evaluate((element) => ({
    scrollHeight: element.scrollHeight,
    clientHeight: element.clientHeight,
    background: getComputedStyle(element).backgroundAttachment,
    bottom: element.getBoundingClientRect().bottom,
  }));
  expect(scrollHeight).toBeGreaterThan(clientHeight);
  expect(bottom).toBeLessThanOrEqual(390);
  expect(background).toContain('scroll');
  await entries.last().focus();
  await expect(entries.last()).toBeInViewport({ ratio: 1 });
});

test(
  'another language changes the page at once, keeps what is typed, and lasts',
  once,
  async ({ page }) => {
    await open(page, '/voter');
    await fillIn(page, { lastname: 'Whitfield' });
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      '¿Dónde está mi boleta de voto por correo?',
    );
    await expect(page.locator('.language-menu summary')).toBeFocused();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await expect(page.locator('[name="lastname"]')).toHaveValue('Whitfield');
    const kept = (await page.context().cookies()).find(({ name }) => name === 'language');
    expect(kept).toMatchObject({ value: 'spanish', path: '/' });
    // It outlives the browser.
    expect(kept?.expires).toBeGreaterThan(Date.now() / 1000 + 300 * 86_400);
    await expect(page).toHaveTitle(/Rastree su boleta/);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await open(page, '/voter?language=ENGLISH');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
  },
);

test('the list of languages closes once the keyboard has gone past it', once, async ({ page }) => {
  await open(page, '/voter');
  const menu = page.locator('.language-menu');
  await menu.locator('summary').click();
  await expect(menu).toHaveJSProperty('open', true);
  await menu.getByRole('link').last().focus();
  await page.keyboard.press('Tab');
  await expect(menu).toHaveJSProperty('open', false);
});

test.describe('a browser that prefers Spanish', () => {
  test.use({ locale: 'es-US' });

  test('is shown English, with one question in Spanish that turns the page', async ({ page }) => {
    await open(page, '/voter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where is my mail ballot?');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('language');

    const question = page.getByRole('link', { name: '¿Español?' });
    await expect(question).toHaveAttribute('lang', 'es-US');
    await expectNoBarriers(page);
    await fillIn(page, { lastname: 'Whitfield' });
    await question.click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await expect(question).toHaveCount(0);
    await expect(page.locator('.language-menu summary')).toBeFocused();
    await expect(page.locator('[name="lastname"]')).toHaveValue('Whitfield');
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await expect(question).toHaveCount(0);
  });

  test('keeps English once it is chosen in the menu, and asks no more', once, async ({ page }) => {
    await open(page, '/voter');
    const question = page.getByRole('link', { name: '¿Español?' });
    await expect(question).toBeVisible();
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'English' }).click();
    await expect(question).toHaveCount(0);
    const kept = (await page.context().cookies()).find(({ name }) => name === 'language');
    expect(kept).toMatchObject({ value: 'english', path: '/' });
    await open(page, '/voter/faq');
    await expect(question).toHaveCount(0);
  });

  test(
    'asks nothing where the language was chosen, or is not offered',
    once,
    async ({ page, baseURL }) => {
      await open(page, `${addressOf('lake', baseURL)}/voter`);
      await expect(page.locator('.top-bar')).toBeVisible();
      await expect(page.locator('.language-offer')).toHaveCount(0);
      await open(page, '/voter?language=english');
      await expect(page.locator('.top-bar')).toBeVisible();
      await expect(page.locator('.language-offer')).toHaveCount(0);
      await open(page, '/voter/faq');
      await expect(page.locator('.language-offer')).toHaveCount(0);
    },
  );
});

test.describe('a browser that prefers Arabic', () => {
  test.use({ locale: 'ar', javaScriptEnabled: false });

  test('is asked from right to left, also without the script', async ({ page }) => {
    await page.goto('/voter');
    const question = page.getByRole('link', { name: 'العربية؟' });
    await expect(question).toHaveAttribute('dir', 'rtl');
    await question.click();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expect(page.locator('.language-offer')).toHaveCount(0);
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
  });
});

test.describe('before the script has arrived', () => {
  test.use({ javaScriptEnabled: false });

  test('another language keeps what the address says', once, async ({ page }) => {
    await page.goto('/voter/unsubscribe?key=any&email=ines%2Bballot%40example.com');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await expect(page.locator('main')).toContainText('ines+ballot@example.com');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Français' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
    await expect(page.locator('main')).toContainText('ines+ballot@example.com');

    await page.goto('/voter/qr-login?guid=any');
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page).toHaveURL(/\/voter\/qr-login\?guid=any&language=spanish$/);
  });
});

test(
  'a county with one language shows no language menu, one with more does',
  once,
  async ({ page, baseURL }) => {
    await open(page, '/voter');
    await expect(page.locator('.language-menu')).toBeVisible();
    await open(page, `${addressOf('lake', baseURL)}/voter`);
    await expect(page.locator('.top-bar')).toBeVisible();
    await expect(page.locator('.language-menu')).toHaveCount(0);
  },
);

test(
  'between a phone’s and a computer’s size the list of languages stays on the screen',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.longName, baseURL, '/voter/dashboard');
    for (const width of [720, 768, 820, 1024]) {
      await page.setViewportSize({ width, height: 1024 });
      const menu = page.locator('.language-menu');
      await menu.locator('summary').click();
      await expect(menu.getByRole('link').first()).toBeInViewport({ ratio: 1 });
      const list = menu.locator('.language-list');
      const { left, right } = await list.evaluate((element) => element.getBoundingClientRect());
      expect([Math.min(left, 0), Math.max(right, width)]).toEqual([0, width]);
      await menu.locator('summary').click();
    }
  },
);
