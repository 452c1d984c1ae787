import type { FileAnswer } from '@ballot-beacon/contract/office/files';
import type { FixesAnswer } from '@ballot-beacon/contract/office/fixes';
import type { WaitingRequests } from '@ballot-beacon/contract/office/misuse';
import type { VoterMatches, VoterRecord } from '@ballot-beacon/contract/office/voters';
import type { Page } from '@playwright/test';
import { answerQuestion } from './answer-question.ts';
import { desk, expect, test } from './fixtures.ts';
import { openOfficeAs } from './people.ts';

/** What an office sees seldom, by answers that the server would give then. */

/** @returns what each call of this address had as its body */
async function answer(page: Page, address: string, json: object, status = 200) {
  const asked: unknown[] = [];
  await page.route(address, async (route) => {
    asked.push(route.request().postDataJSON());
    const isRefused = status >= 400;
    await route.fulfill({
      ...{ status, json },
      ...(isRefused && { contentType: 'application/problem+json' }),
    });
  });
  return asked;
}

const at = '2026-11-20T15:30:00Z';
const message: VoterRecord['messages'][number] = {
  ...{ message_id: 31, at, channel: 'email', address: 'v@fox.example', what: 'sent' },
  ...{ state: 'delivered', error: null, again: 'possible' },
};
const record: VoterRecord = {
  ...{ voter_id: 5, registration_id: 'V-5', is_active: false, is_confidential: false },
  ...{ is_locked: true, details: [], ballots: [], consents: [] },
  notes: [{ note_id: 1, at, who: 'Cleo Marsh', text: 'Asked where to vote.' }],
  messages: [message, { ...message, message_id: 30, channel: 'sms' }],
};

test(
  'what a clerk does for a voter stands in the record at once, each at its place, and the next look is another',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    const looks = await answer(page, '**/api/office/voters/5', record);
    await page.clock.install();
    await page.goto(`${office.url}/office/voters/5`);
    const isLocked = page.getByText(/^Too many sign-ins with this voter’s details/);
    await expect(isLocked).toBeVisible();
    // Who comes back to this tab later has not asked for another look.
    await page.clock.fastForward('01:00');
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    await answer(page, '**/voters/5/unlock', { was_locked: true });
    await page.getByRole('button', { name: 'Delete failed sign-ins' }).click();
    await expect(page.getByText('The voter can sign in again.')).toBeVisible();
    await expect(isLocked).toHaveCount(0);

    const note = { note_id: 2, at, who: 'Cleo Marsh', text: 'Asked once more.' };
    await answer(page, '**/voters/5/notes', note, 201);
    await page.getByLabel('Note a call').fill(note.text);
    await page.getByRole('button', { name: 'Keep the note' }).click();
    const calls = page.getByRole('region', { name: 'Calls' }).getByRole('listitem');
    await expect(calls).toContainText(['Asked once more.', 'Asked where to vote.']);

    await answer(page, '**/messages/31/again', { address: 'v@fox.example' });
    const refuse = (status: number) =>
      answer(
        ...([page, '**/messages/30/again'] as const),
        { title: 'Refused', status, detail: 'There is no room now.' },
        status,
      );
    expectConsole(/429/);
    expectConsole(/507/);
    await refuse(507);
    const again = page.getByRole('button', { name: /^Send again/ });
    await again.first().click();
    await expect(page.getByText('It was sent again and is on its way')).toBeVisible();
    await expect(page.getByText('On its way', { exact: true })).toHaveCount(1);
    await expect(again).toHaveAccessibleName(/^Send again: Mailed to the voter, Text message/);
    await again.click();
    await expect(page.getByRole('alert')).toHaveText('There is no room now.');
    await refuse(429);
    await again.click();
    await expect(page.getByRole('alert')).toHaveText(
      'This voter or address had enough sent again for now. Try again tomorrow.',
    );

    // A look is on record, which a record shown from before would not be.
    expect(looks).toHaveLength(1);
    await page.getByRole('link', { name: 'Envelopes to fix' }).click();
    await expect(page.getByRole('heading', { name: 'Counts' })).toBeVisible();
    await page.goBack();
    await expect(isLocked).toBeVisible();
    expect(looks).toHaveLength(2);
    office.close();
  },
);

test(
  'a clerk sees that more voters match than are counted, and who of them is inactive or confidential',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    const voter = { place: 'Marlowe', is_active: true };
    const found: VoterMatches = {
      ...{ matches: 1_000, is_more: true, next: null },
      voters: [
        { ...voter, voter_id: 1, registration_id: 'V-10', name: 'Vera Fox', born: '1960-02-01' },
        { ...voter, voter_id: 2, registration_id: 'V-9', name: '', born: null },
        {
          ...{ voter_id: 3, registration_id: 'V-8', name: 'Ned Hale', born: '1959-11-01' },
          ...{ place: '', is_active: false },
        },
        { ...voter, voter_id: 4, registration_id: 'V-7', name: 'Zoe Ode', born: '1958' },
      ],
    };
    const asked = await answer(page, '**/api/office/voter-search', found);
    await page.getByRole('link', { name: 'Find a voter' }).click();
    await page.getByLabel('What you know of the voter').fill('Fox');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect(page.getByText('More than 1,000 voters match.')).toBeVisible();
    const rows = page.getByRole('row').filter({ hasText: 'V-' });
    await expect(rows.filter({ hasText: 'Inactive' })).toHaveText(/^V-8/);
    await expect(rows.filter({ hasText: 'Confidential' })).toHaveText(/^V-9/);
    const ids = page.getByRole('rowheader');
    for (const [column, order] of [
      ['Name', ['V-8', 'V-10', 'V-7', 'V-9']],
      ['Born', ['V-7', 'V-8', 'V-10', 'V-9']],
      ['Voter ID', ['V-7', 'V-8', 'V-9', 'V-10']],
      ['Place', ['V-10', 'V-9', 'V-7', 'V-8']],
    ] as const) {
      await page.getByRole('button', { name: column }).click();
      await expect(ids).toHaveText([...order]);
    }
    expect(asked).toEqual([{ text: 'Fox' }]);
    office.close();
  },
);

test(
  'who approves the messages of a file that is loaded approves those, and nothing that waits meanwhile',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Rosa Kim', 'releaser');
    const file: FileAnswer = {
      ...{ import_id: 12, file_name: 'next.csv', format: 'beacon-ballots', state: 'file-held' },
      ...{ imported_by: 'Ina Wolf', finished_at: at, rows_read: 9, rows_refused: 0 },
      ...{ holds: 'ballots', counts: [], reasons: [], refusals: [], has_rejects: false },
      rows: { added: 0, changed: 9, unchanged: 0, refused: 0, passed_over: 0 },
      ...{ warnings: [], unknown_statuses: [], unknown_columns: [], ended_because: null },
      ...{ messages: { unsent: 9, sent: 0 }, finish: null, is_loading: false, is_own: false },
      history: [],
    };
    const released = await answer(page, '**/files/12/release', { state: 'released' });
    for (const [state, decision] of [
      ['file-held', 'Approve and load the file'],
      ['messages-held', 'Approve and send the messages'],
    ] as const) {
      await answer(page, '**/api/office/files/12', { ...file, state });
      await page.goto(`${office.url}/office/files/12`);
      await page.getByLabel('Reason').fill('Checked by phone.');
      await page.getByRole('button', { name: decision }).click();
      await expect(page.getByText('Approved. The file is loaded.')).toBeVisible();
      await expect(page.getByLabel('Reason')).toHaveValue('');
    }
    expect(released).toEqual([
      { reason: 'Checked by phone.', state: 'file-held' },
      { reason: 'Checked by phone.', state: 'messages-held' },
    ]);
    // The page follows the file until it is loaded.
    await answer(page, '**/api/office/files/12', { ...file, is_loading: true });
    await page.goto(`${office.url}/office/files/12`);
    await expect(page.getByText('A file of this office is being loaded now.')).toBeVisible();
    await answer(page, '**/api/office/files/12', { ...file, state: 'released' });
    await expect(page.getByText('A file of this office is being loaded now.')).toHaveCount(0);
    office.close();
  },
);

test(
  'who decides on requests that wait is asked about as many as wait, and decides on those that were seen',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Ada Wu', 'admin');
    const waiting: WaitingRequests = {
      ...{ channel: 'email', today: 1_050, limit: 1_000, waiting: 50, voters: 2, addresses: 49 },
      ...{ first_at: at, last_at: at, last_id: 90 },
    };
    await answer(page, '**/api/office/misuse', { requests: [waiting], sessions: 0 });
    const decided = await answer(page, '**/requests/email/decision', { messages: 50 });
    await page.goto(`${office.url}/office/misuse`);
    for (const [name, question] of [
      ['Send', 'Send 50 requests?'],
      ['Discard', 'Discard 50 requests?'],
    ] as const) {
      const press = () => page.getByRole('button', { name: `${name} the requests: Email` }).click();
      expect(await answerQuestion(page, 'accept', press)).toContain(question);
    }
    await expect(page.getByText('50 requests were discarded.')).toBeVisible();
    expect(decided).toEqual([
      { decision: 'send', last_id: 90 },
      { decision: 'discard', last_id: 90 },
    ]);
    office.close();
  },
);

test(
  'letters that were saved before are saved again only where a clerk says so',
  desk,
  async ({ page, baseURL, expectConsole }) => {
    const office = await openOfficeAs({ page, baseURL, expectConsole }, 'Cleo Marsh', 'clerk');
    const fixes: FixesAnswer = {
      ...{ is_feed_late: false, count: 0, fixes: [] },
      letters: { needed: 1, printed: 2, without_address: [], confidential: 0 },
    };
    await answer(page, '**/api/office/fixes?*', fixes);
    const asked: unknown[] = [];
    await page.route('**/fix-letters.html', async (route) => {
      asked.push(route.request().postDataJSON());
      const headers = { 'content-disposition': 'attachment; filename="letters.html"' };
      await route.fulfill({ headers, contentType: 'text/html', body: '<p>Dear Vera Fox,</p>' });
    });
    await page.goto(`${office.url}/office/fixes`);
    const save = page.getByRole('button', { name: 'Save the letters' });
    await save.click();
    await expect(page.getByText('letters.html was saved.')).toBeVisible();
    await page.getByLabel('Also 2 letters that were saved before').check();
    await save.click();
    await expect.poll(() => asked).toEqual([{ again: false }, { again: true }]);
    office.close();
  },
);
