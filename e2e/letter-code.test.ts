import { readFileSync } from 'node:fs';
import { expectNoBarriers } from './barriers.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { problem } from './problem.ts';
import { comeFromElsewhere, fillIn, open, submit } from './sign-in.ts';

let office: Office;

test.beforeEach(async ({ page, baseURL }) => {
  await comeFromElsewhere(page);
  office = await openOffice(baseURL);
  const { firstname, lastname, zipcode } = office.typed;
  const roll = `registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county,is_confidential
M-1,${firstname},${lastname},1975-07-09,12 Harbor Lane,Marlowe Springs,FL,${zipcode},Marlowe,true
`;
  const of = ['--account', office.subdomain];
  await office.beacon(
    'import',
    office.write('confidential.csv', roll),
    ...of,
    '--format',
    'beacon-voters',
  );
});
test.afterEach(() => office.close());

async function printLetter(): Promise<string> {
  const file = test.info().outputPath('letters.csv');
  const of = ['--account', office.subdomain, '--election', '2'];
  await office.beacon('qr', '--letters', ...of, '--out', file);
  const url = /http[^,\s]+guid=[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0];
  if (!url) throw new Error('The file for the letters contains no code.');
  const { pathname, search } = new URL(url);
  return office.url + pathname + search;
}

test(
  'a confidential voter scans the letter, and sees the ballot and no address',
  once,
  async ({ page }) => {
    const letter = await printLetter();
    await open(page, letter);
    await page.getByLabel('Date of birth').fill(office.typed.birthdate);
    await page.getByRole('button', { name: 'Register / Log In' }).click();
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    await expect(page.getByRole('article')).toContainText('Winter Election');
    await expect(page.getByText('Your voter record is confidential.')).toBeVisible();
    await expect(page.locator('#contact-preferences')).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'Alerts', exact: true })).toHaveCount(0);
    expect(await page.content()).not.toMatch(/Harbor Lane|Marlowe Springs|32001/);
    await expectNoBarriers(page);
    await page.goto(`${office.url}/voter/preferences`);
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    const revoke = ['voter', 'revoke-letter', 'M-1', '--account', office.subdomain];
    await office.beacon(...revoke);
    await page.goto(`${office.url}/voter/dashboard`);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test(
  'the code can be typed by hand, however it is written',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of (404|400|429)/);
    const code = new URL(await printLetter()).searchParams.get('guid') ?? '';
    await open(page, `${office.url}/voter/letter`);
    const typed = page.getByLabel('Code in the letter');
    const born = page.getByLabel('Date of birth');
    const button = page.getByRole('button', { name: 'Sign in' });
    await button.click();
    await expect(typed).toBeFocused();
    await expect(page.getByText('Enter the 16 letters and numbers of the code.')).toBeVisible();
    await expectNoBarriers(page);

    await typed.fill('0000-0000-0000-0000');
    await button.click();
    await expect(page.getByText('Date of Birth must not be empty')).toBeVisible();
    await expect(born).toBeFocused();
    await born.fill(office.typed.birthdate);
    await button.click();
    await expect(page.getByText("We don't recognize this code.")).toBeVisible();
    await expect(typed).toBeFocused();

    await typed.fill(code.toLowerCase().replaceAll('-', '  '));
    await born.fill('01-02-1950');
    await button.click();
    await expect(page.getByText("The code and the date of birth don't match.")).toBeVisible();
    await expect(born).toBeFocused();

    await page.route(
      '**/api/voter/ballot-login',
      (route) =>
        route.fulfill({ ...problem(429, 'Too Many Attempts'), headers: { 'retry-after': '600' } }),
      { times: 1 },
    );
    await button.click();
    await expect(page.locator('.alert')).toContainText('try again at');
    // What was said of one try is not said of the next.
    await typed.fill('1');
    await button.click();
    await expect(typed).toBeFocused();
    await expect(page.locator('.alert')).toHaveCount(0);
    await typed.fill(code);

    let sent = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/ballot-login')) sent += 1;
    });
    await born.fill(office.typed.birthdate);
    await born.evaluate((input: HTMLInputElement) => {
      input.form?.requestSubmit();
      setTimeout(() => input.form?.requestSubmit());
    });
    await expect(page).toHaveURL(/\/voter\/dashboard$/);
    expect(sent).toBe(1);
    await expect(page.getByText('Your voter record is confidential.')).toBeVisible();
  },
);

test(
  'a page that the browser restores by Back signs nobody in for ever',
  once,
  async ({ page }) => {
    const code = new URL(await printLetter()).searchParams.get('guid') ?? '';
    await open(page, `${office.url}/voter/letter`);
    await page.getByLabel('Code in the letter').fill(code);
    await page.getByLabel('Date of birth').fill(office.typed.birthdate);
    // An answer without a page, so that this one is still there to be restored.
    await page.route('**/voter/dashboard', (route) => route.fulfill({ status: 204 }));
    const left = page.waitForResponse('**/voter/dashboard');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await left;
    await expect(page.getByRole('button', { name: 'Signing in…' })).toBeVisible();
    await page.evaluate(() =>
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
    );
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test('by name the same voter is nobody', once, async ({ page, expectConsole }) => {
  expectConsole(/status of 401/);
  await printLetter();
  await open(page, `${office.url}/voter`);
  await fillIn(page, office.typed);
  await submit(page);
  await expect(page.locator('.alert[data-type="error"] .alert-label')).toHaveText(
    'Invalid credentials',
  );
});
