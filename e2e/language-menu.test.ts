import { expect, once, test } from './fixtures.ts';
import { addressOf, comeFromElsewhere, fillIn, open } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the closed language menu shows the abbreviation of the language', async ({ page }) => {
  for (const [language, abbreviation] of [
    ['english', 'EN'],
    ['spanish', 'ES'],
  ]) {
    await open(page, `/voter?language=${language}`);
    await expect(page.locator('.language-menu summary')).toHaveText(abbreviation ?? '');
  }
});

test('another language changes the page at once, keeps what is typed, and lasts', async ({
  page,
}) => {
  await open(page, '/voter');
  await fillIn(page, { lastname: 'Whitfield' });
  await page.locator('.language-menu summary').click();
  await page.getByRole('link', { name: 'Español' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    '¿Dónde está mi boleta de voto por correo?',
  );
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
  await expect(page.locator('[name="lastname"]')).toHaveValue('Whitfield');
  const kept = (await page.context().cookies()).find(({ name }) => name === 'language');
  expect(kept).toMatchObject({ value: 'spanish', path: '/' });
  await expect(page).toHaveTitle(/Rastree su boleta/);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
  await open(page, '/voter?language=ENGLISH');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
});

test.describe('a browser that prefers Spanish', () => {
  test.use({ locale: 'es-US' });

  test('is shown English until its voter chooses', once, async ({ page }) => {
    await open(page, '/voter');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Where is my mail ballot?');
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('language');
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
