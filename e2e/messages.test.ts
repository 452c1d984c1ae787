import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { ownMessages as own } from '../testing/own-messages.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { ofProject } from './preferences-form.ts';
import { problem } from './problem.ts';
import { comeFromElsewhere, fillIn, open, signIn, submit } from './sign-in.ts';
import { goOnTo } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a voter finds every message and consent under Alerts, and takes them home',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.applicationApproved, cast.applicationReceived);
    await signIn(page, member, baseURL, '/voter/preferences');
    const email = `ledger-${info.project.name}@example.com`;
    await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json' };
        await fetch('/api/voter/information/me', { method: 'PATCH', headers, body });
      },
      JSON.stringify({ email, email_opt_in: true }),
    );
    await page.getByRole('link', { name: 'What we sent you' }).click();
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('What we sent you');
    await expect(heading).toBeFocused();
    const request = page.locator('.messages-list li', {
      hasText: 'A request to confirm an email address or phone number',
    });
    await expect(request.first()).toContainText('l•••@example.com');
    await expect(page.locator('.messages')).not.toContainText(email);
    await expect(
      page.locator('.messages-list li', { hasText: 'You signed up' }).first(),
    ).toContainText('On this website');
    await expectNoBarriers(page);

    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as a spreadsheet' }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toBe('messages.csv');
    const csv = readFileSync(await file.path(), 'utf8');
    expect(csv).toContain('"When","What","How","To","Result"');
    expect(csv).toContain(
      '"A request to confirm an email address or phone number","Email","l•••@example.com"',
    );
    expect(csv).toContain('"You signed up","Email","l•••@example.com","On this website"');
  },
);

test(
  'what is still true can be sent again; what is not says so',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of (409|429)/);
    expectConsole(/ERR_FAILED/);
    let looks = 0;
    let sent = 0;
    await page.route('**/api/voter/message', (route) => {
      looks += 1;
      const messages = own.messages.map((one) => ({
        ...one,
        again: one.again === 'possible' && sent > 0 ? 'on-way' : one.again,
      }));
      return route.fulfill({ json: { ...own, messages } });
    });
    await signIn(page, cast.sent, baseURL, '/voter/messages');
    const items = page.locator('.messages-list li');
    await expect(items.first()).toContainText('Your phone company refused it');
    await expect(items.nth(1)).toContainText(
      "This is no longer your ballot's status, so we can't send it again.",
    );
    await expect(items.nth(1).getByRole('button')).toHaveCount(0);
    // It has just left, from another tab: the list says so, and nothing went wrong.
    const again = '**/api/voter/message/7/again';
    await page.route(again, (route) => route.fulfill(problem(409, 'Not again')));
    const button = items.first().getByRole('button', { name: 'Send again' });
    const looksBefore = looks;
    await button.click();
    await expect.poll(() => looks).toBe(looksBefore + 1);
    await expect(page.locator('.alert')).toHaveCount(0);

    await page.unroute(again);
    await page.route(again, (route) => route.abort());
    await button.click();
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Oops!');

    await page.unroute(again);
    await page.route(again, (route) => route.fulfill(problem(429, 'Too often')));
    await button.click();
    await expect(page.locator('.alert[data-type="notice"]')).toContainText(
      'Please try again tomorrow.',
    );

    await page.unroute(again);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(again, async (route) => {
      sent += 1;
      await released;
      await route.fulfill({ json: { address: '•••-0199' } });
    });
    await button.click();
    await expect(button).toHaveAttribute('aria-disabled', 'true');
    await button.press('Enter');
    release();
    await expect(page.locator('.alert')).toContainText("We'll send it again to •••-0199.");
    expect(sent).toBe(1);
    await expect(button).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Messages' })).toBeFocused();
    await expectNoBarriers(page);
  },
);

/** Asks for a message once more. @returns lets the answer through */
async function sendAgain(page: Page, baseURL: string | undefined): Promise<() => Promise<void>> {
  await page.route('**/api/voter/message', (route) => route.fulfill({ json: own }));
  const answer = await holdCalls(page, '**/api/voter/message/7/again', (route) =>
    route.fulfill({ json: { address: '•••-0199' } }),
  );
  await signIn(page, cast.sent, baseURL, '/voter/messages');
  await page.getByRole('button', { name: 'Send again' }).first().click();
  return answer;
}

test(
  'an answer that comes after the log-out shows the next person nothing',
  once,
  async ({ page, baseURL }) => {
    const answer = await sendAgain(page, baseURL);
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.locator('.alert')).toContainText("You're logged out.");
    await answer();
    await expect(page.locator('.alert')).toContainText("You're logged out.");
    await expect(page.getByText('0199')).toHaveCount(0);
  },
);

test(
  'that a message is on its way again is said on the page that the voter went on to',
  once,
  async ({ page, baseURL }) => {
    const answer = await sendAgain(page, baseURL);
    await goOnTo(page, 'My ballot');
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await answer();
    await expect(page.locator('.alert')).toContainText("We'll send it again to •••-0199.");
  },
);

test(
  'a refusal that comes after the log-out ends nobody else’s session',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 403/);
    const answer = await holdCalls(page, '**/api/voter/message', (route) =>
      route.fulfill(problem(403, 'Session not found')),
    );
    await signIn(page, cast.sent, baseURL, '/voter/messages');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await fillIn(page, cast.rejected.typed);
    await submit(page);
    const name = page.getByRole('button', { name: /Calvin/ });
    await expect(name).toBeVisible();
    await answer();
    await expect(name).toBeVisible();
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

test('on paper there are the messages, without buttons', once, async ({ page, baseURL }) => {
  await page.route('**/api/voter/message', (route) => route.fulfill({ json: own }));
  await signIn(page, cast.sent, baseURL, '/voter/messages');
  await expect(page.locator('.messages-list li')).toHaveCount(3);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.messages')).toContainText('Your phone company refused it');
  await expect(page.locator('.messages .button:visible')).toHaveCount(0);
});

test('without a session there is nothing to see', once, async ({ page }) => {
  await open(page, '/voter/messages');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
});

test('a failure can be tried again', once, async ({ page, baseURL, expectConsole }) => {
  expectConsole(/status of 503/);
  let isDown = true;
  await page.route('**/api/voter/message', (route) =>
    isDown ? route.fulfill(problem(503, 'Away')) : route.fulfill({ json: own }),
  );
  await signIn(page, cast.sent, baseURL, '/voter/messages');
  await expect(page.locator('.message-page')).toContainText('Oops!');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.message-page')).toContainText('You seem to be offline.');
  await page.context().setOffline(false);
  isDown = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.locator('.messages-list li')).toHaveCount(3);
});
