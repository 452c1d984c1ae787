import type { Page } from '@playwright/test';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, reload, submit } from './sign-in.ts';
import { enter, goOnTo, savePreferences } from './voter-steps.ts';

test(
  'where the office hides contact details, a code from the mailbox shows them, and opting out needs none',
  once,
  async ({ page, baseURL, expectConsole }) => {
    test.setTimeout(180_000);
    expectConsole(/status of (422|429)/);
    await comeFromElsewhere(page);
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    const email = `ines-${office.subdomain}@example.com`;
    const signIn = async () => {
      // What the page before still asks for would be refused without its session.
      await page.goto('about:blank');
      await page.context().clearCookies({ name: /session/ });
      await open(page, `${office.url}/voter`);
      await fillIn(page, office.typed);
      await submit(page);
      await expect(page.getByRole('button', { name: 'Log out' }).first()).toBeVisible();
    };
    await signIn();
    await page.locator('[name="email-opt-in"]').check();
    await page.locator('#field-email').fill(email);
    await page.locator('#contact-preferences button[type="submit"]').click();
    await expect(page.locator('.alert[data-type="success"]')).toBeVisible();

    await signIn();
    await expect(page.getByRole('article')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Show your contact details' })).toBeVisible();
    expect(await page.content()).not.toContain(email);
    await expectNoBarriers(page);
    const askForCode = page.getByRole('button', { name: 'Email a code to i•••@example.com' });
    const askTooOften = async () => {
      await page.route('**/api/voter/contact-code', (route) =>
        route.fulfill({
          status: 429,
          contentType: 'application/problem+json',
          json: { title: 'Too Many Requests', status: 429, detail: 'Too many codes' },
        }),
      );
      await askForCode.click();
      await expect(page.getByText('No more codes can be sent today.')).toBeVisible();
      await page.unroute('**/api/voter/contact-code');
    };
    await askTooOften();
    await askForCode.click();
    await expect(page.getByLabel('Code')).toBeVisible();
    await expect(page.getByText('No more codes can be sent today.')).toHaveCount(0);
    const code = await readCode(page, office.subdomain, email);
    await page.getByLabel('Code').fill(code === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Show my details' }).click();
    await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/wrong or has expired/);
    await expectNoBarriers(page);
    await page.route('**/api/voter/contact-proof', (route) =>
      route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        headers: { 'retry-after': '600' },
        json: { title: 'Too Many Requests', status: 429, detail: 'Too Many Attempts' },
      }),
    );
    await page.getByRole('button', { name: 'Show my details' }).click();
    await expect(page.locator('.alert')).toContainText('please wait and try again at');
    await expect(page.getByText('No more codes can be sent today.')).toHaveCount(0);
    await page.unroute('**/api/voter/contact-proof');
    // The code that was sent is not wrong for that.
    await askTooOften();
    await expect(page.getByLabel('Code')).toHaveAccessibleDescription('');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Show my details' }).click();
    await expect(page.locator('#field-email')).toHaveValue(email);
    await expect(page.getByRole('heading', { name: 'Contact Preferences' })).toBeFocused();

    await signIn();
    await page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('We keep your contact details');
    await question.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    await expect(page.locator('.alert[data-type="success"]')).toBeVisible();
    await expect(page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' })).toHaveCount(0);
    await expect(page.getByRole('heading', { name: 'Show your contact details' })).toBeFocused();
    office.close();
  },
);

test(
  'where the details are hidden, opting out of all updates after the session ended says that nothing was changed',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 403/);
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    await enter(page, office);
    await savePreferences(page, { email: 'ines@example.com', email_opt_in: true });
    await open(page, `${office.url}/voter/preferences`);
    await page.context().clearCookies({ name: /session/ });
    await page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('.alert')).toContainText('Your information has not been updated!');
    office.close();
  },
);

test(
  'a voter who has asked for a code can type it on the next screen, and after a reload, until the log-out',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    const email = `ines-${office.subdomain}@example.com`;
    await enter(page, office);
    await savePreferences(page, { email, email_opt_in: true });
    await open(page, `${office.url}/voter/preferences`);
    const codeField = page.getByLabel('Code', { exact: true });
    const ask = async () => {
      await page.getByRole('button', { name: 'Email a code to' }).click();
      await expect(codeField).toBeVisible();
    };
    await ask();
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await enter(page, office);
    await open(page, `${office.url}/voter/preferences`);
    await expect(page.getByRole('button', { name: 'Email a code to' })).toBeEnabled();
    await expect(codeField).toHaveCount(0);

    await ask();
    await page.getByRole('link', { name: 'My ballot' }).first().click();
    await expect(page.getByRole('article')).toBeVisible();
    await expect(codeField).toBeVisible();
    // As a phone does that needs the room for the mail program.
    await reload(page);
    await codeField.fill(await readCode(page, office.subdomain, email));
    await page.getByRole('button', { name: 'Show my details' }).click();
    await expect(page.locator('#field-email')).toHaveValue(email);
    office.close();
  },
);

test(
  'where the details are hidden, the question before opting out waits for a code that is being sent',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    await enter(page, office);
    await savePreferences(page, {
      ...{ email: 'ines@example.com', email_opt_in: true },
      ...{ phone_sms: '3525550144', sms_opt_in: true },
      ...{ phone_voice: '3525550145', voice_opt_in: true },
    });
    await open(page, `${office.url}/voter/preferences`);
    const sent = await holdCalls(page, '**/api/voter/contact-code');
    await page.getByRole('button', { name: 'Email a code to' }).click();
    const optOut = page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' });
    await expect(optOut).toHaveAttribute('aria-disabled', 'true');
    await optOut.press('Enter');
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await sent();
    await optOut.click();
    await page.getByRole('alertdialog').locator('.modal-opt-out').click();
    await expect(page.locator('.alert[data-type="success"]')).toBeVisible();
    const stored = await page.evaluate(async () =>
      (await fetch('/api/voter/information/me')).json(),
    );
    expect(stored).toMatchObject({ email_opt_in: false, sms_opt_in: false, voice_opt_in: false });
    office.close();
  },
);

test(
  'a code asked for or typed in a tab after another tab has shown the details shows them there too',
  once,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/status of 404/);
    const office = await openOffice(baseURL, { contact_proof: 'masked' });
    const email = `ines-${office.subdomain}@example.com`;
    await enter(page, office);
    await savePreferences(page, { email, email_opt_in: true });
    await open(page, `${office.url}/voter/preferences`);
    await page.getByRole('button', { name: 'Email a code to' }).click();
    const code = await readCode(page, office.subdomain, email);
    const [typing, asking] = [await page.context().newPage(), await page.context().newPage()];
    for (const tab of [typing, asking]) await open(tab, `${office.url}/voter/preferences`);
    const type = async (tab: Page) => {
      await tab.getByLabel('Code', { exact: true }).fill(code);
      await tab.getByRole('button', { name: 'Show my details' }).click();
      await expect(tab.locator('#field-email')).toHaveValue(email);
    };
    await type(page);
    await type(typing);
    await asking.getByRole('button', { name: 'Email a code to' }).click();
    await expect(asking.locator('#field-email')).toHaveValue(email);
    for (const tab of [typing, asking]) await expect(tab.locator('.alert')).toHaveCount(0);
    office.close();
  },
);

test(
  'on an Arabic page the last digits of a hidden number stand at its end, as on any other',
  once,
  async ({ page, baseURL }) => {
    const languages = ['english', 'arabic'];
    const office = await openOffice(baseURL, { contact_proof: 'masked', languages });
    await enter(page, office);
    await savePreferences(page, { phone_sms: '3525550144', sms_opt_in: true });
    await open(page, `${office.url}/voter/preferences?language=arabic`);
    const button = page.getByRole('button', { name: '•••-0144' });
    const leftOf = (letter: string) =>
      button.evaluate((element, wanted) => {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const range = document.createRange();
        for (let text = texts.nextNode(); text; text = texts.nextNode()) {
          const at = text.textContent?.indexOf(wanted) ?? -1;
          if (at < 0) continue;
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().left;
        }
        throw new Error(`No ${wanted} there`);
      }, letter);
    expect(await leftOf('•')).toBeLessThan(await leftOf('-'));
    expect(await leftOf('-')).toBeLessThan(await leftOf('0144'));
    office.close();
  },
);

test.describe('a proof that is answered late', () => {
  let office: Office;
  test.afterEach(() => office.close());

  /** @returns lets the answer to the right code through */
  async function prove(page: Page, baseURL: string | undefined) {
    office = await openOffice(baseURL, { contact_proof: 'masked' });
    await enter(page, office);
    await savePreferences(page, { email: 'ines@example.com', email_opt_in: true });
    const { hidden_contacts: _, ...voter } = await page.evaluate(async () =>
      (await fetch('/api/voter/information/me')).json(),
    );
    await page.route('**/api/voter/contact-code', (route) => route.fulfill({ status: 204 }));
    const answer = await holdCalls(page, '**/api/voter/contact-proof', (route) =>
      route.fulfill({ json: { ...voter, email: 'ines@example.com' } }),
    );
    await open(page, `${office.url}/voter/preferences`);
    await page.getByRole('button', { name: 'Email a code to i•••@example.com' }).click();
    await page.getByLabel('Code').fill('123456');
    await page.getByRole('button', { name: 'Show my details' }).click();
    return answer;
  }

  test('shows the next session no details', once, async ({ page, baseURL }) => {
    const answer = await prove(page, baseURL);
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await expect(page.locator('.alert')).toContainText("You're logged out.");
    await fillIn(page, office.typed);
    await submit(page);
    const heading = page.getByRole('heading', { name: 'Show your contact details' });
    await expect(heading).toBeVisible();
    await answer();
    await expect(heading).toBeVisible();
    await expect(page.locator('#field-email')).toHaveCount(0);
  });

  test(
    'shows the details on the page that the voter went on to',
    once,
    async ({ page, baseURL }) => {
      const answer = await prove(page, baseURL);
      await goOnTo(page, 'My ballot');
      await expect(page).toHaveURL(/\/voter\/dashboard$/);
      const place = page.getByRole('button', { name: 'Print' });
      await place.focus();
      await answer();
      await expect(page.locator('#field-email')).toHaveValue('ines@example.com');
      // Who has gone on reads on.
      await expect(place).toBeFocused();
    },
  );
});

/** The newest code that was mailed to this address, out of the mailbox of the local provider. */
async function readCode(page: Page, subdomain: string, email: string): Promise<string> {
  let code: string | undefined;
  await expect
    .poll(
      async () => {
        const outbox = await (await page.request.get(`/outbox?account=${subdomain}`)).text();
        const mails = outbox.split('<article>').filter((article) => article.includes(email));
        code = mails.map((mail) => /Your code: (\d{6})/.exec(mail)?.[1]).find(Boolean);
        return code;
      },
      { timeout: 20_000 },
    )
    .toBeDefined();
  return code ?? '';
}
