import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

/**
 * The other journeys run without the CAPTCHA, so that they may come in by HTTP too. These have it, as offices do: a
 * second server over the same data.
 */
const refused = /Failed to load resource: the server responded with a status of 401/;
let server: OwnServer;
let origin: string;

test.beforeAll(async () => {
  test.setTimeout(90_000);
  server = await startOwnServer({ CAPTCHA: 'altcha' });
  origin = server.origin;
});

test.afterAll(() => server.stop());

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const box = (page: Page) => page.getByRole('checkbox', { name: /not a robot/ });

/**
 * An office of the journey's own, with two voters of one name and one with a security token: failures of other journeys
 * in a name would ask for harder work, which takes one more request.
 */
async function openQuillOffice(settings: object = {}) {
  const office = await openOffice(origin, settings);
  const roll = `registration_id,firstname,lastname,birthdate,zipcode,security_token
T-1,Nora,Quill,1969-03-14,32017,
T-2,Nora,Quill,1969-03-14,32017,
T-3,Theo,Quill,1969-03-14,32017,${token}
`;
  await office.beacon(
    ...['import', office.write('quills.csv', roll)],
    ...['--account', office.subdomain, '--format', 'beacon-voters'],
  );
  return office;
}

const token = 'K7QM-3XPD';
const twin = {
  firstname: 'Nora',
  lastname: 'Quill',
  zipcode: '32017',
  birthdate: '03-14-1969',
};

test('a voter proves to be no robot by one checkbox, without a puzzle', once, async ({ page }) => {
  await open(page, `${origin}/voter`);
  await fillIn(page, cast.accepted.typed);
  await box(page).check();
  await expect(page.getByText("Thank you. You're all set.")).toBeVisible();
  await expectNoBarriers(page);
  await submit(page);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'the proof is begun at the first use of the form, before the box is checked',
  once,
  async ({ page }) => {
    const challenge = page.waitForResponse('**/api/voter/captcha');
    await open(page, `${origin}/voter`);
    await page.getByLabel('First name').focus();
    expect((await challenge).ok()).toBe(true);
  },
);

test(
  'the proof is under way before the first script of the page has arrived',
  once,
  async ({ page }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/entry-browser-*.js', async (route) => {
      await released;
      await route.continue();
    });
    const challenges: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/voter/captcha')) challenges.push(request.url());
    });
    const challenge = page.waitForResponse('**/api/voter/captcha');
    await page.goto(`${origin}/voter`, { waitUntil: 'commit' });
    await box(page).check();
    expect((await challenge).ok()).toBe(true);
    release();
    await expect(page.getByText("Thank you. You're all set.")).toBeVisible();
    await fillIn(page, cast.sent.typed);
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    expect(challenges).toHaveLength(1);
  },
);

test('an unchecked box is asked for', once, async ({ page }) => {
  await open(page, `${origin}/voter`);
  await fillIn(page, cast.accepted.typed);
  await submit(page);
  await expect(page.locator('.error-summary').getByRole('link')).toHaveText([
    'Please complete the CAPTCHA',
  ]);
  await page.getByRole('link', { name: 'Please complete the CAPTCHA' }).click();
  await expect(box(page)).toBeFocused();
});

test('a box checked before the script has arrived counts', once, async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/assets/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`${origin}/voter`, { waitUntil: 'commit' });
  await fillIn(page, cast.sent.typed);
  await box(page).check();
  release();
  await expect(page.getByText("Thank you. You're all set.")).toBeVisible();
  await expect(box(page)).toBeChecked();
  await submit(page);
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
});

test(
  'after an error the box is empty again, and a new proof lets the voter in',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await open(page, `${origin}/voter`);
    await fillIn(page, { ...cast.accepted.typed, lastname: 'Nobody' });
    await box(page).check();
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await expect(box(page)).not.toBeChecked();
    await page.locator('[name="lastname"]').fill(cast.accepted.typed.lastname);
    await box(page).check();
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
  },
);

test(
  'nothing is solved twice when the voter ID is asked for, nor after a wrong one',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    const office = await openQuillOffice();
    await open(page, `${office.url}/voter`);
    await fillIn(page, twin);
    await box(page).check();
    await submit(page);
    const voterId = page.getByRole('textbox', { name: 'Voter ID' });
    await voterId.fill('000');
    await expect(box(page)).toBeHidden();
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await expect(box(page)).toBeHidden();
    await voterId.fill('T-1');
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    office.close();
  },
);

for (const { asked, firstname, right, settings } of [
  { asked: 'Voter ID', firstname: 'Nora', right: 'T-1', settings: {} },
  {
    asked: 'Security token',
    firstname: 'Theo',
    right: token,
    settings: { is_token_required: true },
  },
])
  test(
    `a try that failed brings a new proof: in the form, and beside the ${asked}`,
    once,
    async ({ page, expectConsole }) => {
      expectConsole(refused);
      const office = await openQuillOffice(settings);
      const typed = { ...twin, firstname };
      const sent: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.url().endsWith('/api/voter/session'))
          sent.push(request.postDataJSON().recaptcha);
      });
      const error = page.locator('.alert[data-type="error"]');
      await open(page, `${office.url}/voter`);
      await fillIn(page, { ...typed, lastname: 'Nobody' });
      await box(page).check();
      await submit(page);
      await expect(error).toBeVisible();
      await expect(box(page)).not.toBeChecked();

      await fillIn(page, typed);
      await box(page).check();
      await submit(page);
      const extra = page.getByRole('textbox', { name: asked });
      await extra.fill('000');
      await submit(page);
      await expect(error).toContainText('Invalid credentials');
      await extra.fill(right);
      await submit(page);
      await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
      const [first, second, , last] = sent;
      expect(sent).toHaveLength(4);
      expect(new Set([first, second, last]).size).toBe(3);
      office.close();
    },
  );

test(
  'a check that cannot be made says so and can be tried again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/net::ERR_FAILED/);
    await page.route('**/api/voter/captcha', (route) => route.abort());
    await open(page, `${origin}/voter`);
    await box(page).click();
    await expect(
      page.getByText("The check didn't work. Please check the box again."),
    ).toBeVisible();
    await page.unroute('**/api/voter/captcha');
    await box(page).check();
    await expect(page.getByText("Thank you. You're all set.")).toBeVisible();
  },
);

test(
  'a used answer is never sent again, also not for another person',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of (401|500)/);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/voter/session'))
        sent.push(JSON.parse(request.postData() ?? '{}').recaptcha);
    });
    const office = await openQuillOffice();
    await open(page, `${office.url}/voter`);
    await fillIn(page, twin);
    await box(page).check();
    await submit(page);
    await page.getByRole('textbox', { name: 'Voter ID' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    // Signed in, and then the voter's data cannot be had.
    await page.route('**/api/voter/information', (route) => route.fulfill({ status: 500 }));
    await fillIn(page, office.typed);
    await box(page).check();
    await submit(page);
    await expect(page.locator('.alert')).toContainText('Oops!');
    await page.unroute('**/api/voter/information');
    await fillIn(page, office.typed);
    await box(page).check();
    await submit(page);
    await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
    expect(new Set(sent).size).toBe(sent.length);
    expect(sent).toHaveLength(3);
    office.close();
  },
);
