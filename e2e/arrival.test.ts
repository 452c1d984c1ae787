import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { comeFromElsewhere, signIn, signInByHand } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const sizes = {
  phone: [
    { width: 390, height: 664 },
    { width: 390, height: 844 },
  ],
  desktop: [{ width: 1366, height: 650 }],
} as const;

test('after every change of page the window is at the top and the focus on the heading, with the answer in sight', async ({
  page,
  baseURL,
}, info) => {
  const office = await openOffice(baseURL);
  const member = { ...cast.sent, typed: office.typed };
  await signIn(page, member, office.url);
  // Who has saved once arrives at the ballots.
  await page.evaluate(() =>
    fetch('/api/voter/information/me', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"language_preference":"english"}',
    }),
  );
  for (const size of sizes[info.project.name as keyof typeof sizes]) {
    await page.setViewportSize(size);
    await page.context().clearCookies();
    await signInByHand(page, member, office.url);
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expectArrival(page, 'Current Mail Ballot Status');
    await expect(page.locator('.ballot-meaning').first()).toBeInViewport({ ratio: 1 });

    for (const [link, heading] of [
      ['Alerts', 'Contact Preferences'],
      ['What we sent you', 'What we sent you'],
      ['My ballot', 'Current Mail Ballot Status'],
    ] as const) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.locator('.frame').getByRole('link', { name: link }).first().press('Enter');
      await expectArrival(page, heading);
    }
    await expect(page.locator('.ballot-meaning').first()).toBeInViewport({ ratio: 1 });

    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).press('Enter');
    await expect(page.locator('#login-form')).toBeVisible();
    await expectArrival(page, 'Where is my mail ballot?');
  }
  office.close();
});

test('a first visit arrives at the top of the preferences', async ({ page, baseURL }, info) => {
  for (const size of sizes[info.project.name as keyof typeof sizes]) {
    await page.setViewportSize(size);
    await page.context().clearCookies();
    await signInByHand(page, cast.returned, baseURL);
    await expect(page).toHaveURL(/\/voter\/preferences$/);
    await expectArrival(page, 'Contact Preferences');
    await expect(page.locator('.first-visit')).toBeInViewport({ ratio: 1 });
  }
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

async function expectArrival(page: Page, heading: string): Promise<void> {
  const main = page.getByRole('heading', { level: 1, name: heading });
  await expect(main).toBeFocused();
  await expect(main).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
}

test('what comes late moves nothing that a voter may be about to tap', async ({
  page,
  baseURL,
}) => {
  const { promise: isWanted, resolve: letCome } = Promise.withResolvers<void>();
  await page.route(/\/assets\/kept-page-|\/archive-ballot/, async (route) => {
    await isWanted;
    await route.continue();
  });
  await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
  const choice = page.locator('.remember').getByRole('checkbox');
  await expect(choice).toHaveCount(0);
  const tapped = ['#contact-preferences', '.print'].map((one) => page.locator(one));
  const findAll = () => Promise.all(tapped.map((element) => element.boundingBox()));
  const before = await findAll();
  letCome();
  await expect(choice).toBeVisible();
  await expect(page.locator('.past-ballot')).toHaveCount(2);
  expect(await findAll()).toEqual(before);
});
