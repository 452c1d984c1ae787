import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { type GoogleDouble, interceptGoogle } from './google-recaptcha.ts';
import { type Office, openOffice } from './office.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { problem } from './problem.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

const refused = /Failed to load resource: the server responded with a status of 401/;
let server: OwnServer;
let office: Office;
let google: GoogleDouble;

test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startOwnServer({ CAPTCHA: 'altcha' }, { before: ['google-siteverify.ts'] });
  office = await openOffice(server.origin, {
    recaptcha: { site_key: 'site', secret_key: 'secret' },
  });
  const { firstname, lastname, zipcode } = office.typed;
  const roll = [
    'registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county',
    `M-1,${firstname},${lastname},1975-07-09,12 Harbor Lane,Marlowe Springs,FL,${zipcode},Marlowe`,
    ...['T-1', 'T-2'].map(
      (id) => `${id},Ada,Twin,1980-01-02,3 Pier Road,Marlowe Springs,FL,${zipcode},Marlowe`,
    ),
  ].join('\n');
  await office.beacon(
    ...['import', office.write('more.csv', `${roll}\n`)],
    ...['--account', office.subdomain, '--format', 'beacon-voters'],
  );
});

test.afterAll(async () => {
  office.close();
  await server.stop();
});

test.beforeEach(async ({ page }) => {
  await comeFromElsewhere(page);
  google = await interceptGoogle(page);
});

const home = () => `${office.url}/voter`;
const group = (page: Page) => page.getByRole('group', { name: "I'm a person, not a robot" });
const isIn = (page: Page) => expect(page.getByRole('button', { name: 'Log out' })).toBeVisible();
const answer = (page: Page) => page.locator('[name="recaptcha"]');
/** One of two voters alike in all that is typed. */
const twin = { firstname: 'Ada', lastname: 'Twin', zipcode: '32001', birthdate: '01-02-1980' };

/** Ticks the box, and is asked for the voter ID. */
async function signInAsTwin(page: Page): Promise<void> {
  await open(page, home());
  await fillIn(page, twin);
  await google.tick();
  await submit(page);
}

test(
  'a voter of an office that chose reCAPTCHA ticks its box and is let in',
  once,
  async ({ page }) => {
    await open(page, home());
    await fillIn(page, office.typed);
    await google.tick();
    await expectNoBarriers(page);
    await submit(page);
    await isIn(page);
    expect(google.languages).toEqual(['en']);
  },
);

test(
  'nothing is asked of Google before the form is used or its box comes into sight',
  once,
  async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 300 });
    const box = page.waitForResponse(/assets\/recaptcha-box-/);
    await open(page, home());
    await box;
    expect(google.languages).toEqual([]);
    await page.getByLabel('First name').focus();
    await expect(google.frame.getByRole('checkbox')).toBeAttached();
    expect(google.languages).toEqual(['en']);
  },
);

test('the box speaks the language of the page, also when that changes', once, async ({ page }) => {
  await open(page, `${home()}?language=spanish`);
  await page.locator('[name="firstname"]').focus();
  await expect(google.frame.getByRole('checkbox')).toBeAttached();
  expect(google.languages).toEqual(['es']);
  await page.locator('.language-menu summary').click();
  await page.getByRole('link', { name: 'English' }).click();
  await expect.poll(() => google.languages).toEqual(['es', 'en']);
  await fillIn(page, office.typed);
  await google.tick();
  await submit(page);
  await isIn(page);
});

test('an unticked box is asked for, and the keyboard is led to it', once, async ({ page }) => {
  await open(page, home());
  await fillIn(page, office.typed);
  await submit(page);
  await page.getByRole('link', { name: 'Please complete the CAPTCHA' }).click();
  await expect(group(page)).toBeFocused();
  await expect(group(page)).toHaveAccessibleDescription('Please complete the CAPTCHA');
});

test(
  'after an error the box is empty again, and a new tick lets the voter in',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await open(page, home());
    await fillIn(page, { ...office.typed, lastname: 'Nobody' });
    await google.tick();
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await expect(google.frame.getByRole('checkbox')).not.toBeChecked();
    await expect(answer(page)).toHaveValue('');
    await page.locator('[name="lastname"]').fill(office.typed.lastname);
    await google.tick();
    await submit(page);
    await isIn(page);
  },
);

test(
  'what the browser worked out for one try is not sent in place of the tick for the next',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/voter/session'))
        sent.push(request.postDataJSON().recaptcha);
    });
    await page.route(
      '**/api/voter/session',
      (route) => route.fulfill(problem(401, 'More Work Required', { work_level: 0 })),
      { times: 1 },
    );
    await open(page, home());
    await fillIn(page, office.typed);
    await google.tick();
    await submit(page);
    // The server had not asked for it.
    await expect(page.locator('.alert[data-type="error"]')).toBeVisible();
    await google.tick();
    await submit(page);
    await isIn(page);
    const ticked = expect.stringMatching(/^ticked-/);
    expect(sent).toEqual([ticked, expect.not.stringMatching(/^ticked-/), ticked]);
  },
);

test(
  'a voter who scans the code on the ballot ticks nothing: the browser works instead',
  once,
  async ({ page }) => {
    const file = office.write('codes.csv', '');
    await office.beacon('qr', '--account', office.subdomain, '--election', '2', '--out', file);
    const [code = ''] = /\?guid=[\w-]+/.exec(readFileSync(file, 'utf8')) ?? [];
    await open(page, `${home()}/qr-login${code}`);
    await page.getByLabel('Date of birth').fill(office.typed.birthdate);
    await page.getByRole('button', { name: 'Register / Log In' }).click();
    await isIn(page);
    expect(google.languages).toEqual([]);
  },
);

test('a tick that has run out is asked for anew', once, async ({ page }) => {
  await open(page, home());
  await fillIn(page, office.typed);
  await google.tick();
  await expect(answer(page)).toHaveValue(/^ticked-/);
  await google.expire();
  await expect(answer(page)).toHaveValue('');
  await submit(page);
  await expect(page.getByRole('link', { name: 'Please complete the CAPTCHA' })).toBeVisible();
});

test(
  'a tick that has run out out of sight is asked for anew once the box is back',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await signInAsTwin(page);
    await expect(page.getByRole('textbox', { name: 'Voter ID' })).toBeVisible();
    await expect(group(page)).toBeHidden();
    await google.expire();
    await page.keyboard.press('Escape');
    await expect(group(page)).toBeVisible();
    await expect(answer(page)).toHaveValue('');
  },
);

test(
  'a voter asked for the voter ID ticks nothing twice, however long the search for it',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await signInAsTwin(page);
    await page.getByRole('textbox', { name: 'Voter ID' }).fill('T-2');
    await expect(group(page)).toBeHidden();
    await google.expire();
    await submit(page);
    await isIn(page);
  },
);

test(
  'after a wrong voter ID the box stands beside it, and a tick there lets the voter in',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(refused);
    await signInAsTwin(page);
    const voterId = page.getByRole('textbox', { name: 'Voter ID' });
    await voterId.fill('T-9');
    await submit(page);
    await expect(page.locator('.alert[data-type="error"]')).toContainText('Invalid credentials');
    await voterId.fill('T-1');
    await google.tick();
    await expect(group(page)).toBeVisible();
    await submit(page);
    await isIn(page);
  },
);

test(
  'where Google is blocked the page says so, whom to ask, and tries again',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/net::ERR_FAILED/);
    const script = 'https://www.google.com/recaptcha/api.js?*';
    await page.route(script, (route) => route.abort());
    await open(page, home());
    await page.getByLabel('First name').focus();
    const alert = group(page).getByRole('alert');
    await expect(alert).toContainText("The CAPTCHA couldn't be loaded.");
    await expect(alert).toContainText('(352) 555-0123');
    await expect(alert).toContainText('help@marlowe.example');
    await expectNoBarriers(page);
    await page.unroute(script);
    google = await interceptGoogle(page);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await fillIn(page, office.typed);
    await google.tick();
    await submit(page);
    await isIn(page);
  },
);
