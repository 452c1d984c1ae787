import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { addressOf, comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

test.beforeEach(async ({ page, expectConsole }) => {
  expectConsole(/status of 401/);
  await comeFromElsewhere(page);
});

for (const [member, name, advice] of [
  [cast.ambiguousFirst, 'Voter ID', 'Check each digit on your voter information card.'],
  [cast.token, 'Security token', 'Spaces and dashes do not matter.'],
] as const)
  test(
    `a wrong ${name} is an error of its field, with the focus there and what to look for`,
    once,
    async ({ page, baseURL }) => {
      await open(page, `${addressOf(member.account, baseURL)}/voter`);
      await fillIn(page, member.typed);
      await submit(page);
      const field = page.getByRole('textbox', { name });
      for (const wrong of ['000', '111']) {
        await field.fill(wrong);
        await page.getByRole('button', { name: 'Continue' }).focus();
        await submit(page);
        await expect(field).toHaveAttribute('aria-invalid', 'true');
        await expect(field).toHaveAccessibleDescription(new RegExp(advice.replaceAll('.', '\\.')));
        await expect(field).toBeFocused();
        await expect(field).toBeInViewport();
      }
      await expectNoBarriers(page);
    },
  );

test('a token counts whatever its case, spaces and dashes', once, async ({ page, baseURL }) => {
  const { token = '', typed, account } = cast.token;
  await open(page, `${addressOf(account, baseURL)}/voter`);
  await fillIn(page, typed);
  await submit(page);
  const loose = [...token.replace('-', '').toLowerCase()].join(' ');
  await page.getByRole('textbox', { name: 'Security token' }).fill(` ${loose}- `);
  await submit(page);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'after two tries that matched nobody there are three tips and the office’s phone',
  once,
  async ({ page }) => {
    const tips = page.getByRole('status', { name: 'Still not working? Three things to check' });
    const alert = page.locator('.alert[data-type="error"]');
    await open(page, '/voter');
    await fillIn(page, { ...cast.sent.typed, firstname: 'Nickname' });
    await submit(page);
    await expect(alert).toBeVisible();
    await expect(tips).toHaveCount(0);
    await fillIn(page, { firstname: 'Another' });
    await submit(page);
    await expect(tips.getByRole('listitem')).toHaveText([
      /not a nickname/,
      /the ZIP code where you lived/,
      /the month first/,
    ]);
    await expect(tips).toContainText('Harbor County Supervisor of Elections');
    await expect(tips).toContainText(/\(850\)\s555.0100/);
    await expectNoBarriers(page);
  },
);
