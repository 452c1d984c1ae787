import { cast } from '../demo/cast.ts';
import { inDays } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { comeFromElsewhere, open, signIn, submit } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

/** In these languages the form for one is also that of 21 and 31. */
const languages = [
  ['russian', 'Остался 21 день', 'исправьте 3 ошибки', 'исправьте 1 ошибку'],
  ['ukrainian', 'Залишився 21 день', 'виправте 3 помилки', 'виправте 1 помилку'],
] as const;

test(
  'where one is also 21, a voter reads the number: of days left, and of what to correct',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, {
      languages: ['english', ...languages.map(([language]) => language)],
    });
    await office.beacon(
      ...['election', 'set', '--account', office.subdomain, '--number', '2', '--active', 'true'],
      ...['--name', 'Winter Election', '--date', inDays(21).iso, '--return-rule', 'postmarked'],
      ...['--return-by', inDays(21).iso],
    );
    for (const [language, days, three, one] of languages) {
      await page.context().clearCookies();
      await open(page, `${office.url}/voter?language=${language}`);
      await submit(page);
      const summary = page.locator('.error-summary');
      await expect(summary).toContainText(three);
      await page.locator('[name="lastname"]').fill(office.typed.lastname);
      await page.locator('[name="zipcode"]').fill(office.typed.zipcode);
      await submit(page);
      await expect(summary).toContainText(one);

      const member = { ...cast.sent, typed: office.typed };
      await signIn(page, member, office.url, `/voter/dashboard?language=${language}`);
      await expect(page.locator('.return-deadline')).toContainText(days);
    }
    office.close();
  },
);
