import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, test } from './fixtures.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signInByHand, submit } from './sign-in.ts';

/** What a browser itself says of an answer that is no success. */
const refused = /Failed to load resource: the server responded with a status of (401|422|429|500)/;

const ambiguousText =
  'Your information matches someone else from our records. Please enter your voter ID to verify your account.';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('a voter like another is asked for the voter ID only, and types nothing twice', async ({
  page,
  expectConsole,
}) => {
  expectConsole(refused);
  const voter = cast.ambiguousSecond;
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
});

test('a wrong voter ID is told so and can be mended', async ({ page, expectConsole }) => {
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
});

for (const way of ['the Cancel button', 'the Escape key'] as const) {
  test(`${way} leads back to the form with everything typed, and closes the notice`, async ({
    page,
    expectConsole,
  }) => {
    expectConsole(refused);
    const { typed } = cast.ambiguousFirst;
    await open(page, '/voter');
    await fillIn(page, typed);
    await submit(page);
    await page.getByRole('textbox', { name: 'Voter ID' }).fill('12');
    if (way === 'the Escape key') await page.keyboard.press('Escape');
    else await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('textbox', { name: 'Voter ID' })).toBeHidden();
    await expect(page.locator('.alert')).toHaveCount(0);
    for (const [name, value] of Object.entries(typed))
      await expect(page.locator(`[name="${name}"]`)).toHaveValue(value);
  });
}

test('a county that demands it asks for the security token', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(refused);
  const voter = cast.token;
  await open(page, `${addressOf('lake', baseURL)}/voter`);
  await fillIn(page, voter.typed);
  await submit(page);
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
});

test('the voter ID first and then the token lead in, too', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(refused);
  await signInByHand(page, cast.tokenAmbiguousFirst, baseURL);
});
