import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { ofProject } from './preferences-form.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const check = async (page: Page, code: string) => {
  await page.getByRole('textbox', { name: 'Message code' }).fill(code);
  await page.getByRole('button', { name: 'Check this code' }).click();
};

test(
  'the code at the end of a mail is confirmed to anybody, and a made-up code is not',
  once,
  async ({ page, baseURL, browser, expectConsole }, info) => {
    expectConsole(/status of 404/);
    const member = ofProject(info, cast.counted, cast.notCounted);
    const email = `checking-${info.project.name}@example.com`;
    await signIn(page, member, baseURL);
    const code = await readMailedCode(page, email);

    // Somebody who has not signed in.
    const context = await browser.newContext({ ...(baseURL && { baseURL }) });
    const visitor = await context.newPage();
    await comeFromElsewhere(visitor);
    await open(visitor, '/voter');
    await visitor.getByRole('link', { name: 'Is this message from us?' }).click();
    await expect(visitor).toHaveURL(/\/voter\/verify$/);
    await visitor.locator('html[data-ready]').waitFor({ state: 'attached' });
    await check(visitor, code.toLowerCase().replace('-', ' '));
    const answer = visitor.locator('.verify-answer');
    await expect(answer.getByRole('heading')).toHaveText('Yes, this code is ours');
    await expect(answer.getByRole('heading')).toBeFocused();
    await expect(answer).toContainText(/sent an email with this code on [A-Z][a-z]{2} \d{1,2}\./);
    await expect(answer).toContainText('A request to confirm an email address or phone number');
    await expect(answer).not.toContainText(email);
    await expectNoBarriers(visitor);
    await context.close();

    await open(page, '/voter/verify');
    await check(page, '0000-0000');
    await expect(answerOf(page).getByRole('heading')).toHaveText(
      "We didn't send a message with this code",
    );
    await expect(answerOf(page)).toContainText('(850) 555-0100');
    await expect(page.locator('main')).toContainText('Links in our messages start with');
    await expectNoBarriers(page);
  },
);

test(
  'an answer stands beside the code that it is about, and beside no other',
  once,
  async ({ page }) => {
    const found = { channel: 'email', topic: 'status', sent_on: '2026-11-18' };
    const answer = await holdCalls(page, '**/api/voter/message-check', (route) =>
      route.fulfill({ json: found }),
    );
    await open(page, '/voter/verify');
    await check(page, '1111-1111');
    const code = page.getByRole('textbox', { name: 'Message code' });
    await code.fill('0000-0000');
    await answer();
    await expect(answerOf(page)).toHaveCount(0);

    await check(page, '1111-1111');
    await expect(answerOf(page).getByRole('heading')).toHaveText('Yes, this code is ours');
    await code.fill('0000-0000');
    await expect(answerOf(page)).toHaveCount(0);
  },
);

test('what cannot be a code is not sent, and the field says so', once, async ({ page }) => {
  await open(page, '/voter/verify');
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('message-check')) asked += 1;
  });
  await check(page, '1234');
  const field = page.getByRole('textbox', { name: 'Message code' });
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/Enter the 8 letters and numbers of the code\./);
  expect(asked).toBe(0);
  await expect(page.locator('main')).toContainText('Your Social Security number or bank details');
});

test(
  'a visitor who tried too many codes reads when to try again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 429/);
    const found = { channel: 'email', topic: 'status', sent_on: '2026-11-18' };
    let isFirst = true;
    await page.route('**/api/voter/message-check', (route) => {
      if (isFirst) {
        isFirst = false;
        return route.fulfill({ json: found });
      }
      return route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '600' },
        body: JSON.stringify({
          title: 'Too Many Requests',
          status: 429,
          detail: 'Too Many Attempts',
        }),
      });
    });
    await open(page, '/voter/verify');
    await check(page, '1111-1111');
    await expect(answerOf(page).getByRole('heading')).toHaveText('Yes, this code is ours');
    // The same code once more: what was found before is not the answer to this try.
    await page.getByRole('button', { name: 'Check this code' }).click();
    await expect(answerOf(page)).toHaveCount(0);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('try again at');
  },
);

const answerOf = (page: Page) => page.locator('.verify-answer');

/** Asks for mail to an address, and takes the code out of the mail that confirms it. */
async function readMailedCode(page: Page, email: string): Promise<string> {
  const status = await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch('/api/voter/information/me', { method: 'PATCH', headers, body })).status;
    },
    JSON.stringify({ email, email_opt_in: true }),
  );
  expect(status).toBe(200);
  let code: string | undefined;
  await expect
    .poll(
      async () => {
        const outbox = await (await page.request.get('/outbox?account=demo')).text();
        const message = outbox.split('<article>').find((article) => article.includes(email));
        code = /Message code: ([\dA-Z]{4}-[\dA-Z]{4})/.exec(message ?? '')?.[1];
        return code;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return code ?? '';
}
