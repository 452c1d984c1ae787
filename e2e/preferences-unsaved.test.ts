import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
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
} from './preferences-form.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';
import { goOnTo } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'what was typed and not saved goes along to the ballots and back',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.leapDay, baseURL);
    await field(page, 'email').fill('half@');
    await goOnTo(page, 'My ballot');
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(field(page, 'email')).toHaveValue('half@');
    await expect(box(page, 'email')).toBeChecked();
    await expect(errors(page)).toHaveText(['Invalid email. (Example: name@example.com)']);

    await field(page, 'sms').fill('850');
    await page.goBack();
    await expect(page).toHaveURL(/\/voter\/preferences$/);
    await expect(field(page, 'email')).toHaveValue('half@');
    await expect(field(page, 'sms')).toHaveValue('850');

    await button(page, 'Reset Form').click();
    await page.goForward();
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(field(page, 'email')).toHaveValue('');
    await expect(errors(page)).toHaveCount(0);
  },
);

test('what was typed and not saved is gone after a log-out', once, async ({ page, baseURL }) => {
  await openForm(page, cast.leapDay, baseURL);
  await field(page, 'email').fill('half@');
  await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  for (const [name, value] of Object.entries(cast.leapDay.typed))
    await page.locator(`[name="${name}"]`).fill(value);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(form(page)).toBeVisible();
  await expect(field(page, 'email')).toHaveValue('');
});

test(
  'a reload asks before it takes what was typed, and only then',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.leapDay, baseURL);
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await page.reload();
    expect(asked).toEqual([]);
    await expect(button(page, 'CONFIRM')).toBeEnabled();
    await field(page, 'email').click();
    await page.keyboard.type('half@');
    await page.evaluate(() => location.reload());
    await expect.poll(() => asked).toEqual(['beforeunload']);
    await expect(field(page, 'email')).toHaveValue('half@');
  },
);

test(
  'of two tabs that save, neither takes back what the other saved',
  once,
  async ({ page, context, baseURL }) => {
    await signIn(page, cast.longName, baseURL, '/voter/dashboard');
    const other = await context.newPage();
    await open(other, '/voter/dashboard');
    await field(page, 'email').fill('one-tab@example.com');
    await form(page).locator('button[type="submit"]').click();
    await expect(alert(page, 'success')).toBeVisible();

    await field(other, 'sms').fill('850 555 0191');
    await form(other).locator('button[type="submit"]').click();
    await expect(alert(other, 'success')).toBeVisible();
    await expect(field(other, 'email')).toHaveValue('one-tab@example.com');

    await page.reload();
    await expect(field(page, 'email')).toHaveValue('one-tab@example.com');
    await expect(field(page, 'sms')).toHaveValue('(850) 555-0191');
  },
);

test(
  'a save that is never answered is given up after half a minute, and keeps what was typed',
  once,
  async ({ page, baseURL }) => {
    // A call's own clock, which page.clock does not reach, runs thirty times as fast.
    await page.addInitScript(() => {
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => timeout(milliseconds / 30);
    });
    await openForm(page, cast.leapDay, baseURL);
    await page.route(`**${path}`, (route) =>
      route.request().method() === 'PATCH' ? undefined : route.continue(),
    );
    await field(page, 'email').fill('patient@example.com');
    await button(page, 'CONFIRM').click();
    await expect(alert(page, 'error')).toContainText(
      "We couldn't tell whether your changes were saved. What you entered is still in the form. Please try again.",
    );
    await expect(button(page, 'CONFIRM')).not.toHaveAttribute('data-busy');
    await expect(field(page, 'email')).toHaveValue('patient@example.com');
  },
);

test(
  'what was typed while a save was under way stays, and goes out with the next one',
  once,
  async ({ page, baseURL }, info) => {
    const member = ofProject(info, cast.reprinted, cast.cured);
    await openForm(page, member, baseURL, { email: 'before@example.com', email_opt_in: true });
    const saves = await holdSaves(page);
    await field(page, 'email').fill('after@example.com');
    await button(page, 'Update').click();
    await saves.arrived();
    await field(page, 'voice').fill('(850) 555-0147');
    await expect(field(page, 'voice')).toBeFocused();
    saves.release();
    await expect(alert(page, 'success')).toHaveText(/Your information has been updated/);
    await expect(field(page, 'email')).toHaveValue('after@example.com');
    await expect(field(page, 'voice')).toHaveValue('(850) 555-0147');
    await button(page, 'Update').click();
    await expect.poll(() => saves.bodies.at(-1)).toMatchObject({ phone_voice: '8505550147' });
    expect(saves.bodies.at(-1)).not.toHaveProperty('email');
  },
);
