import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, submit } from './sign-in.ts';

/**
 * What an office's own counter learns about its site: which page was seen, never by whom. The counter is on a port of
 * its own and carries out the commands that the page gives to Matomo's script, or to Google's.
 */
let office: Office;
let counter: Server;
let counterOrigin: string;
/** Each address that was asked for, and what came with it. */
let heard: string[];

test.describe.configure({ mode: 'default' });

test.beforeAll(async ({ baseURL }) => {
  test.setTimeout(90_000);
  office = await openOffice(baseURL);
  counter = createServer((request, answer) => {
    const { headers, url = '' } = request;
    heard.push([url, headers.cookie ?? '', headers.referer ?? ''].join(' '));
    answer.setHeader('access-control-allow-origin', '*');
    if (url.endsWith('.js')) answer.setHeader('content-type', 'text/javascript').end(matomo);
    else answer.writeHead(204).end();
  });
  await new Promise<void>((resolve) => counter.listen(0, '127.0.0.1', resolve));
  counterOrigin = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  office.close();
  await new Promise((resolve) => counter.close(resolve));
});
test.beforeEach(async ({ page }) => {
  heard = [];
  await comeFromElsewhere(page);
});

const secrets = /no-such-code|Ines|32001|07-09-1975|1975-07-09|M-1|beacon_session/;

test(
  'an office’s Matomo learns which pages were seen, but no voter and no code',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 422/);
    await office.apply({
      analytics: { kind: 'matomo', url: counterOrigin, site_id: '7', when_signed_in: true },
    });
    await walk(page);
    await expect
      .poll(() => views().map((view) => view.get('action_name')))
      .toEqual(['page:login', 'page:confirm-email', 'page:preferences']);
    for (const view of views()) {
      expect(view.get('idsite')).toBe('7');
      expect(view.get('url')).toBe(
        `${office.url}/voter/${view.get('action_name')?.replace('page:', '')}`,
      );
      expect(view.get('urlref')).toBe('');
      expect(view.get('cookie')).toBe('0');
    }
    expect(heard.join('\n')).not.toMatch(secrets);
    expect((await page.context().cookies(counterOrigin)).map(({ name }) => name)).toEqual([]);
  },
);

test(
  'an office’s GA4 learns the same, after every kind of storage is denied',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 422/);
    await page.route('https://www.googletagmanager.com/gtag/js?*', (route) => {
      heard.push(route.request().url());
      return route.fulfill({ contentType: 'text/javascript', body: gtag });
    });
    await page.route('https://www.google-analytics.com/**', (route) => {
      heard.push([route.request().url(), route.request().postData() ?? ''].join(' '));
      return route.fulfill({ status: 204 });
    });
    await office.apply({
      analytics: { kind: 'ga4', measurement_id: 'G-ABC123', when_signed_in: true },
    });
    await walk(page);
    await expect
      .poll(() => views().map((view) => view.get('dt')))
      .toEqual(['page:login', 'page:confirm-email', 'page:preferences']);
    for (const view of views()) {
      expect(view.get('tid')).toBe('G-ABC123');
      expect(view.get('en')).toBe('page_view');
      expect(view.get('dl')).toBe(`${office.url}/voter/${view.get('dt')?.replace('page:', '')}`);
      expect(view.get('dr')).toBe('');
      expect(view.get('denied')).toBe(
        'ad_personalization,ad_storage,ad_user_data,analytics_storage',
      );
    }
    expect(heard.join('\n')).not.toMatch(secrets);
  },
);

test(
  'without the office’s wish no script of another company runs while a voter is signed in',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 422/);
    await office.apply({ analytics: { kind: 'matomo', url: counterOrigin, site_id: '7' } });
    await walk(page);
    await page.waitForLoadState('networkidle');
    expect(views().map((view) => view.get('action_name'))).toEqual(['page:login']);
    expect(heard.filter((line) => line.startsWith('/matomo.js'))).toHaveLength(1);
    expect(await page.locator('script[src*="matomo"]').count()).toBe(0);
    expect(await page.evaluate(() => '_paq' in window)).toBe(false);
  },
);

for (const [signal, value] of [
  ['doNotTrack', '1'],
  ['globalPrivacyControl', true],
] as const)
  test(
    `no counter of an office counts a visitor who sends ${signal}`,
    once,
    async ({ page, expectConsole }) => {
      expectConsole(/status of 422/);
      await office.apply({
        analytics: { kind: 'matomo', url: counterOrigin, site_id: '7', when_signed_in: true },
      });
      await page.addInitScript(
        ([name, wish]) => Object.defineProperty(navigator, name, { value: wish }),
        [signal, value] as const,
      );
      let isCountedHere = false;
      page.on('request', (request) => {
        if (request.url().endsWith('/page-view')) isCountedHere = true;
      });
      await walk(page);
      await page.waitForLoadState('networkidle');
      expect(heard).toEqual([]);
      expect(isCountedHere).toBe(false);
    },
  );

test(
  'an office’s counter that is away is no matter of the voter’s',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 422|ERR_CONNECTION_REFUSED/);
    await office.apply({
      analytics: {
        kind: 'matomo',
        url: 'http://nobody.localhost',
        site_id: '7',
        when_signed_in: true,
      },
    });
    await walk(page);
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

/** A voter comes by the link of a mail, signs in, and goes on to the preferences. */
async function walk(page: Page): Promise<void> {
  // Which page they come from is nobody's business.
  const referer = 'https://mail.example/?read=no-such-code';
  await page.goto(`${office.url}/voter?code=no-such-code`, { referer });
  await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  await fillIn(page, office.typed);
  await submit(page);
  await page.getByRole('link', { name: 'See my contact preferences' }).click();
  await expect(page.locator('#contact-preferences')).toBeVisible();
}

/** What the counter received about seen pages. */
function views(): URLSearchParams[] {
  return heard
    .map((line) => new URL(line.split(' ', 1)[0] ?? '', 'http://counter.example'))
    .filter(({ pathname }) => /matomo[.]php$|collect$/.test(pathname))
    .map(({ searchParams }) => searchParams);
}

/** As Matomo's script does: https://developer.matomo.org/api-reference/tracking-javascript */
const matomo = `
const set = { cookie: '1', url: location.href, title: document.title, referrer: document.referrer };
const commands = {
  disableCookies: () => { set.cookie = '0'; },
  setDoNotTrack: (wish) => { set.isDenied = wish && navigator.doNotTrack === '1'; },
  setReferrerUrl: (url) => { set.referrer = url; },
  setTrackerUrl: (url) => { set.tracker = url; },
  setSiteId: (id) => { set.site = id; },
  setCustomUrl: (url) => { set.url = url; },
  setDocumentTitle: (title) => { set.title = title; },
  trackPageView: () => {
    if (set.isDenied) return;
    const { site, url, title, referrer, cookie } = set;
    const query = { idsite: site, rec: '1', action_name: title, url, urlref: referrer, cookie };
    new Image().src = set.tracker + '?' + new URLSearchParams(query);
  },
};
const run = ([name, ...values]) => commands[name](...values);
const waiting = window._paq;
window._paq = { push: run };
waiting.forEach(run);
`;

/** As Google's script does: https://developers.google.com/tag-platform/gtagjs/reference */
const gtag = `
let id;
let denied = [];
const run = (command) => {
  if (!(Object.prototype.toString.call(command) === '[object Arguments]')) return;
  const [name, what, values] = command;
  if (name === 'consent')
    denied = Object.keys(values).filter((storage) => values[storage] === 'denied').sort();
  const seen = { page_location: location.href, page_title: document.title, page_referrer: document.referrer };
  const send = (event, details) => {
    const { page_location: dl, page_title: dt, page_referrer: dr } = { ...seen, ...details };
    const query = { v: '2', tid: id, en: event, dl, dt, dr, denied: denied.join() };
    navigator.sendBeacon('https://www.google-analytics.com/g/collect?' + new URLSearchParams(query));
  };
  if (name === 'config') {
    id = what;
    if (values?.send_page_view !== false) send('page_view', {});
  }
  if (name === 'event') send(what, values);
};
const waiting = window.dataLayer;
waiting.push = run;
[...waiting].forEach(run);
`;
