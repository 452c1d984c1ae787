import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

test(
  'a person who stays is asked again before the session ends, also while typing what the server does not see',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.clock.install();
    await page.goto(`${office.url}/office/settings`);
    const phone = page.getByLabel('Phone for voters');
    const question = page.getByRole('dialog', { name: 'Are you still there?' });
    await expect(phone).toBeVisible();
    await page.clock.fastForward('27:00');
    await expect(question).toHaveCount(0);
    await phone.fill('(352) 555-0142');
    await page.clock.fastForward('02:00');
    await expect(question).toBeVisible();
    await question.getByRole('button', { name: 'Stay signed in' }).press('Enter');
    await expect(question).toHaveCount(0);
    // Who types goes on where the question came.
    await expect(phone).toBeFocused();
    await page.clock.fastForward('29:00');
    await expect(question).toBeVisible();
    office.close();
  },
);

test(
  'who looks for a voter is not asked whether anybody is there',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Hart', 'clerk');
    await page.clock.install();
    await page.goto(`${office.url}/office/voters`);
    const question = page.getByRole('dialog', { name: 'Are you still there?' });
    for (const [name, found] of [
      ['Marlowe', '1 voter matches.'],
      ['Nobody', /^No voter matches/],
      ['Marlowe', '1 voter matches.'],
    ] as const) {
      await page.clock.fastForward('20:00');
      await page.getByLabel('What you know of the voter').fill(name);
      await page.getByRole('button', { name: 'Find' }).click({ timeout: 15_000 });
      await expect(page.getByText(found)).toBeVisible();
    }
    await expect(question).toHaveCount(0);
    await page.clock.fastForward('28:30');
    await expect(question).toBeVisible();
    office.close();
  },
);

test(
  'Today, which asks for its figures each minute, keeps nobody signed in who has left the desk',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.clock.install();
    await page.goto(`${office.url}/office/`);
    await expect(page.getByText('Winter Election')).toBeVisible();
    const again = page.waitForResponse('**/api/office/today');
    await page.clock.fastForward('27:00');
    await (await again).finished();
    const question = page.getByRole('dialog', { name: 'Are you still there?' });
    await expect(question).toHaveCount(0);
    await page.clock.fastForward('01:30');
    await expect(question).toBeVisible();
    // To the server, staying is another call than Today's.
    const stays = page.waitForResponse('**/api/office/options');
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    expect((await stays).status()).toBe(200);
    await expect(question).toHaveCount(0);

    // Once the session has ended, there is one question alone.
    await page.clock.fastForward('28:30');
    await expect(question).toBeVisible();
    await page.context().clearCookies();
    // A look at the figures that was under way is still answered; one of the next minutes is refused.
    await expect(async () => {
      await page.clock.fastForward('01:00');
      const text = /^Your session has ended/;
      await expect(page.getByRole('dialog')).toHaveText(text, { timeout: 5000 });
    }).toPass();
    office.close();
  },
);
