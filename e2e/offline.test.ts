import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { readKept, remember } from './kept.ts';
import { comeFromElsewhere, open, reload, signIn } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

/** What a device keeps of a voter: nothing, unless the voter chose it. */

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const choice = (page: Page) =>
  page.getByRole('checkbox', { name: "Remember my ballot's status on this device" });

const nothing = { caches: [], workers: 0 };

test(
  'a voter who chose it reads the last status without a connection, until logging out',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expect(choice(page)).not.toBeChecked();
    expect(await readKept(page)).toEqual(nothing);
    await remember(page);

    await context.setOffline(true);
    await expect(page.locator('.as-of')).toContainText("You're offline.");
    await page.goto('/voter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your mail ballot');
    await expect(page.getByText("You're offline. Last known status as of")).toBeVisible();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(
      'Your ballot is on its way to you.',
    );
    await expect(page.getByText(/^Updated [A-Z][a-z]{2} \d+$/)).toBeVisible();
    await expect(
      page.getByRole('link', { name: /^Call \u2066\(850\) 555-0100\u2069$/ }),
    ).toHaveAttribute('href', /^tel:\+?\d+$/);
    const { firstname, lastname, zipcode } = cast.sent.typed;
    for (const known of [firstname, lastname, zipcode, cast.sent.registrationId])
      expect(await page.content()).not.toContain(known);
    await expectNoBarriers(page);
    const isWide = await page.evaluate(() => document.body.scrollWidth > innerWidth);
    expect(isWide).toBe(false);

    await context.setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await expect(page).toHaveURL(/\/voter\/(dashboard|preferences)$/);
    await open(page, '/voter/dashboard');
    await expect(choice(page)).toBeChecked();
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect.poll(() => readKept(page)).toEqual(nothing);
    await context.setOffline(true);
    await expect(page.goto('/voter')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  },
);

test(
  'unchecking the box removes it, and where there is no room nothing is kept',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await remember(page);
    await choice(page).uncheck();
    await expect.poll(() => readKept(page)).toEqual(nothing);
    await reload(page);
    await expect(choice(page)).not.toBeChecked();

    await page.evaluate(() => {
      Cache.prototype.put = () => Promise.reject(new Error('The disk is full'));
    });
    await choice(page).click();
    await expect(page.getByText("Your browser couldn't save it.")).toBeVisible();
    await expect(choice(page)).not.toBeChecked();
    await expect.poll(() => readKept(page)).toEqual(nothing);
  },
);

test(
  'a box that is checked while the page looks for what is kept stays checked',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expect(choice(page)).not.toBeChecked();
    await page.evaluate(() => {
      const match = caches.match.bind(caches);
      const mayGoOn = new Promise((go) => addEventListener('go-on', go, { once: true }));
      caches.match = async (...wanted) => {
        const found = await match(...wanted);
        document.documentElement.dataset.looking = 'begun';
        await mayGoOn;
        return found;
      };
    });
    await chooseLanguage(page, 'spanish');
    await expect(page.locator('html')).toHaveAttribute('data-looking', 'begun');
    const box = page.locator('.remember').getByRole('checkbox');
    await box.check();
    await box.evaluate((checkbox: HTMLInputElement) => {
      const look = () => {
        if (!checkbox.checked) document.documentElement.dataset.unchecked = 'once';
        requestAnimationFrame(look);
      };
      look();
      dispatchEvent(new Event('go-on'));
    });
    const countTurns = () =>
      page.evaluate(async () => Object.values(await navigator.locks.query()).flat().length);
    await expect.poll(countTurns).toBe(0);
    expect((await readKept(page)).caches).toHaveLength(1);
    await expect(page.locator('html')).not.toHaveAttribute('data-unchecked');
    await expect(box).toBeChecked();
  },
);

test(
  'it is kept in the language of the page',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await remember(page);
    await open(page, '/voter/dashboard?language=spanish');
    await expect(
      page.getByRole('checkbox', { name: 'Recordar el estado de mi boleta en este dispositivo' }),
    ).toBeChecked();
    await context.setOffline(true);
    await expect(page.locator('.as-of')).toContainText('No tiene conexión.');
    await expect
      .poll(async () => {
        await page.goto('/voter');
        return page.locator('html').getAttribute('lang');
      })
      .toMatch(/^es/);
    await expect(page.getByText('No tiene conexión.')).toBeVisible();

    // After two weeks it is shown to nobody.
    await page.evaluate(async () => {
      const [name = ''] = await caches.keys();
      const cache = await caches.open(name);
      const [request = ''] = await cache.keys();
      const kept = await cache.match(request);
      const headers = new Headers(kept?.headers);
      headers.set('beacon-kept-at', String(Date.now() - 15 * 86_400_000));
      await cache.put(request, new Response(await kept?.text(), { headers }));
    });
    await expect(page.goto('/voter')).rejects.toThrow('ERR_FAILED');
  },
);

test(
  'an envelope to fix is kept with its problem and the time until which it can be fixed, which stay true past that time',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    await signIn(page, cast.rejectedCurable, baseURL, '/voter/dashboard');
    const deadline = (await page.locator('.fix-deadline').textContent()) ?? '';
    await remember(page);
    await context.setOffline(true);
    await expect(page.locator('.as-of')).toContainText("You're offline.");
    await page.goto('/voter');
    await expect(page.getByRole('heading', { level: 2 })).toHaveText(
      'The signature on your return envelope is missing.',
    );
    await expect(page.getByText(deadline, { exact: true })).toBeVisible();
    await expect(page.locator('body')).not.toContainText('Action needed');
  },
);

/** Lets the page, remembered by the browser, begin to write the status anew, and hold before it opens the cache until `go-on`. */
async function writeAnewOnGoOn(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    const open = caches.open.bind(caches);
    const { put } = Cache.prototype;
    const mayGoOn = new Promise((go) => addEventListener('go-on', go, { once: true }));
    caches.open = async (name) => {
      dataset.writing ??= 'begun';
      await mayGoOn;
      return open(name);
    };
    Cache.prototype.put = async function (...entry) {
      await put.apply(this, entry);
      dataset.writing = 'done';
    };
  });
  const calls = ['ballot-status-progress', 'archive-ballot'].map((call) =>
    page.waitForResponse((answer) => answer.url().includes(call)),
  );
  await chooseLanguage(page, 'spanish');
  await expect(page.locator('html')).toHaveAttribute('data-writing', 'begun');
  await Promise.all(calls);
}

/** Goes on once the worker wants to discard what was kept, and closes the page before it can look whether it still may keep it. */
async function endAfterWriting(page: Page): Promise<void> {
  const isAwaited = () =>
    page.evaluate(async () => {
      const { held: [own] = [], pending = [] } = await navigator.locks.query();
      return pending.some(({ clientId }) => clientId !== own?.clientId);
    });
  await expect.poll(isAwaited).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event('go-on')));
  await expect(page.locator('html')).toHaveAttribute('data-writing', 'done');
  await page.close();
}

test.describe('it is gone', () => {
  test(
    'after a log-out in another tab, also without a connection',
    once,
    async ({ page, context, baseURL, expectConsole }) => {
      expectConsole(/ERR_INTERNET_DISCONNECTED/);
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      const other = await context.newPage();
      await open(other, '/voter/privacy');
      await context.setOffline(true);
      await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect.poll(() => readKept(other)).toEqual(nothing);
    },
  );

  test(
    'also where another tab hangs while it is at what is kept',
    once,
    async ({ page, context, baseURL, expectConsole }) => {
      expectConsole(/ERR_INTERNET_DISCONNECTED/);
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      const hanging = await context.newPage();
      await open(hanging, '/voter/privacy');
      await hanging.evaluate(
        () =>
          new Promise<void>((taken) => {
            navigator.locks.request('beacon-kept-status', () => {
              taken();
              return new Promise(() => {});
            });
          }),
      );
      await context.setOffline(true);
      await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
      await expect.poll(() => readKept(page)).toEqual(nothing);
    },
  );

  test(
    'after 24 minutes without activity, on any page',
    once,
    async ({ page, context, baseURL }) => {
      await context.clock.install();
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      await open(page, '/voter/faq');
      await page.clock.fastForward('24:01');
      await expect.poll(() => readKept(page)).toEqual(nothing);
    },
  );

  test(
    'with the first answer after the session ended elsewhere',
    once,
    async ({ page, context, baseURL }) => {
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      await page.goto('about:blank');
      await context.clearCookies();
      await page.goto('/voter');
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect.poll(() => readKept(page)).toEqual(nothing);
    },
  );

  test(
    'also where another tab was just writing it anew',
    once,
    async ({ page, context, baseURL }) => {
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      await writeAnewOnGoOn(page);

      await context.clearCookies();
      const other = await context.newPage();
      await other.goto('/voter');
      // Before the page is shown.
      expect((await readKept(other)).caches).toEqual([]);
      await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect.poll(() => readKept(other)).toEqual(nothing);
      await page.evaluate(() => dispatchEvent(new Event('go-on')));
      await expect(page.locator('html')).toHaveAttribute('data-writing', 'done');
      await expect.poll(() => readKept(other)).toEqual(nothing);
    },
  );

  test(
    'also where another tab ended while it was writing it anew',
    once,
    async ({ page, context, baseURL }) => {
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      await page.evaluate(() => {
        navigator.serviceWorker.getRegistration = () => new Promise(() => {});
      });
      await writeAnewOnGoOn(page);

      await context.clearCookies();
      const other = await context.newPage();
      await Promise.all([other.goto('/voter'), endAfterWriting(page)]);
      await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible();
      await expect.poll(() => readKept(other)).toEqual(nothing);
    },
  );

  test(
    'once another voter is signed in, who has chosen nothing',
    once,
    async ({ page, baseURL }) => {
      await signIn(page, cast.sent, baseURL, '/voter/dashboard');
      await remember(page);
      await page.goto('about:blank');
      await signIn(page, cast.rejected, baseURL, '/voter/dashboard');
      await expect(choice(page)).not.toBeChecked();
      await expect.poll(() => readKept(page)).toEqual(nothing);
    },
  );
});
