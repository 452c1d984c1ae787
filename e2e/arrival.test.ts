import type { Page } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { comeFromElsewhere, signIn, signInByHand } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const sizes = [
  { width: 390, height: 664 },
  { width: 390, height: 844 },
  { width: 1366, height: 650 },
] as const;

for (const size of sizes)
  test(
    `at ${size.width} × ${size.height} the answer is in sight after signing in, and at every page the top and its heading`,
    once,
    async ({ page, baseURL }) => {
      await page.setViewportSize(size);
      const office = await openOffice(baseURL);
      const member = {
        ...cast.sent,
        typed: office.typed,
        account: office.subdomain,
      } as unknown as CastMember;
      await signIn(page, member, baseURL);
      await page.evaluate(() =>
        fetch('/api/voter/information/me', {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: '{"language_preference":"english"}',
        }),
      );
      await page.context().clearCookies();
      await signInByHand(page, member, baseURL);
      office.close();
      await expect(page).toHaveURL(/\/voter\/dashboard$/);
      await expectArrival(page);
      await expect(page.locator('.ballot-meaning').first()).toBeInViewport({ ratio: 1 });

      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page
        .getByRole('button', { name: /Log out|Cerrar sesión/ })
        .first()
        .click();
      await expect(page.locator('#login-form')).toBeVisible();
      await expectArrival(page);
    },
  );

test('a first visit arrives at the top of the preferences', async ({ page, baseURL }) => {
  await signInByHand(page, cast.returned, baseURL);
  await expect(page).toHaveURL(/\/voter\/preferences$/);
  await expectArrival(page);
});

test('the status is a heading, and the title begins with it', async ({ page, baseURL }) => {
  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await expect(
    page.getByRole('heading', { name: 'Your ballot is on its way to you.' }),
  ).toBeVisible();
  await expect(page).toHaveTitle('Sent – Your mail ballot – Harbor County Supervisor of Elections');
  const answer = await page.request.get('/voter/dashboard');
  expect(await answer.text()).toContain('<title>Sent – Your mail ballot');
});

async function expectArrival(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
}
