import type { Page, TestInfo } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdScript } from './hold-script.ts';
import { addressOf, comeFromElsewhere, open, signIn } from './sign-in.ts';

const path = '/api/voter/information/me';
const refused = (status: number) =>
  new RegExp(`Failed to load resource: the server responded with a status of ${status}`);

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test('the first save confirms the voter, says what is left to do and shows the ballots', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.undeliverable, cast.requested);
  await signIn(page, member, baseURL);
  await expect(page).toHaveURL(/\/voter\/preferences$/);
  await expect(button(page, 'CONFIRM')).toBeVisible();
  await expect(button(page, 'Reset Form')).toBeVisible();
  await expect(button(page, 'OPT OUT OF ALL UPDATES')).toHaveCount(0);

  await field(page, 'email').fill('first-save@example.com');
  await field(page, 'sms').fill('850.555.0177');
  await field(page, 'voice').fill('8505550178');
  await button(page, 'CONFIRM').click();

  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(alert(page, 'success')).toContainText('Your information has been updated.');
  const notice = alert(page, 'notice');
  await expect(notice.locator('.alert-label')).toHaveText(
    'To ensure you receive updates in a timely manner, please check the following:',
  );
  await expect(notice.locator('p')).toHaveText([
    /reply YES .* short code 41575/,
    /welcome email .* first-save@example.com.* spam/,
    /call \(850\) 555-0142/,
  ]);

  await expect(button(page, 'Update')).toBeVisible();
  await expect(button(page, 'OPT OUT OF ALL UPDATES')).toBeVisible();
  await expect(button(page, 'Reset Form')).toHaveCount(0);
  await expect(field(page, 'sms')).toHaveValue('(850) 555-0177');
  await expect(form(page)).toContainText('Reply YES to 41575 to start texts.');
  await expect(form(page)).toContainText('Call (850) 555-0142 from this phone');

  await open(page, '/voter');
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
});

test('errors come only at fields that were touched, each with its words', async ({
  page,
  baseURL,
}) => {
  await openForm(page, cast.unknownStatus, baseURL);
  await expect(errors(page)).toHaveCount(0);

  await field(page, 'email').fill('ida@');
  await expect(box(page, 'email')).toBeChecked();
  await expect(errors(page)).toHaveText(['Invalid email. (Example: name@example.com)']);
  await expect(field(page, 'email')).toHaveAccessibleDescription(/Invalid email/);

  await box(page, 'voice').check();
  await field(page, 'sms').fill('352-555-CALL');
  await button(page, 'CONFIRM').click();
  await expect(errors(page)).toHaveText([
    'Invalid email. (Example: name@example.com)',
    'Invalid phone number. (Example: (352) 555-0100)',
    "You've chosen to be contacted via Voice. Please enter a phone number or click X to opt out.",
  ]);
  await expect(field(page, 'email')).toBeFocused();
  await expect(alert(page, 'success')).toHaveCount(0);

  await field(page, 'email').fill('');
  await field(page, 'sms').fill('');
  await expect(errors(page)).toHaveText([
    "You've chosen to be contacted via Email. Please enter an email address or click X to opt out.",
    "You've chosen to be contacted via Text. Please enter a phone number or click X to opt out.",
    "You've chosen to be contacted via Voice. Please enter a phone number or click X to opt out.",
  ]);

  // The X that the words speak of is there although the field is empty.
  await button(page, 'Clear the phone number and opt out').click();
  await expect(errors(page)).toHaveCount(2);
  await expect(box(page, 'voice')).not.toBeChecked();

  await button(page, 'Reset Form').click();
  await expect(errors(page)).toHaveCount(0);
  for (const channel of ['email', 'sms', 'voice'] as const)
    await expect(box(page, channel)).not.toBeChecked();
});

test('the clear button empties a field, opts out of it and keeps the keyboard there', async ({
  page,
  baseURL,
}) => {
  await openForm(page, cast.unknownStatus, baseURL);
  await field(page, 'sms').fill('8505550177');
  await expect(box(page, 'sms')).toBeChecked();
  await button(page, 'Clear the mobile phone number and opt out').click();
  await expect(field(page, 'sms')).toHaveValue('');
  await expect(box(page, 'sms')).not.toBeChecked();
  await expect(field(page, 'sms')).toBeFocused();
});

test('contact hours: a change turns the limit on, turning it off resets them', async ({
  page,
  baseURL,
}) => {
  await openForm(page, cast.unknownStatus, baseURL);
  const limit = page.locator('[name="limit-hours"]');
  const [from, until] = [field(page, 'limitStart'), field(page, 'limitEnd')];
  await expect(from.locator('option')).toHaveCount(48);
  await expect(from.locator('option').nth(17)).toHaveText('8:30 AM');
  await from.selectOption({ label: '9:30 PM' });
  await expect(limit).toBeChecked();
  await expect(form(page)).toContainText('from 9:30 PM until 8:00 PM the next day');
  await limit.uncheck();
  await expect(from).toHaveValue('08:00');
  await expect(until).toHaveValue('20:00');
});

test(
  'only what changed is sent, once, however often Update is pressed',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.reprinted, cast.cured);
    await openForm(page, member, baseURL, {
      email: 'before@example.com',
      email_opt_in: true,
      language_preference: 'spanish',
    });
    const held = await holdSaves(page);
    await field(page, 'email').fill('after@example.com');
    await button(page, 'Update').dblclick();
    await held.arrived();
    await expect(button(page, 'Update')).toHaveAttribute('data-busy');
    await expect(form(page).getByRole('status')).toHaveText('Saving…');
    await button(page, 'Update').click({ force: true });

    const releasedAt = await page.evaluate(() => Date.now());
    held.release();
    await expect(alert(page, 'success')).toHaveText(/Your information has been updated/);
    expect(held.bodies).toEqual([{ email: 'after@example.com', language_preference: 'spanish' }]);
    const lastActivity = await page.evaluate(() =>
      Object.entries(localStorage).find(([key]) => /lastActivity/i.test(key)),
    );
    expect(Number(lastActivity?.[1])).toBeGreaterThanOrEqual(releasedAt);
  },
);

test('opting out of all asks first, then sends three refusals and empty addresses', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.reversed, cast.backToSent);
  await openForm(page, member, baseURL, { email: 'out@example.com', email_opt_in: true });
  const held = await holdSaves(page);
  held.release();
  await button(page, 'OPT OUT OF ALL UPDATES').click();
  const dialog = page.getByRole('alertdialog', { name: 'ARE YOU SURE?' });
  await expect(dialog.getByRole('button', { name: 'CANCEL' })).toBeFocused();
  await dialog.getByRole('button', { name: 'CANCEL' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'OPT OUT OF ALL UPDATES')).toBeFocused();
  expect(held.bodies).toEqual([]);

  await button(page, 'OPT OUT OF ALL UPDATES').click();
  await dialog.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
  await expect(alert(page, 'success')).toContainText('Your information has been updated.');
  await expect(alert(page, 'notice')).toContainText(
    'You have chosen to opt-out of all notifications.',
  );
  expect(held.bodies).toEqual([
    {
      email_opt_in: false,
      sms_opt_in: false,
      voice_opt_in: false,
      email: '',
      phone_sms: '',
      phone_voice: '',
      language_preference: 'english',
    },
  ]);
  await expect(field(page, 'email')).toHaveValue('');
});

test(
  'equal contact hours become 8:00 AM to 8:00 PM, and the form says so',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.twin, cast.twinBrother);
    await openForm(page, member, baseURL, { sms_do_not_contact_before: null });
    const held = await holdSaves(page);
    held.release();
    await field(page, 'limitStart').selectOption('14:00');
    await field(page, 'limitEnd').selectOption('14:00');
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toBeVisible();
    expect(held.bodies[0]).toMatchObject({
      email_do_not_contact_before: '08:00',
      email_do_not_contact_after: '20:00',
      sms_do_not_contact_before: '08:00',
      sms_do_not_contact_after: '20:00',
      voice_do_not_contact_before: '08:00',
      voice_do_not_contact_after: '20:00',
    });
    await expect(form(page)).toContainText('we set them to 8:00 AM and 8:00 PM');
    await expect(page.locator('[name="limit-hours"]')).toBeChecked();
  },
);

test('what the server refuses is listed, told at its field, and kept in the form', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(refused(422));
  await openForm(page, cast.missingRow, baseURL);
  await field(page, 'sms').fill('(123) 456-7890');
  await button(page, 'CONFIRM').click();
  await expect(alert(page, 'notice')).toContainText('Your information has not been updated!');
  const error = alert(page, 'error');
  await expect(error.locator('.alert-label')).toHaveText('Please check what you entered');
  await expect(error.locator('p')).toHaveText([/^Invalid phone number\./]);
  await expect(errors(page)).toHaveText([/^Invalid phone number\./]);
  await expect(field(page, 'sms')).toHaveValue('(123) 456-7890');

  await field(page, 'sms').fill('(850) 555-0177');
  await expect(errors(page)).toHaveCount(0);
});

test('a number whose texts were stopped is not opted in again, and the form says how to start them', async ({
  page,
  baseURL,
  expectConsole,
}, info) => {
  expectConsole(refused(422));
  const member = ofProject(info, cast.inTransit, cast.delivered);
  const digits = info.project.name === 'phone' ? '8505550181' : '8505550182';
  await openForm(page, member, baseURL, { phone_sms: digits, sms_opt_in: true });
  const stop = await page.request.post('/outbox/reply', {
    form: { account: 'demo', from: `+1${digits}`, text: 'STOP' },
    headers: { origin: baseURL ?? '' },
  });
  expect(stop.ok()).toBe(true);
  await open(page, '/voter/dashboard');
  await expect(box(page, 'sms')).not.toBeChecked();
  await box(page, 'sms').check();
  await button(page, 'Update').click();
  await expect(alert(page, 'notice')).toContainText('Your information has not been updated!');
  const error = alert(page, 'error');
  await expect(error.locator('.alert-label')).toHaveText('Texts to this number are stopped');
  const start = 'Texts to this number were stopped. Text START to 41575 to get them again.';
  await expect(error.locator('p')).toHaveText([start]);
  await expect(errors(page)).toHaveText([start]);
  await expect(box(page, 'sms')).toBeChecked();
});

test('a failure of the server shows the Oops text with its error id', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(refused(503));
  await openForm(page, cast.missingRow, baseURL);
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            title: 'Service Unavailable',
            status: 503,
            detail: 'Busy',
            err_id: 'e-42',
          }),
        })
      : route.continue(),
  );
  await field(page, 'email').fill('kept@example.com');
  await button(page, 'CONFIRM').click();
  await expect(alert(page, 'error')).toContainText(
    'Oops! Something went wrong on our end. Please try your latest action again.',
  );
  await expect(alert(page, 'error')).toContainText('e-42');
  await expect(field(page, 'email')).toHaveValue('kept@example.com');
  await expect(button(page, 'CONFIRM')).not.toHaveAttribute('data-busy');
});

test('offline in the middle of a save, what was typed stays and goes out later', async ({
  page,
  baseURL,
  expectConsole,
}, info) => {
  expectConsole(/ERR_INTERNET_DISCONNECTED/);
  const member = ofProject(info, cast.pastOnly, cast.none);
  await openForm(page, member, baseURL, { email: '', email_opt_in: false });
  await field(page, 'email').fill('typed-offline@example.com');
  await page.context().setOffline(true);
  await button(page, 'Update').click();
  await expect(alert(page, 'error')).toContainText('Your device seems to be offline.');
  await expect(alert(page, 'error')).toContainText('What you typed is still in the form');
  await expect(field(page, 'email')).toHaveValue('typed-offline@example.com');

  await page.context().setOffline(false);
  await button(page, 'Update').click();
  await expect(alert(page, 'success')).toContainText('Your information has been updated.');
});

test('a session that expired in the middle leads to the login and says so', async ({
  page,
  baseURL,
  expectConsole,
}) => {
  expectConsole(refused(403));
  await openForm(page, cast.missingRow, baseURL);
  await field(page, 'email').fill('too-late@example.com');
  await page.context().clearCookies({ name: /session/ });
  await button(page, 'CONFIRM').click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(page.locator('.alert')).toContainText('Session expired');
  await expect(page.locator('.alert')).toContainText('Your information has not been updated!');
  await expect(page.getByText('too-late@example.com')).toHaveCount(0);
});

test('an address that mail does not reach blocks the save until it is changed or opted out of', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.accent, cast.hyphen);
  const email = `unknown-user+${info.project.name}@magic.invalid`;
  await openForm(page, member, baseURL, { email, email_opt_in: true });
  await expect
    .poll(async () => (await readOwn(page)).is_valid_email, { timeout: 20_000 })
    .toBe(false);
  await page.reload();
  await expect(button(page, 'Update')).toBeEnabled();
  await expect(form(page)).toContainText('Our emails do not reach this address.');
  await expect(errors(page)).toHaveCount(0);

  const held = await holdSaves(page);
  held.release();
  await button(page, 'Update').click();
  const unusable =
    'Provided email address cannot be used to receive emails because it is invalid, has unsubscribed, or marked the message as spam. Please change email address or uncheck opt-in.';
  await expect(errors(page)).toHaveText([unusable]);
  await field(page, 'email').fill(email.slice(0, -1));
  await expect(errors(page)).toHaveCount(0);
  await field(page, 'email').fill(email);
  await expect(errors(page)).toHaveText([unusable]);
  expect(held.bodies).toEqual([]);

  await box(page, 'email').uncheck();
  await button(page, 'Update').click();
  await expect(alert(page, 'success')).toBeVisible();
  expect(held.bodies).toEqual([{ email_opt_in: false, language_preference: 'english' }]);
});

test('a welcome email’s link confirms the address only once its voter is signed in', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.apostrophe, cast.curlyApostrophe);
  const email = `welcome-${info.project.name}@example.com`;
  await openForm(page, member, baseURL, { email: '', email_opt_in: false });
  await save(page, { email, email_opt_in: true });
  const link = await readWelcomeLink(page, email);
  expect((await readOwn(page)).is_valid_email).toBeNull();
  await page.context().clearCookies({ name: /session/ });

  await open(page, link);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await signInHere(page, member);
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
  await expect(alert(page, 'success')).toContainText('Your email address is confirmed.');
  await expect(form(page).locator('.contact-known[data-look="good"]')).toHaveText('Confirmed');
});

test(
  'a link whose code is not the voter’s says so and changes nothing',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(422));
    await openForm(page, cast.missingRow, baseURL);
    await open(page, '/voter?code=nonsense');
    await expect(page).toHaveURL(/\/voter\/confirm-email\?code=nonsense$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'This link does not work any more',
    );
    await page.getByRole('link', { name: 'See my contact preferences' }).click();
    await expect(page).toHaveURL(/\/voter\/preferences$/);
  },
);

test(
  'a preferred language is asked for only where the office offers more than one',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.unknownStatus, baseURL);
    await expect(page.getByRole('group', { name: 'Preferred language' })).toBeVisible();
    await page.context().clearCookies();
    await openForm(page, cast.tokenSent, baseURL);
    await expect(page.getByRole('group', { name: 'Email' })).toBeVisible();
    await expect(page.getByRole('group', { name: 'Preferred language' })).toHaveCount(0);
  },
);

test('the form stands beside the ballots too, and two links lead to it', async ({
  page,
  baseURL,
}) => {
  await openForm(page, cast.unknownStatus, baseURL);
  await open(page, '/voter/dashboard');
  await expect(form(page).getByRole('heading', { name: 'Contact Preferences' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign Up for Ballot Status Alerts' }).click();
  await expect(form(page)).toBeInViewport();
  const skip = page.getByRole('link', { name: 'Skip to your contact preferences' });
  await skip.focus();
  await skip.press('Enter');
  await expect(field(page, 'email')).toBeFocused();
});

test('what was typed before the script arrived is kept', once, async ({ page, baseURL }) => {
  await openForm(page, cast.leapDay, baseURL);
  const release = await holdScript(page);
  await page.goto('/voter/preferences', { waitUntil: 'commit' });
  await expect(button(page, 'CONFIRM')).toBeDisabled();
  await field(page, 'email').fill('early@example.com');
  release();
  await expect(button(page, 'CONFIRM')).toBeEnabled();
  await expect(field(page, 'email')).toHaveValue('early@example.com');
  await expect(box(page, 'email')).toBeChecked();
});

for (const scheme of ['light', 'dark'] as const) {
  test(`the preferences have no barrier that can be found, with errors too: ${scheme}`, async ({
    page,
    baseURL,
  }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await openForm(page, cast.leapDay, baseURL);
    await expectNoBarriers(page);
    await field(page, 'email').fill('ida@');
    await box(page, 'sms').check();
    await button(page, 'CONFIRM').click();
    await expect(errors(page)).toHaveCount(2);
    await expectNoBarriers(page);
  });
}

test(
  'the preferences fit 320 pixels, also with text twice as large',
  once,
  async ({ page, baseURL }) => {
    await page.setViewportSize({ width: 320, height: 640 });
    await openForm(page, cast.leapDay, baseURL);
    await expectNoOverhang(page);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    await expectNoOverhang(page);
  },
);

test('the preferences can be filled in and saved by the keyboard alone', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.rejected, cast.rejectedCurable);
  await openForm(page, member, baseURL, { email: '', email_opt_in: false });
  await box(page, 'email').focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keys@example.com');
  await page.keyboard.press('Enter');
  await expect(alert(page, 'success')).toContainText('Your information has been updated.');
});

const form = (page: Page) => page.locator('#contact-preferences');
const field = (page: Page, name: string) => form(page).locator(`[name="${name}"]`);
const box = (page: Page, channel: string) => form(page).locator(`[name="${channel}-opt-in"]`);
const button = (page: Page, name: string) => form(page).getByRole('button', { name, exact: true });
const errors = (page: Page) => form(page).locator('.field-error p');
const alert = (page: Page, type: string) => page.locator(`.alert[data-type="${type}"]`);

/** Phone and desktop run side by side, so a journey that saves has a voter for each. */
function ofProject(info: TestInfo, phone: CastMember, desktop: CastMember): CastMember {
  return info.project.name === 'phone' ? phone : desktop;
}

/** Signs in and opens the form on the dashboard; with `stored`, of a confirmed voter who has saved this before. */
async function openForm(
  page: Page,
  member: CastMember,
  baseURL: string | undefined,
  stored?: object,
): Promise<void> {
  await signIn(page, member, baseURL, '/voter/preferences');
  if (stored) {
    await save(page, stored);
    await open(page, `${addressOf(member.account, baseURL)}/voter/dashboard`);
  }
  await expect(form(page)).toBeVisible();
}

async function save(page: Page, patch: object): Promise<void> {
  const status = await page.evaluate(
    async ([url, body]) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(url, { method: 'PATCH', headers, body })).status;
    },
    [path, JSON.stringify(patch)] as const,
  );
  expect(status).toBe(200);
}

async function readOwn(page: Page): Promise<{ is_valid_email: boolean | null }> {
  return page.evaluate(async (url) => (await fetch(url)).json(), path);
}

/** Saves wait until they are released, and are written down. */
async function holdSaves(page: Page) {
  const bodies: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    bodies.push(route.request().postDataJSON());
    await released;
    await route.continue();
  });
  const arrived = () => expect.poll(() => bodies.length).toBeGreaterThan(0);
  return { bodies, release, arrived };
}

/** The link of the newest welcome email to this address, out of the mailbox of the local provider. */
async function readWelcomeLink(page: Page, email: string): Promise<string> {
  let link: string | undefined;
  await expect
    .poll(
      async () => {
        const outbox = await (await page.request.get('/outbox?account=demo')).text();
        const message = outbox
          .split('<article>')
          .find((article) => article.includes(email) && article.includes('code='));
        link = /\/voter\?code=[\w%-]+/.exec(message ?? '')?.[0];
        return link;
      },
      { timeout: 20_000 },
    )
    .toBeTruthy();
  return link ?? '';
}

async function signInHere(page: Page, { typed }: CastMember): Promise<void> {
  for (const [name, value] of Object.entries(typed))
    await page.locator(`[name="${name}"]`).fill(value);
  await page.locator('#login-form button[type="submit"]').click();
}

async function expectNoOverhang(page: Page): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
