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
  await expect(page).toHaveTitle(/Rastree su boleta/);
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
  await open(page, '/voter?language=ENGLISH');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US');
});

test('a county with one language shows no language menu', once, async ({ page, baseURL }) => {
  await open(page, `${addressOf('lake', baseURL)}/voter`);
  await expect(page.locator('.language-menu')).toHaveCount(0);
});
