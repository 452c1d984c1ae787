import { cast } from '../../demo/cast.ts';
import { open, signIn, signInByHand } from '../sign-in.ts';
import { alert, calls, hold, openPreferences, refuse, screen, signInAtOffice } from './stage.ts';

screen('preferences/first time', openPreferences);
screen('preferences/errors', async (stage) => {
  await openPreferences(stage);
  const { page } = stage;
  await page.locator('#field-email').fill('ida@');
  await page.locator('#field-sms').fill('123');
  await page.locator('#field-voice').fill('x');
  await page.locator('#field-voice').fill('');
  await page.locator('#contact-preferences button[type="submit"]').click();
});
screen('preferences/saving', async (stage) => {
  await openPreferences(stage);
  await hold(stage.page, calls.own);
  await stage.page.locator('#field-email').fill('beatrix@example.com');
  await stage.page.locator('#contact-preferences button[type="submit"]').click();
});
screen('preferences/refused', async (stage) => {
  await openPreferences(stage);
  await refuse(stage.page, calls.own, 422, 'Failed Validation', {
    validation_messages: { email: { invalid: 'This address does not take mail.' } },
  });
  await stage.page.locator('#field-email').fill('beatrix@example.com');
  await stage.page.locator('#contact-preferences button[type="submit"]').click();
  await alert(stage.page);
});
screen('preferences/saved, with all notices', async (stage) => {
  const { page } = stage;
  const office = await signInAtOffice(stage);
  await open(page, `${office.url}/voter/preferences`);
  await page.locator('#field-email').fill('ines@marlowe.example');
  await page.locator('#field-sms').fill('3525550188');
  await page.locator('#field-voice').fill('3525550189');
  await page.locator('#contact-preferences button[type="submit"]').click();
  await page.locator('.alert[data-type="success"]').waitFor();
  await page.locator('.ballot').waitFor();
  await page.waitForLoadState('networkidle');
  office.close();
});
screen(
  'preferences/opting out',
  async (stage) => {
    const { page } = stage;
    const office = await signInAtOffice(stage);
    await open(page, `${office.url}/voter/preferences`);
    await page.locator('#field-email').fill('ines@marlowe.example');
    await page.locator('#contact-preferences button[type="submit"]').click();
    await page.locator('.ballot').waitFor();
    await page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    await page.getByRole('alertdialog').waitFor();
    office.close();
  },
  { whole: false },
);
screen('preferences/confirming the email failed', async ({ page, baseURL }) => {
  await signIn(page, cast.leapDay, baseURL, '/voter/confirm-email?code=no-such-code');
  await page.getByRole('alert').getByRole('heading').waitFor();
});

const contacts = {
  email: 'beatrix@example.com',
  phone_sms: '+18505550177',
  phone_voice: '+18505550178',
  email_opt_in: true,
  sms_opt_in: true,
  voice_opt_in: true,
};
for (const [state, known] of Object.entries({
  'all confirmed': { is_valid_email: true, sms_status: 'active' },
  'nothing reaches the voter': { is_valid_email: false, sms_status: 'opted-out' },
}))
  screen(`preferences/${state}`, async ({ page, baseURL }) => {
    await page.route('**/api/voter/information', async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      Object.assign(json._embedded.voter_information[0], contacts, known);
      await route.fulfill({ response: answer, json });
    });
    await signInByHand(page, cast.leapDay, baseURL);
    await page.locator('.contact-known').first().waitFor();
  });
screen('preferences/hours through the night', async (stage) => {
  await openPreferences(stage);
  const { page } = stage;
  await page.getByLabel('From').selectOption('20:00');
  await page.getByLabel('Until').selectOption('08:00');
  await page.getByText('This is overnight').waitFor();
});
