import { cast } from '../demo/cast.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { alert, box, button, field } from './preferences-form.ts';
import { comeFromElsewhere, open, signIn } from './sign-in.ts';

let office: Office;
test.beforeEach(async ({ page, baseURL }) => {
  await comeFromElsewhere(page);
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

test(
  'the way to sign up is gone once a voter has signed up, and back after opting out',
  once,
  async ({ page }) => {
    const way = page.getByRole('link', { name: 'Sign Up for Ballot Status Alerts' });
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url, '/voter/dashboard');
    await expect(way).toBeVisible();
    await field(page, 'email').fill('ines@example.com');
    await button(page, 'CONFIRM').click();
    await expect(alert(page, 'success')).toBeVisible();
    await expect(way).toHaveCount(0);
    await open(page, `${office.url}/voter/dashboard`);
    await expect(page.locator('.ballot')).toBeVisible();
    await expect(way).toHaveCount(0);
    await button(page, 'OPT OUT OF ALL UPDATES').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'OPT OUT OF ALL' }).click();
    await expect(way).toBeVisible();
  },
);

test('a request to confirm that still waits is withdrawn by an opt-out', once, async ({ page }) => {
  await signIn(page, { ...cast.sent, typed: office.typed }, office.url, '/voter/preferences');
  await field(page, 'sms').fill('3525550188');
  const [from = '', until = ''] = [3, 5].map(hourFromNow);
  await field(page, 'limitStart').selectOption(from);
  await field(page, 'limitEnd').selectOption(until);
  await button(page, 'CONFIRM').click();
  await expect(alert(page, 'notice')).toContainText("We'll text you at");
  const request = page.locator('.messages-list li', { hasText: 'A request to confirm' });
  await open(page, `${office.url}/voter/messages`);
  await expect(request).toContainText('Not sent yet');

  await open(page, `${office.url}/voter/preferences`);
  await box(page, 'sms').uncheck();
  await button(page, 'Update').click();
  await expect(alert(page, 'success')).toBeVisible();
  await open(page, `${office.url}/voter/messages`);
  await expect(request).toContainText('Not sent: you or the office stopped it');
});

test('what the roll does not have is no empty row of the details', once, async ({ page }) => {
  const header = 'registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county';
  const roll = office.write(
    'bare.csv',
    `${header}\nM-9,Bea,Sparrow,1975-07-09,,,FL,32009,Marlowe\n`,
  );
  await office.beacon('import', roll, '--account', office.subdomain, '--format', 'beacon-voters');
  const typed = {
    firstname: 'Bea',
    lastname: 'Sparrow',
    zipcode: '32009',
    birthdate: '07-09-1975',
  };
  await signIn(page, { ...cast.sent, typed }, office.url, '/voter/dashboard');
  await page.getByRole('button', { name: /Bea Sparrow/ }).click();
  const panel = page.getByRole('region', { name: 'Your details' });
  await expect(panel.locator('dt')).toHaveText(['Name', 'State', 'ZIP code']);
});

test(
  'an unchecked box is not gray in the dark, as if it could not be used',
  once,
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url, '/voter/preferences');
    const looks = await box(page, 'email').evaluate((element) => {
      const { appearance, borderTopColor, backgroundColor } = getComputedStyle(element);
      const card = element.closest('.card') ?? document.body;
      return {
        appearance,
        isEdged: borderTopColor === 'rgb(125, 141, 155)',
        isFilled: backgroundColor !== getComputedStyle(card).backgroundColor,
      };
    });
    expect(looks).toEqual({ appearance: 'none', isEdged: true, isFilled: false });
  },
);

/** The full hour so many from now, by the clock of the office, as the form names it. */
function hourFromNow(hours: number): string {
  const time = new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('en-US', {
    timeZone: 'America/New_York',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return time.replace(/:.*/, ':00');
}
