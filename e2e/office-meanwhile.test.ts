import type { Page } from '@playwright/test';
import { asOfNow } from '../testing/demo-days.ts';
import { answerQuestion } from './answer-question.ts';
import { desk, expect, test } from './fixtures.ts';
import { holdCalls } from './hold-calls.ts';
import { runCommand } from './office.ts';
import { join, openOfficeAs } from './people.ts';

/** Goes to People and types there; it stays when what was begun before is answered. */
async function expectLeftAlone(page: Page, answer: () => Promise<void>): Promise<void> {
  await page.getByRole('link', { name: 'People' }).click();
  const name = page.locator('section', { hasText: 'Invite a person' }).getByLabel('Name');
  await name.fill('Nell Fox');
  // What is shown is asked for anew after the answer.
  const listed = page.waitForResponse('**/api/office/people');
  await answer();
  await (await listed).finished();
  await expect(name).toHaveValue('Nell Fox');
}

test(
  'settings typed while others are checked, or before a file of settings, are still there after saving',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const stored = async () =>
      JSON.parse(await runCommand('account', 'show', '--account', office.subdomain));
    const phone = page.getByLabel('Phone for voters');
    const email = page.getByLabel('Email for voters');
    await page.goto(`${office.url}/office/settings`);
    const goOn = await holdCalls(page, '**/api/office/settings/check');
    await phone.fill('(352) 555-0142');
    await page.getByRole('button', { name: 'See what 1 change does' }).click();
    await phone.fill('(352) 555-0143');
    await email.fill('vote@marlowe.example');
    await goOn();
    await expect(page.getByRole('row', { name: 'Phone for voters' })).toContainText('0142');
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('1 setting was changed.')).toBeVisible();
    await expect(phone).toHaveValue('(352) 555-0143');
    await expect(email).toHaveValue('vote@marlowe.example');

    const buffer = Buffer.from(JSON.stringify({ reports_counted: true }));
    const file = { name: 'account.json', mimeType: 'application/json', buffer };
    await page.getByLabel('Choose an account file').setInputFiles(file);
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('1 setting was changed.')).toBeVisible();
    await page.getByRole('button', { name: 'See what 2 changes do' }).click();
    await page.getByRole('button', { name: 'Save these changes' }).click();
    await expect(page.getByText('2 settings were changed.')).toBeVisible();
    expect(await stored()).toMatchObject({
      ...{ contact_phone: '(352) 555-0143', contact_email: 'vote@marlowe.example' },
      reports_counted: true,
    });
    await expect(page.getByRole('button', { name: /^See what/ })).toHaveCount(0);
    office.close();
  },
);

test(
  'a form that is opened while an election or a deadline is saved stays open, and so does another screen',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    const activate = await holdCalls(page, '**/api/office/elections/*');
    await page.getByRole('button', { name: 'Make active: Spring Election' }).click();
    await page.getByRole('link', { name: 'Edit Winter Election' }).click();
    await page.getByLabel('Name').fill('Winter Primary');
    await activate();
    await expect(page.getByText('Spring Election was changed.')).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Winter Primary');
    const undone = page.waitForResponse('**/api/office/elections');
    await page.getByRole('button', { name: 'Undo' }).click();
    await (await undone).finished();
    await expect(page.getByText('Spring Election was changed.')).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Winter Primary');

    await page.unroute('**/api/office/elections/*');
    const save = await holdCalls(page, '**/api/office/elections/*');
    await page.getByRole('button', { name: 'Save' }).click();
    await expectLeftAlone(page, save);

    const about = ['--account', office.subdomain, '--election', '2', '--defect', 'other'];
    const by = ['--by', `${asOfNow('2026-12-11')} 12:00`, '--reason', 'Court order 7'];
    await runCommand('cure', 'set', ...about, ...by);
    await page.goto(`${office.url}/office/elections/deadlines`);
    await page.getByRole('link', { name: 'Set a deadline: Winter Primary' }).click();
    const reason = page.getByLabel('What it rests on');
    await reason.fill('Court order 8');
    await page.getByRole('button', { name: 'Remove your deadline: Other' }).click();
    const done = page.getByText('The deadline of 1 problem was changed.');
    await expect(done).toBeVisible();
    await expect(reason).toHaveValue('Court order 8');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Remove your deadline: Other' })).toBeVisible();
    await expect(reason).toHaveValue('Court order 8');
    await page.goto(`${office.url}/office/elections/deadlines`);
    const remove = await holdCalls(page, '**/api/office/elections/*/fix-deadlines');
    await page.getByRole('button', { name: 'Remove your deadline: Other' }).click();
    await expectLeftAlone(page, remove);
    office.close();
  },
);

test(
  'a role that somebody else took away meanwhile does not come back with another one, which is asked for again',
  desk,
  async ({ page, browser, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    expectConsole(/409/);
    const nells = await browser.newPage();
    await join(nells, office, 'Nell Fox', 'admin', 'editor');
    await nells.close();
    await page.getByRole('link', { name: 'People' }).click();
    const nell = page.getByRole('listitem').filter({ hasText: 'Nell Fox' });
    const releaser = nell.getByLabel(/^Releaser/);
    const admin = nell.getByLabel(/^Administrator/);
    await releaser.check();
    const of = ['--account', office.subdomain];
    const [number = ''] =
      /^\d+(?=\tNell Fox)/m.exec(await runCommand('person', 'list', ...of)) ?? [];
    await runCommand('person', 'roles', number, ...of, '--role', 'editor');
    await nell.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByRole('alert')).toContainText('Look at them again.');
    await expect(admin).not.toBeChecked();
    await expect(releaser).not.toBeChecked();

    await releaser.check();
    await nell.getByRole('button', { name: 'Save roles' }).click();
    await expect(page.getByText('The roles of Nell Fox were changed.')).toBeVisible();
    await expect(releaser).toBeChecked();
    await expect(admin).not.toBeChecked();
    office.close();
  },
);

test(
  'an upload that is deleted slowly takes nobody from inviting a person, whose form is empty afterwards',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs(
      { page, baseURL, expectConsole },
      'Ada Wu',
      ...['admin', 'importer'],
    );
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${office.url}/office/files`);
    const file = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear Ada,\n') };
    await page.getByLabel('Drop files here, or choose them').setInputFiles(file);
    await expect(page.getByText(/We do not recognize this file/)).toBeVisible();
    const remove = await holdCalls(page, '**/api/office/uploads/*');
    await page.getByRole('button', { name: 'Delete this file' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    const invite = page.locator('section', { hasText: 'Invite a person' });
    const name = invite.getByLabel('Name');
    await name.fill('Nell Fox');
    await invite.getByLabel(/^Clerk(?! for)/).check();
    await remove();
    // Who was invited is no longer asked for; the next one is.
    await invite.getByRole('button', { name: 'Create an invitation link' }).click();
    await expect(page.locator('code.link')).toBeVisible();
    await expect(name).toHaveValue('');
    await expect(invite.getByLabel(/^Clerk(?! for)/)).not.toBeChecked();
    office.close();
  },
);

test(
  'an election that somebody else changed keeps that where the open form is saved after a correction',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/409|422/); // the form is saved without a name, and over another change
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    await page.getByRole('link', { name: 'Elections' }).click();
    await page.getByRole('link', { name: 'Edit Winter Election' }).click();
    await page.getByLabel('Name').fill('');
    const { pathname } = new URL(page.url());
    const change = (body: object) =>
      page.evaluate(
        async ([address, text]) => {
          const headers = { 'content-type': 'application/json' };
          return (await fetch(address, { method: 'PATCH', headers, body: text })).status;
        },
        [`/api${pathname}`, JSON.stringify(body)] as const,
      );
    expect(await change({ certified_on: asOfNow('2026-12-30') })).toBe(204);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('Type the name that voters read.');
    await page.getByLabel('Name').fill('Winter Primary');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Winter Primary was changed.')).toBeVisible();
    // The same of it is not changed back, by an undo or by a form that was open.
    expect(await change({ name: 'Winter Runoff' })).toBe(204);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('alert')).toContainText('Somebody changed the same');
    await page.getByRole('link', { name: 'Edit Winter Runoff' }).click();
    await expect(page.getByLabel('Day of certification')).toHaveValue(asOfNow('2026-12-30'));
    await page.getByLabel('Name').fill('Winter Recount');
    expect(await change({ name: 'Winter Primary' })).toBe(204);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('Open it anew');
    await expect(page.getByLabel('Name')).toHaveValue('Winter Recount');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('row', { name: /Winter Primary/ })).toBeVisible();
    office.close();
  },
);

test(
  'a draft that somebody else saved meanwhile is not overwritten by what was begun before',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/409|422/); // a text with a placeholder that does not exist, and the other draft
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    await page.goto(`${office.url}/office/texts/main:outage.text/english`);
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const save = page.getByRole('button', { name: 'Save the draft' });
    await text.fill('We are busy, {{nobody}}.');
    const status = await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const words = { title: '', body: 'The other draft. {{email}}' };
      const of = { text: 'main:outage.text', language: 'english', version: null };
      const body = JSON.stringify({ ...of, words });
      return (await fetch('/api/office/text/draft', { method: 'POST', headers, body })).status;
    });
    expect(status).toBe(200);
    const answer = () => page.waitForResponse('**/api/office/text/draft');
    const refused = answer();
    await save.click();
    expect((await refused).status()).toBe(422);
    // The draft is loaded anew, and what is typed stays.
    await expect(page.getByText(/^Saved by Edda Moss/)).toBeVisible();
    await text.fill('We are busy. {{email}}');
    const conflict = answer();
    await save.click();
    expect((await conflict).status()).toBe(409);
    await expect(page.getByRole('alert')).toContainText('Somebody else saved or published');
    await page.reload();
    await expect(text).toHaveValue('The other draft. {{email}}');

    // Who types on while a draft is saved saves that too.
    const saved = await holdCalls(page, '**/api/office/text/draft');
    await text.fill('Busy. {{email}}');
    await save.click();
    await text.fill('Very busy. {{email}}');
    await saved();
    await expect(page.getByText('The draft was saved.')).toBeVisible();
    const savedAgain = answer();
    await save.click();
    expect((await savedAgain).status()).toBe(200);
    await page.reload();
    await expect(text).toHaveValue('Very busy. {{email}}');
    office.close();
  },
);

test(
  'discarding what was typed leaves the saved draft, and what is typed stays where the usual words cannot be had',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    expectConsole(/409|ERR_FAILED/); // the other draft, and a connection that is lost
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Edda Moss', 'editor');
    await page.goto(`${office.url}/office/texts/main:outage.text/english`);
    const text = page.getByRole('textbox', { name: 'Text', exact: true });
    const discard = page.getByRole('button', { name: 'Discard the draft' });
    await text.fill('We are busy. {{email}}');
    await page.evaluate(async () => {
      const headers = { 'content-type': 'application/json' };
      const words = { title: '', body: 'The other draft. {{email}}' };
      const of = { text: 'main:outage.text', language: 'english', version: null };
      const body = JSON.stringify({ ...of, words });
      await fetch('/api/office/text/draft', { method: 'POST', headers, body });
    });
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(page.getByRole('alert')).toContainText('Somebody else saved or published');
    await expect(page.getByText(/^Saved by Edda Moss/)).toBeVisible();
    await discard.click();
    await expect(text).toHaveValue('The other draft. {{email}}');
    await page.reload();
    await expect(text).toHaveValue('The other draft. {{email}}');

    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Published. Voters see it now.')).toBeVisible();
    await text.fill('Typed for long. {{email}}');
    await page.route('**/api/office/text/draft', (route) => route.abort());
    const usual = page.getByRole('button', { name: 'Use the usual words' });
    const asked = await answerQuestion(page, 'dismiss', () => usual.click());
    expect(asked).toBe('What you typed is not saved. Replace it?');
    await answerQuestion(page, 'accept', () => usual.click());
    await expect(page.getByRole('alert')).toContainText('The server does not answer.');
    await expect(text).toHaveValue('Typed for long. {{email}}');

    await page.unroute('**/api/office/text/draft');
    await page.getByRole('button', { name: 'Save the draft' }).click();
    await expect(page.getByText('The draft was saved.')).toBeVisible();
    const discarded = await holdCalls(page, '**/api/office/text/draft/discard');
    // Who presses twice, before the page knows of the first, has discarded it all the same.
    await discard.evaluate((button: HTMLButtonElement) => [button.click(), button.click()]);
    await discarded();
    await expect(page.getByText('The draft was discarded.')).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(text).toHaveValue('The other draft. {{email}}');
    office.close();
  },
);
