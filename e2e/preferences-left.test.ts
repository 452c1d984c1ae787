import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import {
  alert,
  button,
  errors,
  field,
  form,
  holdSaves,
  openForm,
  path,
  refused,
} from './preferences-form.ts';
import { comeFromElsewhere } from './sign-in.ts';
import { goOnTo } from './voter-steps.ts';

/** A voter presses the button, and goes on before the answer is there. */

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

const stored = {
  ...{ email: 'first@example.com', email_opt_in: true },
  ...{ phone_voice: '', voice_opt_in: false },
};

test(
  'a save whose page was left says on the next page that it went through, and the form there knows what is saved',
  once,
  async ({ page, baseURL }) => {
    await openForm(page, cast.fixOver, baseURL, stored);
    const saves = await holdSaves(page);
    await goOnTo(page, 'Alerts');
    await field(page, 'email').fill('second@example.com');
    await button(page, 'Update').click();
    await saves.arrived();
    await goOnTo(page, 'My ballot');
    await field(page, 'voice').fill('(850) 555-0147');
    saves.release();
    await expect(alert(page, 'success')).toHaveText(/Your information has been updated/);
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(field(page, 'voice')).toHaveValue('(850) 555-0147');

    await button(page, 'Update').click();
    await expect.poll(() => saves.bodies.at(-1)).toMatchObject({ phone_voice: '8505550147' });
    expect(saves.bodies.at(-1)).not.toHaveProperty('email');
  },
);

test(
  'a save that is refused after its page was left says so where there is no form, and at the field of the next one',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(422));
    await openForm(page, cast.fixRecorded, baseURL, stored);
    const answer = await holdCalls(page, `**${path}`);
    await field(page, 'sms').fill('(123) 456-7890');
    await button(page, 'Update').click();
    await form(page).getByRole('link', { name: 'What we sent you' }).click();
    await expect(page).toHaveURL(/\/voter\/messages$/);
    await answer();
    await expect(alert(page, 'error').locator('p')).toHaveText([/^Invalid phone number\./]);
    await goOnTo(page, 'Alerts');
    await expect(errors(page)).toHaveText([/^Invalid phone number\./]);
    await expect(field(page, 'sms')).toHaveValue('(123) 456-7890');
  },
);

test(
  'a save that ends after its page was left and the voter logged out says nothing',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(refused(403));
    await openForm(page, cast.fixWrongEnvelope, baseURL, stored);
    const answer = await holdCalls(page, `**${path}`);
    await field(page, 'email').fill('late@example.com');
    await button(page, 'Update').click();
    await goOnTo(page, 'Alerts');
    const ended = page.waitForResponse((one) => one.request().method() === 'DELETE');
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await ended;
    await answer();
    await expect(page.locator('.alert')).toHaveText(/You're logged out\.$/);
  },
);
