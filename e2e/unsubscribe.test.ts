import type { Page } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { openOffice } from './office.ts';
import { ofProject } from './preferences-form.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';
import { enter, savePreferences } from './voter-steps.ts';

const standardText =
  'There was an error removing your email. Please click the link in your email to unsubscribe.';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a mailed link changes nothing by itself; its button removes the address',
  once,
  async ({ page: own, browser, baseURL }, info) => {
    const member = ofProject(info, cast.stopped, cast.stoppedReturn);
    const email = `leaving-${info.project.name}@example.com`;
    const link = await readMailedLink(own, member, email, baseURL);

    // Opened where nobody is signed in, as in a mail program's own browser.
    const visitor = await browser.newContext({ ...(baseURL && { baseURL }) });
    const page = await visitor.newPage();
    await open(page, link);
    await expect(page.locator('main')).toContainText(email);
    const visit = page.getByRole('link', { name: 'Visit Ballot Beacon' });
    await expect(visit).toHaveAttribute('href', '/');
    expect(await readOwn(own)).toMatchObject({ email, email_opt_in: true });

    const sent = page.waitForRequest('**/api/voter/unsubscribe');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    const key = new URL(link, page.url()).searchParams.get('key');
    expect((await sent).postDataJSON()).toEqual({ key, email });
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Unsubscribe Successful');
    await expect(heading).toBeFocused();
    await expect(page.locator('main')).toContainText(`The email address ${email} was removed.`);
    expect(await visitor.cookies()).toEqual([]);
    expect(await readOwn(own)).toMatchObject({ email_opt_in: false });
    await open(own, '/voter/dashboard');
    await expect(own.locator('[name="email-opt-in"]')).not.toBeChecked();
    await expectNoBarriers(page);

    await expect(visit).toHaveAttribute('href', '/');
    await visit.click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await visitor.close();
  },
);

test(
  'a voter who unsubscribes while signed in finds it so in the contact preferences',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const email = `ines-${office.subdomain}@example.com`;
    await enter(page, office);
    await savePreferences(page, { email, email_opt_in: true });
    const link = await findLink(page, office.subdomain, email);
    await open(page, office.url + link);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe Successful');
    await page.locator('.top-bar-home').click();
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(page.locator('[name="email-opt-in"]')).not.toBeChecked();
    office.close();
  },
);

for (const [missing, query] of [
  ['a key', 'email=ida@example.com'],
  ['an address', 'key=abc'],
  ['both', ''],
] as const)
  test(`a link without ${missing} says that it is no good`, once, async ({ page }) => {
    await open(page, `/voter/unsubscribe?${query}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe Error');
    await expect(page.locator('.unsubscribe').getByRole('alert')).toHaveText(standardText);
    await expect(page.getByRole('button', { name: 'Unsubscribe' })).toHaveCount(0);
    await expectNoBarriers(page);
  });

test(
  'a link that is refused shows the server’s own words',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/the server responded with a status of 400/);
    await open(page, '/voter/unsubscribe?key=forged&email=ida@example.com');
    const answer = page.waitForResponse('**/api/voter/unsubscribe');
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Unsubscribe Error');
    const { detail } = (await (await answer).json()) as { detail: string };
    await expect(page.locator('.unsubscribe').getByRole('alert')).toHaveText(detail);
  },
);

test(
  'any other failure shows the standard words, and can be tried again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/Failed to load resource/);
    for (const status of [429, 503]) {
      await open(page, '/voter/unsubscribe?key=forged&email=ida@example.com');
      const answer = await holdCalls(page, '**/api/voter/unsubscribe', (route) =>
        route.fulfill({
          status,
          contentType: 'application/problem+json',
          json: { title: 'Not now', status, detail: 'Words that are for nobody' },
        }),
      );
      await page.getByRole('button', { name: 'Unsubscribe' }).click();
      await expect(page.getByRole('status')).toHaveText('Unsubscribing…');
      await answer();
      await expect(page.locator('.unsubscribe').getByRole('alert')).toHaveText(standardText);
      await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
      await page.unroute('**/api/voter/unsubscribe');
    }
  },
);

/** Opts in by email, and takes the unsubscribe link out of the welcome email. */
async function readMailedLink(
  page: Page,
  member: CastMember,
  email: string,
  baseURL: string | undefined,
): Promise<string> {
  await signIn(page, member, baseURL);
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/voter/information/me', { method: 'PATCH', headers, body })).status;
    },
    JSON.stringify({ email, email_opt_in: true }),
  );
  expect(status).toBe(200);
  return findLink(page, 'demo', email);
}

/** The unsubscribe link of a mail to this address, out of the mailbox of the local provider. */
async function findLink(page: Page, account: string, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const outbox = await (await page.request.get(`/outbox?account=${account}`)).text();
        const message = outbox.split('<article>').find((article) => article.includes(email));
        link = /\/voter\/unsubscribe\?[^\s"<]+/.exec(message ?? '')?.[0].replaceAll('&amp;', '&');
        return link;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return link ?? '';
}

async function readOwn(page: Page): Promise<unknown> {
  return page.evaluate(async () => (await fetch('/api/voter/information/me')).json());
}
