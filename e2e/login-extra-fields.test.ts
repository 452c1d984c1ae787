import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signInByHand, submit } from './sign-in.ts';

/** What a browser itself says of an answer that is no success. */
const refused = /Failed to load resource: the server responded with a status of (401|422|429|500)/;

const ambiguousText =
  'Your information matches someone else from our records. Please enter your voter ID to verify your account.';
const tokenText = 'Your county requires an enhanced security token to sign in.';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'a voter like another is asked for the voter ID only, and types nothing twice',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    const voter = cast.ambiguousSecond;
    const sent = readTries(page);
    await open(page, '/voter');
    await fillIn(page, voter.typed);
    await submit(page);
    await expect(page.locator('.alert[data-type="notice"]')).toHaveText(new RegExp(ambiguousText));
    const voterId = page.getByRole('textbox', { name: 'Voter ID' });
    await expect(voterId).toBeFocused();
    await expect(page.locator('[name="firstname"]')).toBeHidden();
    await expectNoBarriers(page);

    await submit(page);
    await expect(page.locator('.field-error', { hasText: 'Voter ID is required.' })).toBeVisible();
    await voterId.fill(voter.registrationId);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    const first = { ...voter.typed, recaptcha: 'off' };
    expect(sent).toEqual([first, { ...first, provided_voter_id: voter.registrationId }]);
  },
);

test(
  'a wrong voter ID gets an error and can be corrected',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    const voter = cast.ambiguousFirst;
    await open(page, '/voter');
    await fillIn(page, voter.typed);
    await submit(page);
    await page.getByRole('textbox', { name: 'Voter ID' }).fill('123');
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await page.getByRole('textbox', { name: 'Voter ID' }).fill(voter.registrationId);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

for (const way of ['the Cancel button', 'the Escape key'] as const) {
  test(
    `${way} leads back to the form with everything typed, and closes the notice`,
    once,
    async ({ page, baseURL, expectConsole }) => {
      expectConsole(refused);
      for (const [{ account, typed }, asked] of [
        [cast.ambiguousFirst, 'Voter ID'],
        [cast.token, 'Security token'],
      ] as const) {
        await open(page, `${addressOf(account, baseURL)}/voter`);
        await fillIn(page, typed);
        await submit(page);
        await submit(page);
        await expect(page.locator('.error-summary')).toBeVisible();
        await page.getByRole('textbox', { name: asked }).fill('12');
        await expect(page.locator('.alert')).toHaveCount(1);
        if (way === 'the Escape key') await page.keyboard.press('Escape');
        else await page.getByRole('button', { name: 'Cancel' }).click();
        await expect(page.getByRole('textbox', { name: asked })).toBeHidden();
        await expect(page.locator('.alert')).toHaveCount(0);
        await expect(page.locator('.error-summary')).toHaveCount(0);
        for (const [name, value] of Object.entries(typed))
          await expect(page.locator(`[name="${name}"]`)).toHaveValue(value);
      }
    },
  );
}

test(
  'a county that demands it asks for the security token',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused);
    const voter = cast.token;
    const sent = readTries(page);
    await open(page, `${addressOf('lake', baseURL)}/voter`);
    await fillIn(page, voter.typed);
    await submit(page);
    await expect(page.locator('.alert[data-type="notice"] p')).toHaveText([tokenText]);
    const token = page.getByRole('textbox', { name: 'Security token' });
    await expect(token).toBeFocused();
    await submit(page);
    await expect(page.locator('.field-error', { hasText: 'Token is required.' })).toBeVisible();
    await token.fill('WRONG-0000');
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await token.fill(voter.token ?? '');
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    // Nobody asked for a voter ID, so none goes along.
    const first = { ...voter.typed, recaptcha: 'off' };
    expect(sent).toEqual([
      first,
      { ...first, token: 'WRONG-0000' },
      { ...first, token: voter.token },
    ]);
  },
);

test(
  'the voter ID first and then the token lead in, too',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused);
    const voter = cast.tokenAmbiguousFirst;
    const sent = readTries(page);
    await signInByHand(page, voter, baseURL);
    const first = { ...voter.typed, recaptcha: 'off' };
    const withVoterId = { ...first, provided_voter_id: voter.registrationId };
    expect(sent).toEqual([first, withVoterId, { ...withVoterId, token: voter.token }]);
  },
);

/** What each try to sign in sends, in order. */
function readTries(page: Page): unknown[] {
  const tries: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/voter/session'))
      tries.push(request.postDataJSON());
  });
  return tries;
}

test(
  'nothing of the person before is sent for the next',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused);
    const [before, next] = [cast.tokenAmbiguousFirst, cast.token];
    const sent = readTries(page);
    await open(page, `${addressOf(before.account, baseURL)}/voter`);
    await fillIn(page, before.typed);
    await submit(page);
    await page.getByRole('textbox', { name: 'Voter ID' }).fill('12345');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await fillIn(page, next.typed);
    await submit(page);
    await page.getByRole('textbox', { name: /token/i }).fill(next.token ?? '');
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    expect(sent.at(-1)).toEqual({ ...next.typed, recaptcha: 'off', token: next.token });
  },
);

test(
  'a voter ID that still leaves two voters is asked for again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    const voter = cast.ambiguousFirst;
    let tries = 0;
    await page.route('**/api/voter/session', (route) => {
      tries += 1;
      if (tries !== 2) return route.continue();
      const detail = 'Ambiguous Credentials';
      return route.fulfill({
        status: 401,
        contentType: 'application/problem+json',
        body: JSON.stringify({ title: 'Unauthorized', status: 401, detail, 'error-code': 8889 }),
      });
    });
    await open(page, '/voter');
    await fillIn(page, voter.typed);
    await submit(page);
    const voterId = page.getByRole('textbox', { name: 'Voter ID' });
    await voterId.fill('1');
    await submit(page);
    await expect.poll(() => tries).toBe(2);
    await expect(page.locator('.alert[data-type="notice"]')).toHaveText(new RegExp(ambiguousText));
    await voterId.fill(voter.registrationId);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);
