import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import {
  alert,
  box,
  button,
  errors,
  field,
  form,
  holdSaves,
  ofProject,
  openForm,
  path,
  readOwn,
  refused,
  save,
} from './preferences-form.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

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

test(
  'what the server refuses is listed, shown at its field, and kept in the form',
  once,
  async ({ page, baseURL, expectConsole }) => {
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

    // The page keeps with the voter what was refused: the form of another screen says it too.
    await page.evaluate(() => history.pushState(null, '', '/voter/dashboard'));
    await expect(page.locator('.dashboard')).toBeVisible();
    await expect(errors(page)).toHaveText([/^Invalid phone number\./]);

    await field(page, 'sms').fill('(850) 555-0177');
    await expect(errors(page)).toHaveCount(0);
  },
);

for (const [detail, label] of [
  ['Failed Validation', 'Please check what you entered'],
  ['SMS opted out', 'Texts to this number are stopped'],
  ['Email validation failed for ida@example.com', "This email address can't be used"],
  ['Contact between times must be different', 'Invalid contact times'],
] as const)
  test(
    `a save refused with “${detail}” says that nothing was updated, and lists the messages`,
    once,
    async ({ page, baseURL, expectConsole }) => {
      expectConsole(refused(422));
      await openForm(page, cast.missingRow, baseURL);
      await answerSave(page, 422, detail, {
        validation_messages: {
          email: { first: 'What is wrong first.', second: 'What is wrong then.' },
        },
      });
      await field(page, 'email').fill('ida@example.com');
      await button(page, 'CONFIRM').click();
      await expect(alert(page, 'notice').locator('p')).toHaveText([
        'Your information has not been updated!',
      ]);
      await expect(alert(page, 'error').locator('.alert-label')).toHaveText([label]);
      await expect(alert(page, 'error').locator('p')).toHaveText([
        'What is wrong first.',
        'What is wrong then.',
      ]);
    },
  );

test(
  'a number whose texts were stopped is not opted in again, and the form says how to start them',
  once,
  async ({ page, baseURL, expectConsole }, info) => {
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
    const start = 'Texts to this number are stopped. Text START to 41575 to get them again.';
    await expect(error.locator('p')).toHaveText([start]);
    await expect(errors(page)).toHaveText([start]);
    await expect(box(page, 'sms')).toBeChecked();
  },
);

test(
  'a failure of the server shows the Oops text with its error id',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(503));
    await openForm(page, cast.missingRow, baseURL);
    await answerSave(page, 503, 'Busy', { err_id: 'e-42' });
    await field(page, 'email').fill('kept@example.com');
    await button(page, 'CONFIRM').click();
    await expect(alert(page, 'error').locator('.alert-label')).toHaveText(
      'Oops! Something went wrong on our end. Please try your latest action again.',
    );
    await expect(alert(page, 'error').locator('p')).toHaveText([/ e-42$/]);
    await expect(alert(page, 'notice')).toHaveCount(0);
    await expect(field(page, 'email')).toHaveValue('kept@example.com');
    await expect(button(page, 'CONFIRM')).not.toHaveAttribute('data-busy');
  },
);

test(
  'offline in the middle of a save, what was typed stays and goes out later',
  once,
  async ({ page, baseURL, expectConsole }, info) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    const member = ofProject(info, cast.pastOnly, cast.none);
    await openForm(page, member, baseURL, { email: '', email_opt_in: false });
    await field(page, 'email').fill('typed-offline@example.com');
    await page.context().setOffline(true);
    await button(page, 'Update').click();
    await expect(alert(page, 'error')).toContainText('You seem to be offline.');
    await expect(alert(page, 'error')).toContainText('What you entered is still in the form');
    await expect(field(page, 'email')).toHaveValue('typed-offline@example.com');

    await page.context().setOffline(false);
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toContainText('Your information has been updated.');
  },
);

test(
  'a session that expired in the middle leads to the login and says so',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(403));
    await openForm(page, cast.missingRow, baseURL);
    await field(page, 'email').fill('too-late@example.com');
    await page.context().clearCookies({ name: /session/ });
    await button(page, 'CONFIRM').click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText('Session expired');
    await expect(page.locator('.alert')).toContainText('Your information has not been updated!');
    await expect(page.getByText('too-late@example.com')).toHaveCount(0);
  },
);

test(
  'an address that mail does not reach blocks the save until it is changed or opted out of',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.accent, cast.hyphen);
    const email = `unknown-user+${info.project.name}@magic.invalid`;
    await openForm(page, member, baseURL, { email, email_opt_in: true });
    await expect
      .poll(async () => (await readOwn(page)).is_valid_email, { timeout: 20_000 })
      .toBe(false);
    await page.reload();
    await expect(button(page, 'Update')).toBeEnabled();
    await expect(form(page)).toContainText("Our emails don't reach this address.");
    await expect(errors(page)).toHaveCount(0);

    const saves = await holdSaves(page);
    saves.release();
    await button(page, 'Update').click();
    const unusable =
      'Provided email address cannot be used to receive emails because it is invalid, has unsubscribed, or marked the message as spam. Please change email address or uncheck opt-in.';
    await expect(errors(page)).toHaveText([unusable]);
    await field(page, 'email').fill(email.slice(0, -1));
    await expect(errors(page)).toHaveCount(0);
    await field(page, 'email').fill(email);
    await expect(errors(page)).toHaveText([unusable]);
    expect(saves.bodies).toEqual([]);

    await box(page, 'email').uncheck();
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toBeVisible();
    expect(saves.bodies).toEqual([{ email_opt_in: false, language_preference: 'english' }]);
  },
);

test(
  'a stored address that mail does not reach blocks no save where the office has given up email',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const member = { ...cast.sent, typed: office.typed };
    await signIn(page, member, office.url, '/voter/preferences');
    await save(page, { email: 'unknown-user@magic.invalid', email_opt_in: true });
    await expect
      .poll(async () => (await readOwn(page)).is_valid_email, { timeout: 20_000 })
      .toBe(false);
    await office.apply({ delivery_types: ['sms'] });
    await page.reload();
    await field(page, 'sms').fill('(352) 555-0123');
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toBeVisible();
    office.close();
  },
);

/** Has the next save answered with a problem, as the server words it. */
async function answerSave(page: Page, status: number, detail: string, more: object): Promise<void> {
  await page.route(`**${path}`, (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({
          status,
          contentType: 'application/problem+json',
          body: JSON.stringify({ title: detail, status, detail, ...more }),
        })
      : route.continue(),
  );
}
