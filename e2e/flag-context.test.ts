import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, signInByHand, submit } from './sign-in.ts';

/** Whom the flags of a page are for: the voters of a state and county, never one voter. */

const own = { targetingKey: 'voter:FL:Marlowe', state: 'FL', county: 'Marlowe' };
let office: Office;

test.beforeEach(async ({ page, context, baseURL }) => {
  await comeFromElsewhere(page);
  await context.clock.install();
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

/** For whom the page asks for its flags, in order. */
function readContexts(page: Page): readonly unknown[] {
  const contexts: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/ofrep/v1/evaluate/flags'))
      contexts.push(request.postDataJSON().context);
  });
  return contexts;
}

test(
  'flags are asked for anonymously before the sign-in, and by voter, state and county after it',
  once,
  async ({ page }) => {
    const contexts = readContexts(page);
    await open(page, `${office.url}/voter`);
    await page.clock.fastForward('00:05');
    await expect.poll(() => contexts).toEqual([{ targetingKey: 'anonymous' }]);
    await signInByHand(page, { ...cast.sent, typed: office.typed }, office.url);
    await expect.poll(() => contexts).toEqual([{ targetingKey: 'anonymous' }, own]);
  },
);

test(
  'a voter who signs in before the page knows whom to ask gets the flags of the own county',
  once,
  async ({ page }) => {
    const contexts = readContexts(page);
    const asked = page.waitForRequest('**/api/ldclient.php');
    const answer = await holdCalls(page, '**/api/ldclient.php');
    await open(page, `${office.url}/voter`);
    await page.clock.fastForward('00:05');
    await asked;
    await fillIn(page, office.typed);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' }).first()).toBeVisible();
    await answer();
    await expect.poll(() => contexts.at(-1)).toEqual(own);
  },
);
