import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cast } from '../demo/cast.ts';
import { asOfNow } from '../testing/demo-days.ts';
import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import { inDays } from './days.ts';
import { desk, expect, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { openOffice as openOfficeOfOneVoter, runCommand } from './office.ts';
import { addAuthenticator, join, openOfficeAs } from './people.ts';
import { save } from './preferences-form.ts';
import { signIn } from './sign-in.ts';

interface Office {
  readonly subdomain: string;
  readonly url: string;
  /** Imports a whole roll of as many voters. */
  importRoll(name: string, voters: number): Promise<string>;
  close(): void;
}

/** An office of its own with an election and forty voters. */
async function openOffice(baseURL: string | undefined): Promise<Office> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-console-'));
  const subdomain = `console-${randomBytes(5).toString('hex')}`;
  const of = ['--account', subdomain];
  const write = (name: string, content: string) => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const account = {
    subdomain,
    name: 'Marlowe County Elections',
    county: 'Marlowe',
    state: 'FL',
    time_zone: 'America/New_York',
  };
  await runCommand('account', 'apply', write('account.json', JSON.stringify(account)));
  await runCommand(
    ...['election', 'set', ...of, '--number', '2', '--name', 'Winter Election'],
    ...['--date', asOfNow('2026-12-10'), '--active', 'true'],
  );
  const importRoll = (name: string, voters: number) => {
    const rows = Array.from(
      { length: voters },
      (_, at) => `V-${at},Vera,Fox,1970-02-03,32001,Marlowe,FL\n`,
    );
    const header = 'registration_id,firstname,lastname,birthdate,zipcode,county,state\n';
    const file = write(name, header + rows.join(''));
    return runCommand('import', file, ...of, '--format', 'beacon-voters', '--full');
  };
  await importRoll('all.csv', 40);
  return {
    subdomain,
    url: `http://${subdomain}.localhost:${new URL(baseURL ?? '').port}`,
    importRoll,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

test(
  'a person joins by a link, signs out, and signs in again with the passkey',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/); // nobody is signed in yet
    await join(page, office, 'Rosa Kim', 'viewer');
    // The secret of the invitation does not stay in the address.
    await expect(page).toHaveURL(`${office.url}/office/`);
    await expect(page.getByText('Winter Election')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Files' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
    await page.goto(`${office.url}/office/files`);
    await expect(page.getByRole('heading', { name: 'Your roles do not allow this' })).toBeVisible();
  },
);

test(
  'signing out leaves no page of another tab open, and says so only once the server knows',
  desk,
  async ({ page, context, expectConsole }) => {
    expectConsole(/401|ERR_INTERNET_DISCONNECTED/);
    await join(page, office, 'Rosa Kim', 'releaser');
    const other = await context.newPage();
    await other.goto(`${office.url}/office/files`);
    await expect(other.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('alert')).toHaveText(
      'You are still signed in. Check your connection and choose Sign out again.',
    );
    await expect(page.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();

    await context.setOffline(false);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('You are signed out here.')).toBeVisible();
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await expect(other.getByRole('heading', { name: 'Files' })).toHaveCount(0);
  },
);

test(
  'where another person signs in, the other tabs are that person’s, too',
  desk,
  async ({ page, context, expectConsole }) => {
    expectConsole(/401/);
    const who = page.locator('.bar-person');
    await join(page, office, 'Ada Wu', 'admin');
    const elections = page.getByRole('link', { name: 'Elections' });
    const winter = page.getByRole('row', { name: /Winter Election/ });
    await elections.click();
    await expect(winter).toBeVisible();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('Phone for voters').fill('(352) 555-0142');
    await page.getByRole('link', { name: 'People' }).click();
    const invite = page.locator('section', { hasText: 'Invite a person' });
    await invite.getByLabel('Name').fill('Nell Fox');

    const rosa = await context.newPage();
    await join(rosa, office, 'Rosa Kim', 'admin');
    await expect(who).toContainText('Rosa Kim');
    await expect(page.getByRole('heading', { name: 'People', level: 1 })).toBeVisible();
    await expect(invite.getByLabel('Name')).toHaveValue('');
    await page.getByRole('link', { name: 'Settings' }).click();
    await expect(page.getByLabel('Phone for voters')).toHaveValue('');
    // What the person before has seen is not there, either.
    const list = await holdCalls(page, '**/api/office/elections');
    await elections.click();
    await expect(page.getByRole('heading', { name: 'Elections', level: 1 })).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(0);
    await list();
    await expect(winter).toBeVisible();

    // Who is asked to sign in again, while somebody else does, may still do so, and is otherwise not the one who acts.
    await context.clearCookies();
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await expect(dialog).toBeVisible();
    const cleo = await context.newPage();
    await join(cleo, office, 'Cleo Marsh', 'admin');
    await expect(dialog).toContainText('This is another person. Please sign in as Rosa Kim.');
    await expect(who).toContainText('Rosa Kim');
    await page.keyboard.press('Escape');
    await expect(who).toContainText('Cleo Marsh');
    await expect(page.getByRole('row').first()).toBeVisible();
  },
);

test(
  'a releaser reads why a file waits, and returns it with a reason',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await office
      .importRoll('few.csv', 5)
      .catch((error: Error) => expect(error.message).toContain('ended with 3'));
    await join(page, office, 'Rosa Kim', 'releaser');
    await page.getByRole('link', { name: /1 file is waiting for approval/ }).click();
    await page.getByRole('link', { name: 'few.csv' }).click();
    await expect(page.getByRole('heading', { name: 'Why it waits' })).toBeVisible();
    await expect(page.getByText(/missing from this file/)).toBeVisible();
    await page.getByLabel('Reason').fill('A test file of the vendor.');
    await page.getByRole('button', { name: 'Return the file' }).click();
    await expect(page.getByText('Returned. Nothing of it was loaded.')).toBeVisible();
    await expect(page.getByText('Rosa Kim discarded it: A test file of the vendor.')).toBeVisible();
    await page.getByRole('link', { name: 'Today' }).click();
    await expect(page.getByText('Nothing needs a person now.')).toBeVisible();
  },
);

test('an administrator invites a person, who joins, and is removed', async ({
  page,
  browser,
  expectConsole,
}) => {
  expectConsole(/401/);
  await join(page, office, 'Ada Wu', 'admin');
  await page.getByRole('link', { name: 'People' }).click();
  const invite = page.locator('section', { hasText: 'Invite a person' });
  await invite.getByLabel('Name').fill('Nell Fox');
  await invite.getByLabel(/^Clerk(?! for)/).check();
  await invite.getByRole('button', { name: 'Create an invitation link' }).click();
  const link = (await page.locator('code.link').textContent()) ?? '';
  const context = await browser.newContext();
  const other = await context.newPage();
  await addAuthenticator(other);
  await other.goto(link);
  const accept = other.getByRole('button', { name: 'Create a passkey and sign in' });
  // Who cancels, which the browser says once here, can begin again.
  await other.evaluate(() => {
    const { credentials } = navigator;
    credentials.create = () => {
      Reflect.deleteProperty(credentials, 'create');
      return Promise.reject(new DOMException('', 'NotAllowedError'));
    };
  });
  await accept.click();
  await expect(other.getByRole('alert')).toHaveText('No passkey was used. Try again.');
  await expect(accept).not.toHaveAttribute('aria-disabled');
  await accept.click();
  await expect(other.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
  await page.reload();
  const nell = page.locator('li', { hasText: 'Nell Fox' });
  await nell.getByLabel(/^Editor/).check();
  await nell.getByRole('button', { name: 'Save roles' }).click();
  await expect(page.getByText('The roles of Nell Fox were changed.')).toBeVisible();
  await page.reload();
  await expect(nell.getByRole('checkbox', { checked: true })).toHaveCount(2);

  await nell.getByRole('button', { name: 'New passkey' }).click();
  await expect(page.getByText(/^Hand this link to Nell Fox/)).toBeVisible();
  const anew = await browser.newPage();
  await anew.goto((await page.locator('code.link').textContent()) ?? '');
  await expect(anew.getByText('Nell Fox, you are invited as: Clerk, Editor.')).toBeVisible();
  await anew.close();

  const remove = () => nell.getByRole('button', { name: 'Remove' }).click();
  expect(await answerQuestion(page, 'dismiss', remove)).toContain('Remove Nell Fox?');
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Today', level: 1 })).toBeVisible();
  await answerQuestion(page, 'accept', remove);
  await expect(page.getByText('Nell Fox was removed.')).toBeVisible();
  await other.reload();
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await context.close();
});

test(
  'an administrator reads who did what, of one person alone, and downloads it',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    await join(page, office, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Log', exact: true }).click();
    const rows = page.getByRole('row');
    await expect(rows.filter({ hasText: 'Changed the settings' })).toBeVisible();
    await expect(rows.filter({ hasText: 'Imported a file' })).toBeVisible();
    await page.getByRole('link', { name: 'Only Ada Wu' }).first().click();
    await expect(rows.filter({ hasText: 'Imported a file' })).toHaveCount(0);
    await expect(rows.filter({ hasText: 'Joined the office' })).toBeVisible();
    // The filter is in the address.
    await page.reload();
    await expect(rows.filter({ hasText: 'Imported a file' })).toHaveCount(0);
    const download = async () => {
      const saved = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download as CSV' }).click();
      return readFileSync(await (await saved).path(), 'utf8');
    };
    const ofAda = await download();
    expect(ofAda).toContain('person.accept-invitation');
    expect(ofAda).not.toContain('file.import');
    await page.getByRole('link', { name: 'Show everybody' }).click();
    await page.getByLabel('About').selectOption('Files and messages');
    await expect(rows.filter({ hasText: 'Joined the office' })).toHaveCount(0);
    const ofFiles = await download();
    expect(ofFiles).toContain('file.import');
    expect(ofFiles).not.toContain('person.accept-invitation');
    await page.getByLabel('To').fill(inDays(-1).iso);
    await expect(page.getByText('Nothing matches.')).toBeVisible();
    await page.getByLabel('To').fill(inDays(0).iso);
    await expect(rows.filter({ hasText: 'Imported a file' })).toBeVisible();
  },
);

test(
  'a clerk finds what became of the messages, and reads one whole',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const marlowe = await openOfficeOfOneVoter(baseURL);
    const voter = { ...cast.sent, typed: marlowe.typed };
    await signIn(page, voter, marlowe.url, '/voter/preferences');
    await save(page, { email: 'ines@example.com', email_opt_in: true });

    expectConsole(/401/);
    await join(page, marlowe, 'Cleo Marsh', 'clerk');
    await page.getByRole('link', { name: 'Messages' }).click();
    await page.getByLabel('Kind').selectOption('Correction');
    await expect(page.getByText('No message matches.')).toBeVisible();
    const welcome = 'Request to confirm an email address';
    await page.getByLabel('Kind').selectOption(welcome);
    await page.getByLabel('Sent by').selectOption('Email');
    await page.getByRole('link', { name: welcome }).first().click();
    await expect(page.getByRole('heading', { name: 'What the provider reported' })).toBeVisible();
    await expect(page.getByRole('row', { name: 'Address ines@example.com' })).toBeVisible();
    await page.goBack();
    await expect(page.getByLabel('Sent by')).toHaveValue('email');
    // Each look is on record, which a message shown from before would not be.
    const look = page.waitForRequest(/\/api\/office\/messages\/\d+$/, { timeout: 15_000 });
    await page.getByRole('link', { name: welcome }).first().click();
    await look;
    marlowe.close();
  },
);

test(
  'a person signs a command in by the code that page and terminal show',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Rosa Kim', 'releaser');
    await page.goto(`${office.url}/office/command-login#short`);
    await expect(page.getByText('This link is not complete.')).toBeVisible();
    // A hash signs in once, whatever the office.
    const hash = randomBytes(32).toString('hex');
    await page.goto(`${office.url}/office/command-login#${hash}`);
    await page.reload();
    const code = `${hash.slice(0, 4)}-${hash.slice(4, 8)}`.toUpperCase();
    await expect(page.getByText(code)).toBeVisible();
    await expectNoBarriers(page);
    const answer = await holdCalls(page, '**/api/office/command-session');
    const confirm = page.getByRole('button', { name: 'It shows this code: sign it in' });
    await confirm.press('Enter');
    await expect(confirm).toHaveAttribute('aria-disabled', 'true');
    // Who presses twice has signed it in all the same.
    await confirm.press('Enter');
    await answer();
    await expect(page.getByText('Signed in. Go on in the terminal')).toBeVisible();
    office.close();
  },
);
