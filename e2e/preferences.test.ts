import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriersInAnyColors } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdScript } from './hold-script.ts';
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
  readOwn,
} from './preferences-form.ts';
import { comeFromElsewhere, fillIn, open, signIn, submit } from './sign-in.ts';

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
  for (const section of [
    'Email',
    'Text messages',
    'Voice calls',
    'Limit notification hours',
    'Preferred language',
  ])
    await expect(form(page).getByRole('group', { name: section })).toBeVisible();

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
  // In the evening a text waits for the morning, and the notice says so.
  const lines = notice.locator('p').filter({ hasNotText: /^We'll text you at/ });
  await expect(lines).toHaveText([
    'Text messages: reply YES to the text from short code 41575 to start them.',
    "Email: we're sending a welcome email to first-save@example.com. Use the link in it to confirm your address. If you don't see it, check your spam folder.",
    'Voice calls: call (850) 555-0142 from the number you entered to confirm it.',
  ]);

  await expect(button(page, 'Update')).toBeVisible();
  await expect(button(page, 'OPT OUT OF ALL UPDATES')).toBeVisible();
  await expect(button(page, 'Reset Form')).toHaveCount(0);
  await expect(field(page, 'sms')).toHaveValue('(850) 555-0177');
  await expect(form(page)).toContainText('Reply YES to 41575 to start texts.');
  await expect(form(page)).toContainText('Call (850) 555-0142 from the number you entered');

  // What is known is of the stored address alone.
  const ofEmail = 'Use the link in our email to confirm this address.';
  await expect(form(page)).toContainText(ofEmail);
  for (const [channel, stored, other, words] of [
    ['email', 'first-save@example.com', 'other@example.com', ofEmail],
    ['sms', '(850) 555-0177', '(850) 555-0179', 'Reply YES to 41575'],
  ] as const) {
    await field(page, channel).fill(other);
    await expect(form(page)).not.toContainText(words);
    await field(page, channel).fill(stored);
    await expect(form(page)).toContainText(words);
  }

  await open(page, '/voter');
  await expect(page).toHaveURL(/\/voter\/dashboard$/);
});

test(
  'a request to confirm that must wait for the voter’s hours says when it comes',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const clock = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-US', {
        timeZone: 'America/New_York',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      });
    try {
      await open(page, `${office.url}/voter`);
      await fillIn(page, office.typed);
      await submit(page);
      await field(page, 'email').fill('ines@example.com');
      await field(page, 'sms').fill('3525550188');
      const [from, until] = [clock(3), clock(5)].map((time) => time.replace(/:.*/, ':00'));
      await field(page, 'limitStart').selectOption(from ?? '');
      await field(page, 'limitEnd').selectOption(until ?? '');
      const opens = await field(page, 'limitStart').locator('option:checked').innerText();
      await button(page, 'CONFIRM').click();
      await expect(alert(page, 'notice').locator('p')).toHaveText([
        /^Text messages: reply YES/,
        `We'll text you at ${opens}.`,
        /^Email: we're sending a welcome email/,
        `We'll email you at ${opens}.`,
      ]);
    } finally {
      office.close();
    }
  },
);

test(
  'the clear button empties a field, opts out of it and keeps the keyboard there',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.unknownStatus, baseURL);
    await field(page, 'sms').fill('8505550177');
    await expect(box(page, 'sms')).toBeChecked();
    await button(page, 'Clear the mobile phone number and opt out').click();
    await expect(field(page, 'sms')).toHaveValue('');
    await expect(box(page, 'sms')).not.toBeChecked();
    await expect(field(page, 'sms')).toBeFocused();
  },
);

test(
  'contact hours: a change turns the limit on, turning it off resets them',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.unknownStatus, baseURL);
    const limit = page.locator('[name="limit-hours"]');
    const [from, until] = [field(page, 'limitStart'), field(page, 'limitEnd')];
    for (const choice of [from, until])
      await expect(choice.locator('option')).toHaveText(
        ['AM', 'PM'].flatMap((half) =>
          [12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((hour) => [
            `${hour}:00 ${half}`,
            `${hour}:30 ${half}`,
          ]),
        ),
      );
    await from.selectOption({ label: '9:30\u00a0PM' });
    await expect(limit).toBeChecked();
    await expect(form(page)).toContainText('from 9:30 PM until 8:00 PM the next day');
    await limit.uncheck();
    await expect(from).toHaveValue('08:00');
    await expect(until).toHaveValue('20:00');
  },
);

test('the hours and the language that a voter chose are kept', once, async ({ page, baseURL }) => {
  await openForm(page, cast.returnInTransit, baseURL, { sms_do_not_contact_before: null });
  await field(page, 'limitStart').selectOption('09:30');
  await field(page, 'limitEnd').selectOption('17:00');
  await field(page, 'languagePreference').selectOption('spanish');
  await button(page, 'Update').click();
  await expect(alert(page, 'success')).toBeVisible();
  await page.reload();
  await expect(field(page, 'limitStart')).toHaveValue('09:30');
  await expect(field(page, 'limitEnd')).toHaveValue('17:00');
  await expect(page.locator('[name="limit-hours"]')).toBeChecked();
  await expect(field(page, 'languagePreference')).toHaveValue('spanish');
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
    const saves = await holdSaves(page);
    await field(page, 'email').fill('after@example.com');
    await button(page, 'Update').dblclick();
    await saves.arrived();
    await expect(button(page, 'Update')).toHaveAttribute('data-busy');
    await expect(form(page).getByRole('status')).toHaveText('Saving…');
    await button(page, 'Update').click({ force: true });
    // What is answered to the question meanwhile would be lost.
    await button(page, 'OPT OUT OF ALL UPDATES').press('Enter');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);

    const releasedAt = await page.evaluate(() => Date.now());
    saves.release();
    await expect(alert(page, 'success')).toHaveText(/Your information has been updated/);
    expect(saves.bodies).toEqual([{ email: 'after@example.com', language_preference: 'spanish' }]);
    const lastActivity = await page.evaluate(() =>
      Object.entries(localStorage).find(([key]) => /lastActivity/i.test(key)),
    );
    expect(Number(lastActivity?.[1])).toBeGreaterThanOrEqual(releasedAt);
  },
);

test(
  'a save with nothing changed sends the language alone, which is always a field',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.stoppedNoScan, baseURL, {
      email: 'same@example.com',
      email_opt_in: true,
      language_preference: 'spanish',
    });
    const saves = await holdSaves(page);
    saves.release();
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toHaveText(/Your information has been updated/);
    expect(saves.bodies).toEqual([{ language_preference: 'spanish' }]);
    expect(await readOwn(page)).toMatchObject({ email: 'same@example.com', email_opt_in: true });
  },
);

test('opting out of all asks first, then sends three refusals and empty addresses', async ({
  page,
  baseURL,
}, info) => {
  const member = ofProject(info, cast.reversed, cast.backToSent);
  await openForm(page, member, baseURL, { email: 'out@example.com', email_opt_in: true });
  const saves = await holdSaves(page);
  saves.release();
  await button(page, 'OPT OUT OF ALL UPDATES').click();
  const dialog = page.getByRole('alertdialog', { name: 'ARE YOU SURE?' });
  await expect(dialog.getByRole('button', { name: 'CANCEL' })).toBeFocused();
  // A press beside the question is no answer to it.
  await page.mouse.click(3, 3);
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'CANCEL' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(button(page, 'OPT OUT OF ALL UPDATES')).toBeFocused();
  expect(saves.bodies).toEqual([]);

  // Typed, and not saved: it goes too.
  await field(page, 'email').fill('later@example.com');
  await button(page, 'OPT OUT OF ALL UPDATES').click();
  await dialog.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
  await expect(alert(page, 'success')).toContainText('Your information has been updated.');
  await expect(alert(page, 'notice')).toContainText(
    'You have chosen to opt-out of all notifications.',
  );
  expect(saves.bodies).toEqual([
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
  expect(await readOwn(page)).toMatchObject({ is_confirmed: true, email: '', email_opt_in: false });
});

test(
  'equal contact hours become 8:00 AM to 8:00 PM, and the form says so',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.twin, cast.twinBrother);
    await openForm(page, member, baseURL, { sms_do_not_contact_before: null });
    const saves = await holdSaves(page);
    saves.release();
    await field(page, 'limitStart').selectOption('14:00');
    await field(page, 'limitEnd').selectOption('14:00');
    await button(page, 'Update').click();
    await expect(alert(page, 'success')).toBeVisible();
    expect(saves.bodies[0]).toMatchObject({
      email_do_not_contact_before: '08:00',
      email_do_not_contact_after: '20:00',
      sms_do_not_contact_before: '08:00',
      sms_do_not_contact_after: '20:00',
      voice_do_not_contact_before: '08:00',
      voice_do_not_contact_after: '20:00',
    });
    await expect(form(page)).toContainText('we set them to 8:00 AM and 8:00 PM');
    await expect(page.locator('[name="limit-hours"]')).toBeChecked();
    await field(page, 'limitEnd').selectOption('18:00');
    await expect(form(page)).not.toContainText('we set them to');
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
  const side = page.locator('.dashboard-side');
  await expect(side.getByRole('region', { name: 'Need help?' })).toBeVisible();
  await expect(side.getByRole('heading', { name: 'Contact Preferences' })).toBeVisible();
  await expect(page.locator('footer')).toBeVisible();
  await page.getByRole('link', { name: 'Sign Up for Ballot Status Alerts' }).click();
  await expect(form(page)).toBeInViewport();
  const skip = page.getByRole('link', { name: 'Skip to your contact preferences' });
  await skip.focus();
  await skip.press('Enter');
  await expect(field(page, 'email')).toBeFocused();
});

test('the skip link leads to the first field that the office offers', async ({ page, baseURL }) => {
  const office = await openOffice(baseURL, { delivery_types: ['sms'] });
  await signIn(page, { ...cast.sent, typed: office.typed }, office.url, '/voter/preferences');
  const skip = page.getByRole('link', { name: 'Skip to your contact preferences' });
  await skip.focus();
  await skip.press('Enter');
  await expect(field(page, 'sms')).toBeFocused();
  office.close();
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

test('the preferences have no barrier that can be found, with errors too, in light and in dark colors', async ({
  page,
  baseURL,
}) => {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await openForm(page, cast.leapDay, baseURL);
  await expectNoBarriersInAnyColors(page);
  await field(page, 'email').fill('ida@');
  await box(page, 'sms').check();
  await button(page, 'CONFIRM').click();
  await expect(errors(page)).toHaveCount(2);
  await expectNoBarriersInAnyColors(page);
});

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

async function expectNoOverhang(page: Page): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
