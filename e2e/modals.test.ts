import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { abortUntilReload } from './hold-script.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, reload, signIn, submit } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const readings = [
  ['Voter FAQ', 'Frequently asked questions', 'What is Ballot Beacon?'],
  ['Your Privacy & Security', 'Our commitment to your privacy', 'never the vote'],
  ['SMS Terms', 'SMS Terms', 'Message and data rates may apply.'],
] as const;

for (const [link, title, words] of readings) {
  test(`the footer's "${link}" opens over the page and gives the keyboard back`, async ({
    page,
  }) => {
    await open(page, '/voter');
    await footerLink(page, link).click();
    const dialog = page.getByRole('dialog', { name: title });
    await expect(dialog).toContainText(words);
    await expectNoBarriers(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(footerLink(page, link)).toBeFocused();

    await footerLink(page, link).press('Enter');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(footerLink(page, link)).toBeFocused();
  });
}

test(
  'a text that was just closed opens again before the browser has said that it closed',
  once,
  async ({ page }) => {
    await open(page, '/voter');
    await footerLink(page, 'Voter FAQ').click();
    const dialog = page.getByRole('dialog', { name: 'Frequently asked questions' });
    await expect(dialog).toContainText('What is Ballot Beacon?');
    await footerLink(page, 'Voter FAQ').evaluate((link: HTMLElement) => {
      document.querySelector('dialog')?.close();
      link.click();
    });
    // What the browser says of the first one has come by then.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await expect(dialog).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(footerLink(page, 'Voter FAQ')).toBeFocused();

    const opened = page.context().waitForEvent('page');
    await footerLink(page, 'Voter FAQ').click({ modifiers: ['Control'] });
    await expect(await opened).toHaveURL(/\/voter\/faq$/);
    await expect(dialog).toHaveCount(0);
  },
);

test(
  'the reading of the footer opens in another tab for a visitor who asks for one',
  once,
  async ({ page, context }) => {
    await open(page, '/voter');
    const other = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Voter FAQ' }).click({ modifiers: ['ControlOrMeta'] });
    await expect(await other).toHaveURL(/\/voter\/faq$/);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  },
);

test('one dialog is open at a time, and the page behind it is out of reach', async ({ page }) => {
  await open(page, '/voter');
  await footerLink(page, 'Voter FAQ').click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  for (let press = 0; press < 20; press++) {
    await page.keyboard.press('Tab');
    const isOutside = await page.evaluate(
      () =>
        document.activeElement?.closest('dialog') === null &&
        document.activeElement !== document.body,
    );
    expect(isOutside).toBe(false);
  }
  // As nobody can by hand: what opens another takes the first one's place.
  await footerLink(page, 'SMS Terms').evaluate((link: HTMLElement) => link.click());
  await expect(page.getByRole('dialog', { name: 'SMS Terms' })).toBeVisible();
  await expect(page.locator('dialog[open]')).toHaveCount(1);
});

test(
  'the questions can be had again after a fetch that failed twice',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/Failed to load resource/);
    await open(page, '/voter');
    let tries = 0;
    await page.route('**/api/voter/faq*', (route) => {
      tries += 1;
      return route.abort();
    });
    await footerLink(page, 'Voter FAQ').click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('alert')).toContainText(
      'Apologies, we are having difficulties loading this page.',
    );
    expect(tries).toBe(2);
    await page.unroute('**/api/voter/faq*');
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect(dialog).toContainText('What is Ballot Beacon?');
  },
);

test('the questions are fetched once, however often they are opened', once, async ({ page }) => {
  await open(page, '/voter');
  let fetches = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/voter/faq')) fetches += 1;
  });
  for (let time = 0; time < 3; time++) {
    await footerLink(page, 'Voter FAQ').click();
    await expect(page.getByRole('dialog')).toContainText('What is Ballot Beacon?');
    await page.keyboard.press('Escape');
  }
  expect(fetches).toBe(1);
});

test(
  'the questions are kept two hours, the release notes half an hour, and no longer',
  once,
  async ({ page, baseURL }) => {
    await page.clock.install();
    await signIn(page, cast.leapDay, baseURL);
    const fetched: string[] = [];
    page.on('request', (request) => {
      const [name] = /faq|release-note/.exec(new URL(request.url()).pathname) ?? [];
      if (name && request.url().includes('/api/')) fetched.push(name);
    });
    const readBoth = async () => {
      await footerLink(page, 'Voter FAQ').click();
      await expect(page.getByRole('dialog')).toContainText('What is Ballot Beacon?');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Release Notes' }).click();
      await expect(page.getByRole('dialog')).toContainText('add that date to your calendar');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    };
    // Without a sign of life now and then the voter would be logged out.
    const wait = async (minutes: number) => {
      for (let left = minutes; left > 0; left -= 20) {
        await page.getByRole('heading', { level: 1 }).click();
        await page.clock.fastForward(Math.min(left, 20) * 60_000);
      }
    };
    await readBoth();
    expect(fetched.splice(0)).toEqual(['faq', 'release-note']);
    await wait(29);
    await readBoth();
    expect(fetched.splice(0)).toEqual([]);
    await wait(2);
    await readBoth();
    await expect.poll(() => fetched.splice(0)).toEqual(['release-note']);
    await wait(88);
    await readBoth();
    await expect.poll(() => fetched.splice(0)).toEqual(['release-note']);
    await wait(2);
    await readBoth();
    await expect.poll(() => fetched.splice(0)).toEqual(['faq']);
  },
);

test(
  'without the script of dialogs the reading opens as a page, and what is a dialog alone comes with the next try',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/ERR_FAILED/);
    await signIn(page, cast.accepted, baseURL, '/voter/dashboard');
    await abortUntilReload(page, '**/voter/assets/modal-*');
    const notes = page.getByRole('button', { name: 'Release Notes' });
    await notes.click();
    await expect(page.locator('.alert[data-type="error"] .alert-label')).toHaveText(/^Oops!/);
    await expect(page.locator('.modal-wait')).toHaveCount(0);
    await Promise.all([page.waitForEvent('load'), notes.click()]);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await notes.click();
    await expect(page.getByRole('dialog')).toBeVisible();

    await reload(page);
    await page.route('**/voter/assets/modal-*', (route) => route.abort());
    await footerLink(page, 'Voter FAQ').click();
    await expect(page).toHaveURL(/\/voter\/faq$/);
    await expect(page.getByText('What is Ballot Beacon?')).toBeVisible();
  },
);

test('release notes are for signed-in voters', once, async ({ page, baseURL }) => {
  await open(page, '/voter');
  await expect(footerLink(page, 'SMS Terms')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Release Notes' })).toHaveCount(0);
  await signIn(page, cast.leapDay, baseURL);
  await expect(page.getByRole('button', { name: 'Release Notes' })).toBeVisible();
});

test.describe('what an office writes itself', () => {
  test.describe.configure({ mode: 'serial', timeout: 90_000 });
  let office: Office;
  test.beforeAll(async ({ baseURL }) => {
    test.setTimeout(90_000); // An office takes some commands to open.
    office = await openOffice(baseURL);
  });
  test.afterAll(() => office.close());

  test(
    'release notes are offered once there are any, and turned page by page, newest first',
    once,
    async ({ page }) => {
      await signInAt(page, office);
      const dialog = page.getByRole('dialog', { name: 'Release Notes' });
      await expect(page.getByRole('button', { name: 'Release Notes' })).toHaveCount(0);

      for (let number = 1; number <= 6; number++) {
        const text = `<p>Note number ${number}</p>`;
        await office.beacon('release-note', 'add', '--account', office.subdomain, '--text', text);
      }
      await reload(page);
      await page.getByRole('button', { name: 'Release Notes' }).click();
      const notes = dialog.getByRole('listitem');
      await expect(notes).toHaveCount(5);
      await expect(notes.first()).toContainText('Note number 6');
      await expect(notes.first().getByRole('heading')).toHaveText(/^\d{1,2}\/\d{1,2}\/\d{2}$/);
      await expect(dialog.getByRole('status')).toHaveText('1 / 2');
      await expectNoBarriers(page);

      const turn = (name: string) => dialog.getByRole('button', { name, exact: true });
      for (const [on, back] of [
        ['Next', 'Prev'],
        ['Last', 'First'],
      ] as const) {
        await expect(turn(back)).toHaveAttribute('aria-disabled', 'true');
        await turn(on).click();
        await expect(dialog.getByRole('status')).toHaveText('2 / 2');
        await expect(notes).toHaveText([/Note number 1/]);
        await expect(turn(on)).toHaveAttribute('aria-disabled', 'true');
        await turn(back).click();
        await expect(notes.first()).toContainText('Note number 6');
      }
    },
  );

  test(
    'its own questions take the place of the product’s, without what could harm',
    once,
    async ({ page }) => {
      const file = office.write(
        'faq.html',
        '<h2>Where is the office?</h2><p onclick="alert(1)">At <a href="javascript:alert(1)">the square</a>.</p><script>document.title = "stolen"</script>',
      );
      const of = ['--account', office.subdomain, '--language', 'english'];
      await office.beacon('faq', 'set', ...of, '--file', file);
      await open(page, `${office.url}/voter/faq`);
      await expect(page.getByRole('heading', { name: 'Where is the office?' })).toBeVisible();
      await expect(page.locator('main')).not.toContainText('What is Ballot Beacon?');
      expect(await page.locator('.prose').innerHTML()).not.toMatch(/onclick|javascript:|<script/);
    },
  );
});

test(
  'release notes that are gone since the page was loaded say so',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.leapDay, baseURL);
    await page.route('**/api/voter/release-note*', (route) =>
      route.fulfill({
        json: {
          _embedded: { release_note: [] },
          _links: {},
          page: 1,
          page_count: 1,
          page_size: 5,
          total_items: 0,
        },
      }),
    );
    await page.getByRole('button', { name: 'Release Notes' }).click();
    await expect(page.getByRole('dialog')).toContainText('No release notes available');
  },
);

test('release notes that cannot be had say so', once, async ({ page, baseURL, expectConsole }) => {
  expectConsole(/Failed to load resource/);
  await signIn(page, cast.leapDay, baseURL);
  await page.route('**/api/voter/release-note*', (route) => route.abort());
  await page.getByRole('button', { name: 'Release Notes' }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
    'Apologies, we are having difficulties loading this page.',
  );
});

test('a log-out closes the dialog that is open', once, async ({ page, baseURL }) => {
  await signIn(page, cast.leapDay, baseURL);
  await page.getByRole('button', { name: 'Release Notes' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(1);
  // As another tab, or the idle time, would: the button itself is out of reach behind the dialog.
  await page
    .locator('.top-bar-button')
    .getByText('Log out')
    .locator('xpath=ancestor::button')
    .evaluate((button: HTMLButtonElement) => button.click());
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

function footerLink(page: Page, name: string) {
  return page.locator('.footer').getByRole('link', { name, exact: true });
}

async function signInAt(page: Page, office: Office): Promise<void> {
  await open(page, `${office.url}/voter`);
  await fillIn(page, office.typed);
  await submit(page);
  await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).waitFor();
}
