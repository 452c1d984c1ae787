import type { Page } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import {
  alert,
  field,
  form,
  ofProject,
  openForm,
  readOwn,
  refused,
  save,
} from './preferences-form.ts';
import { problem } from './problem.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';
import { goOnTo } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a welcome email’s link confirms the address only once its voter is signed in',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.apostrophe, cast.curlyApostrophe);
    const email = `welcome-${info.project.name}@example.com`;
    await openForm(page, member, baseURL, { email: '', email_opt_in: false });
    await save(page, { email, email_opt_in: true });
    const link = await readWelcomeLink(page, email);
    expect((await readOwn(page)).is_valid_email).toBeNull();
    await page.context().clearCookies({ name: /session/ });

    await open(page, link);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await signInHere(page, member);
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(alert(page, 'success')).toContainText('Your email address is confirmed.');
    await expect(form(page).locator('.contact-known[data-look="good"]')).toHaveText('Confirmed');
  },
);

test(
  'a link’s page that is left before the answer says on the next page that the address is confirmed',
  once,
  async ({ page, baseURL }) => {
    const email = 'gone-on@example.com';
    await openForm(page, cast.fixId, baseURL, { email: '', email_opt_in: false });
    await save(page, { email, email_opt_in: true });
    const link = await readWelcomeLink(page, email);
    const answer = await holdCalls(page, '**/api/voter/information/me');
    await open(page, link);
    await expect(page).toHaveURL(/\/voter\/confirm-email\?/);
    await goOnTo(page, 'My ballot');
    await field(page, 'voice').fill('850');
    await answer();
    await expect(alert(page, 'success')).toContainText('Your email address is confirmed.');
    await expect(form(page).locator('.contact-known[data-look="good"]')).toHaveText('Confirmed');
    await expect(field(page, 'voice')).toHaveValue('850');
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
  },
);

test(
  'a link that is answered after the log-out says nothing to the next person',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(422));
    const answer = await holdCalls(page, '**/api/voter/information/me', (route) =>
      route.fulfill(problem(422, 'Failed Validation')),
    );
    await signIn(page, cast.sent, baseURL, '/voter/confirm-email?code=any');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.locator('.alert')).toHaveText(/You're logged out\.$/);
    await answer();
    await expect(page.locator('.alert')).toHaveText(/You're logged out\.$/);
  },
);

test(
  'a link whose code is not the voter’s says so and changes nothing',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(503));
    expectConsole(refused(422));
    await openForm(page, cast.missingRow, baseURL);
    const confirming = '**/api/voter/information/me';
    await page.route(confirming, (route) => route.fulfill(problem(503, 'Away')));
    await open(page, '/voter?code=nonsense');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      "Your email address isn't confirmed yet",
    );
    await page.unroute(confirming);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL(/\/voter\/confirm-email\?code=nonsense$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link has expired');
    await page.getByRole('link', { name: 'See my contact preferences' }).click();
    await expect(page).toHaveURL(/\/voter\/preferences$/);
  },
);

test(
  'a link that comes when the voter has saved too often says when to try again, and is not called expired',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(429));
    await openForm(page, cast.missingRow, baseURL);
    await page.route('**/api/voter/information/me', (route) =>
      route.fulfill({ ...problem(429, 'Too many attempts'), headers: { 'retry-after': '1800' } }),
    );
    await open(page, '/voter?code=any');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      "Your email address isn't confirmed yet",
    );
    await expect(page.getByRole('alert').filter({ has: page.locator('h1') })).toContainText(
      /please wait and try again at .*\d:\d\d\s[AP]M/,
    );
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  },
);

/** The link of the newest welcome email to this address, out of the mailbox of the local provider. */
async function readWelcomeLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const outbox = await (await page.request.get('/outbox?account=demo')).text();
        const message = outbox
          .split('<article>')
          .find((article) => article.includes(email) && article.includes('code='));
        link = /\/voter\?code=[\w%-]+/.exec(message ?? '')?.[0];
        return link;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return link ?? '';
}

async function signInHere(page: Page, { typed }: CastMember): Promise<void> {
  for (const [name, value] of Object.entries(typed))
    await page.locator(`[name="${name}"]`).fill(value);
  await page.locator('#login-form button[type="submit"]').click();
}
