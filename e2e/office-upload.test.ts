import type { Route } from '@playwright/test';
import { answerQuestion } from './answer-question.ts';
import { expectNoBarriers } from './barriers.ts';
import {
  correctFile,
  expectReleased,
  findWaitingFile,
  importAndAsk,
  signUp,
} from './file-steps.ts';
import { desk, expect, test } from './fixtures.ts';
import { type Office, openOffice, runCommand } from './office.ts';
import { join } from './people.ts';

let office: Office;
test.beforeEach(async ({ baseURL }) => {
  office = await openOffice(baseURL);
});
test.afterEach(() => office.close());

test(
  'a file is dropped, read before it counts, approved by another person, and corrected; the right voter hears of it',
  desk,
  async ({ page, browser }) => {
    await signUp(page, office);

    const desk = await (await browser.newContext()).newPage();
    await join(desk, office, 'Ina Wolf', 'importer');
    await importAndAsk(desk, office, 'Ina Wolf');
    // The page of the upload has become that of the file: the way back leads past it.
    await desk.goBack();
    await expect(desk.getByRole('heading', { name: 'Files', level: 1 })).toBeVisible();
    await desk.context().close();

    const other = await (await browser.newContext()).newPage();
    await join(other, office, 'Rosa Kim', 'releaser');
    await findWaitingFile(other);
    await other.getByRole('button', { name: 'Approve and load the file' }).click();
    await expectReleased(other, page, office);
    await correctFile(other, office);
    await other.context().close();
  },
);

test(
  'an upload survives a lost connection and a reload, and a wrong file says so in a clerk’s words',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401|ERR_FAILED/);
    await join(page, office, 'Ina Wolf', 'importer');
    await page.goto(`${office.url}/office/files`);
    const sent: string[] = [];
    let isDown = true;
    await page.route('**/pieces/*', (route) => {
      const piece = /pieces\/(\d+)/.exec(route.request().url())?.[1] ?? '';
      if (isDown && piece !== '0') return route.abort();
      sent.push(piece);
      return route.continue();
    });
    const text = 'Dear Ina, please find the letter attached.\n'.repeat(30_000);
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from(text) };
    await page.getByLabel('Drop files here, or choose them').setInputFiles(file);
    await expect(page.getByText('No connection. The upload goes on by itself')).toBeVisible();
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    isDown = false;
    // Another tab shows how far it has come.
    const elsewhere = await page.context().newPage();
    await elsewhere.goto(page.url());
    await expect(elsewhere.getByLabel('Choose the same file again to go on.')).toBeAttached();
    await page.getByLabel('Choose the same file again to go on.').setInputFiles(file);
    for (const tab of [page, elsewhere])
      await expect(tab.getByText(/We do not recognize this file by its first line/)).toBeVisible();
    await elsewhere.close();
    expect(sent.toSorted()).toEqual(['0', '1', '2']);
    await expectNoBarriers(page);
    const format = page.getByLabel('Format');
    const election = page.getByLabel('Election', { exact: true });
    const isWhole = page.getByLabel(/^It is the whole voter roll/);
    await format.selectOption('beacon-voters');
    await election.selectOption('Winter Election (2)');
    await isWhole.check();
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect(page.getByText('This file cannot be loaded:')).toBeVisible();
    await page.reload();
    await expect(format).toHaveValue('beacon-voters');
    await expect(election).toHaveValue('2');
    await expect(isWhole).toBeChecked();
    const remove = () => page.getByRole('button', { name: 'Delete this file' }).click();
    expect(await answerQuestion(page, 'accept', remove)).toContain('Delete this file?');
    await expect(page.getByText('No uploaded file waits for a decision.')).toBeVisible();
  },
);

test(
  'a file that cannot be sent says why in the list, and goes on when it is dropped again',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401|507/);
    await join(page, office, 'Ina Wolf', 'importer');
    await page.goto(`${office.url}/office/files`);
    const refuse = (route: Route) =>
      route.fulfill({
        status: 507,
        contentType: 'application/problem+json',
        json: { title: 'Insufficient Storage', status: 507, detail: 'There is no room now.' },
      });
    await page.route('**/pieces/*', refuse);
    const file = (name: string) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(`Dear ${name},\n`) },
    });
    const drop = page.getByLabel('Drop files here, or choose them');
    // Neither of them can even be begun.
    await page.route('**/api/office/uploads', (route) =>
      route.request().method() === 'POST' ? refuse(route) : route.continue(),
    );
    await drop.setInputFiles([file('one.txt'), file('two.txt')]);
    await expect(page.getByRole('alert')).toHaveText(
      'one.txt: There is no room now. two.txt: There is no room now.',
    );
    // A browser is silent about a choice of the files that are chosen already.
    await expect(drop).toHaveValue('');
    await page.unroute('**/api/office/uploads');
    await drop.setInputFiles([file('one.txt'), file('two.txt')]);
    const entry = page.getByRole('listitem').filter({ hasText: 'one.txt' });
    await expect(entry.getByRole('alert')).toHaveText('There is no room now.');
    await page.unroute('**/pieces/*');
    await drop.setInputFiles([file('one.txt'), file('two.txt')]);
    await expect(entry).toContainText('Waits for your decision');
    await expect(entry).toHaveCount(1);
    const second = page.getByRole('listitem').filter({ hasText: 'two.txt' });
    await expect(second).toContainText('Waits for your decision');
    await page.getByRole('link', { name: 'Today' }).click();
    await expect(page.getByRole('link', { name: /^2 uploaded files/ })).toBeVisible();
    await expect(page.getByText('Nothing needs a person now.')).toHaveCount(0);
  },
);

test(
  'the page of a refused file says why, and has nothing else',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401/);
    const draft = office.write('voters-draft.csv', 'name,street\nAbel,Cypress\n');
    const account = ['--account', office.subdomain];
    await expect(
      runCommand('import', draft, ...account, '--format', 'beacon-voters'),
    ).rejects.toThrow('ended with 1');
    await join(page, office, 'Rosa Kim', 'releaser');
    await page.getByRole('link', { name: 'Files' }).click();
    await page.getByRole('link', { name: 'voters-draft.csv' }).click();
    await expect(page.getByText('The file could not be loaded. Nothing changed.')).toBeVisible();
    await expect(page.getByText('The file has no column registration_id')).toBeVisible();
    await expect(page.locator('main section')).toHaveText([/^Who did what.*it was refused$/]);
    await expectNoBarriers(page);
  },
);

test(
  'a file that was on its way at a sign-out can be gone on with after the next sign-in',
  desk,
  async ({ page, expectConsole }) => {
    expectConsole(/401|ERR_FAILED/);
    await join(page, office, 'Ina Wolf', 'importer');
    await page.goto(`${office.url}/office/files`);
    await page.route('**/pieces/*', (route) => route.abort());
    const file = { name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Ina,\n') };
    await page.getByLabel('Drop files here, or choose them').setInputFiles(file);
    await expect(page.getByText('No connection.')).toBeVisible();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByText('You are signed out here.')).toBeVisible();
    const refused = page.waitForResponse('**/pieces/*');
    await page.unroute('**/pieces/*');
    expect((await refused).status()).toBe(401);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByLabel('Choose the same file again to go on.').setInputFiles(file);
    await expect(page.getByText(/We do not recognize this file/)).toBeVisible();
  },
);
