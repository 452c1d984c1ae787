import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const pages = [
  ['privacy', 'Our commitment to your privacy', 'No one can see how you voted, including us.'],
  ['faq', 'Frequently asked questions', 'Can anyone see how I voted?'],
  ['sms-policy', 'SMS Terms', 'You will typically get 2-5 messages per election.'],
  ['accessibility', 'Accessibility statement', 'Every voter should be able to use this site.'],
] as const;

for (const [path, title, words] of pages) {
  test(`anyone may read /voter/${path}, and finds the way to the product`, async ({ page }) => {
    await open(page, `/voter/${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page).toHaveTitle(new RegExp(`^${title} – `));
    await expect(page.locator('main')).toContainText(words);
    await expect(page.locator('.top-bar').getByRole('link').first()).toHaveAttribute(
      'href',
      /^\/voter\/?$/,
    );
    await page.getByRole('link', { name: 'Visit Ballot Beacon' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  test(`/voter/${path} can be read without JavaScript`, once, async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      ...(baseURL && { baseURL }),
    });
    const page = await context.newPage();
    await page.goto(`/voter/${path}`);
    await expect(page.locator('main')).toContainText(words);
    await context.close();
  });

  test(`/voter/${path} can be had in another language, and stays in it`, once, async ({ page }) => {
    await open(page, `/voter/${path}`);
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
    await expect(page.getByRole('link', { name: 'Visitar Ballot Beacon' })).toBeVisible();
    await expect(page.locator('main')).not.toContainText(words);
    await expect(page.locator('main .loading')).toHaveCount(0);
    const inSpanish = await page.locator('main').innerText();
    await page.reload();
    await expect(page.locator('main')).toHaveText(inSpanish, { useInnerText: true });
  });

  for (const scheme of ['light', 'dark'] as const)
    test(
      `/voter/${path} has no barrier that can be found and fits 320 pixels: ${scheme}`,
      once,
      async ({ page }) => {
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.setViewportSize({ width: 320, height: 640 });
        await open(page, `/voter/${path}`);
        for (const summary of await page.locator('main summary').all()) await summary.click();
        await expectNoBarriers(page);
        await expectNoOverhang(page);
      },
    );
}

test('a signed-in voter finds every supporting page: questions, privacy, SMS terms, release notes, unsubscribing', async ({
  page,
  baseURL,
}) => {
  await signIn(page, cast.leapDay, baseURL, '/voter/dashboard');
  const footer = page.locator('.footer');
  const close = page.getByRole('dialog').getByRole('button', { name: 'Close' });
  for (const [link, words] of [
    [footer.getByRole('link', { name: 'Voter FAQ' }), 'Can anyone see how I voted?'],
    [footer.getByRole('link', { name: 'Your Privacy & Security' }), 'No one can see how you voted'],
    [footer.getByRole('link', { name: 'SMS Terms' }), 'You will typically get 2-5 messages'],
    [footer.getByRole('button', { name: 'Release Notes' }), 'add that date to your calendar'],
  ] as const) {
    await link.click();
    await expect(page.getByRole('dialog')).toContainText(words);
    await close.click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await open(page, '/voter/unsubscribe?key=k&email=ida@example.com');
  await expect(page.getByRole('button', { name: 'Unsubscribe' })).toBeVisible();
});

test('every page leads to the accessibility statement, which says whom to tell of a barrier', async ({
  page,
}) => {
  for (const path of ['/voter', '/voter/faq']) {
    await open(page, path);
    await page.getByRole('link', { name: 'Accessibility statement' }).click();
    await expect(page).toHaveURL(/\/voter\/accessibility$/);
  }
  const report = page.locator('section', { has: page.getByText('Report a barrier') });
  await expect(report).toContainText('(850) 555-0100');
  await expect(report).toContainText('ballots@harbor-county.example');
});

test(
  'a language that no native reviewer has been through says so, and English does not',
  once,
  async ({ page }) => {
    const mark = page.locator('.footer-unreviewed');
    for (const path of ['/voter', '/voter/privacy']) {
      await page.goto(`${path}?language=spanish`);
      await expect(mark).toContainText('vale el texto en inglés');
      await page.goto(`${path}?language=english`);
      await expect(mark).toHaveCount(0);
    }
  },
);

test(
  'the SMS terms say what STOP and HELP do, and lead to the privacy page',
  once,
  async ({ page }) => {
    await open(page, '/voter/sms-policy');
    await expect(page.locator('main li')).toHaveText([
      'Alerts let you know when your ballot was printed, sent, undeliverable, returned, rejected, accepted, or voted in person. Alerts may vary by election office.',
      'You will typically get 2-5 messages per election.',
      "You can cancel at any time. Text STOP to 41575. You'll get one message that confirms you're unsubscribed, and no more after that.",
      'Text HELP to 41575 to get assistance.',
      'Carriers are not liable for delayed or undelivered messages.',
      'Message and data rates may apply.',
    ]);
    await expect(page.getByRole('link', { name: 'Visit Ballot Beacon' })).toHaveAttribute(
      'href',
      /^\/voter\/?$/,
    );
    await page.getByRole('link', { name: 'Our commitment to your privacy' }).click();
    await expect(page).toHaveURL(/\/voter\/privacy$/);
  },
);

async function expectNoOverhang(page: Page): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
