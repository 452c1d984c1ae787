import { type Page, test } from '@playwright/test';
import { asOfNow } from '../../testing/demo-days.ts';
import { type ConsoleOffice, openConsoleOffice } from './console-office.ts';
import { refuse, type Stage, screen } from './stage.ts';

let office: ConsoleOffice;
test.beforeAll(async ({ browser, baseURL }) => {
  test.setTimeout(180_000);
  office = await openConsoleOffice(browser, baseURL);
});
test.afterAll(() => office.close());

/** A screen of the console, in English alone, of a person who may do everything. */
function consoleScreen(
  name: string,
  path: string,
  then: (page: Page, stage: Stage) => Promise<unknown> = async () => {},
  { whole = true, isLoaded = true }: { readonly whole?: boolean; readonly isLoaded?: boolean } = {},
): void {
  screen(
    `console/${name}`,
    async (stage) => {
      const { page, context } = stage;
      await context.addCookies(office.cookies);
      await page.goto(`${office.url}/office${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await then(page, stage);
      if (isLoaded) await page.waitForFunction(() => !document.querySelector('.loading'));
      await page.waitForLoadState('networkidle');
    },
    { whole, language: 'english' },
  );
}

screen(
  'console/sign in',
  async ({ page }) => {
    await page.goto(`${office.url}/office/`);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  },
  { language: 'english' },
);
screen(
  'console/invitation, incomplete',
  async ({ page }) => {
    await page.goto(`${office.url}/office/invitation`);
    await page.getByText('This link is incomplete').waitFor();
  },
  { language: 'english' },
);

consoleScreen('today', '/');
consoleScreen('today, failed', '/', (page) => failed(page, '**/api/office/today'));
consoleScreen('page not found', '/nowhere');
consoleScreen('not allowed', '/', async (page, { context }) => {
  await context.addCookies(office.viewer);
  await page.goto(`${office.url}/office/settings`);
  await page.getByRole('heading', { name: 'Your roles do not allow this' }).waitFor();
});
consoleScreen(
  'session ended',
  '/',
  async (page, { context }) => {
    await context.clearCookies();
    await page.getByRole('link', { name: 'Envelopes that voters can still fix' }).click();
    await page.getByRole('dialog').waitFor();
  },
  { whole: false, isLoaded: false },
);
consoleScreen(
  'proof asked',
  '/people',
  async (page) => {
    await refuse(page, '**/api/office/people/*', 403, 'Sign in again.', { 'error-code': 7001 });
    await page.getByRole('button', { name: 'Save roles' }).first().click();
    await page.getByRole('dialog').waitFor();
  },
  { whole: false },
);

consoleScreen('files', '/files');
consoleScreen('file that waits', '/files', async (page) => {
  await link(page, 'voters-friday.csv').click();
  await page.getByRole('heading', { name: 'Why it waits' }).waitFor();
});
consoleScreen('file that was loaded', '/files', async (page) => {
  await link(page, 'ballots-november.csv').click();
  await page.getByRole('heading', { name: 'Refused rows' }).waitFor();
});
consoleScreen('file that was refused', '/files', async (page) => {
  await link(page, 'voters-draft.csv').click();
  await page.getByText('The file could not be loaded').waitFor();
});
consoleScreen('uploaded file', '/files', async (page) => {
  await upload(page, 'next-day.csv', nextDay);
  await page.getByRole('button', { name: 'Import this file' }).waitFor();
});
consoleScreen('uploaded file, not recognized', '/files', async (page) => {
  await upload(page, 'letter.txt', 'Dear Ada, please find the letter attached.\n');
  await page.getByText('We do not recognize this file').waitFor();
});

consoleScreen('envelopes to fix', '/fixes');
consoleScreen('envelopes to fix, none', '/fixes', async (page) => {
  await page.getByLabel('Problem').selectOption('Wrong envelope');
  await page.getByText('No envelope matches.').waitFor();
});

consoleScreen('ballots with a status', '/ballots?election=2&status=sent');
consoleScreen('ballots, none', '/ballots?election=2&status=deceased');

consoleScreen('find a voter', '/voters');
consoleScreen('find a voter, several', '/voters', (page) => find(page, 'Novak'));
consoleScreen('find a voter, nobody', '/voters', async (page) => {
  await find(page, 'Zyx Nobody');
  await page.getByText('No voter matches.').waitFor();
});
consoleScreen('voter', '/voters', (page) => openVoter(page, 'M-1'));
consoleScreen('voter who called', '/voters', async (page) => {
  await openVoter(page, 'M-1');
  await page.getByLabel('Note a call').fill('Did not find our email. Sent it again.');
  await page.getByRole('button', { name: 'Keep the note' }).click();
  await page.getByText('The note was kept.').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('It was sent again').waitFor();
});
consoleScreen('voter, envelope to fix', '/voters', (page) => openVoter(page, 'M-119'));
consoleScreen('voter, confidential', '/voters', (page) => openVoter(page, 'M-123'));

consoleScreen('messages', '/messages');
consoleScreen('messages, none', '/messages?kind=correction');
consoleScreen('message', '/messages', async (page) => {
  await page.getByRole('rowheader').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'What the provider reported' }).waitFor();
});

consoleScreen('reports', '/reports?report=messages');
consoleScreen(
  'reports with a picture',
  asOfNow('/reports?election=2&from=2026-11-15&to=2026-11-17'),
  async (page) => {
    await page.getByRole('img').waitFor();
  },
);

consoleScreen('texts', '/texts');
consoleScreen('texts, found', '/texts?search=ballot');
consoleScreen('text', '/texts/alert/english', async (page) => {
  await page.getByRole('heading', { name: 'How voters see it' }).waitFor();
});
consoleScreen('text, as HTML', '/texts/faq/english', async (page) => {
  await page.getByRole('button', { name: 'Write as HTML' }).click();
});
consoleScreen('look', '/look');
consoleScreen('text of a message', '/texts/messages:mail.accepted.meaning/spanish');

consoleScreen('QR codes', '/codes');
consoleScreen('QR codes, refused', '/codes', async (page) => {
  await page.getByLabel('Voter ID').first().fill('M-2');
  await page.getByRole('button', { name: 'Download a table (CSV)' }).first().click();
  await page.getByRole('alert').waitFor();
});

consoleScreen('people', '/people');

consoleScreen('elections', '/elections');
consoleScreen('elections sorted', '/elections?sort=-name');
consoleScreen('election', '/elections', async (page) => {
  await link(page, 'Edit Winter Election').click();
  await page.getByLabel('Election day').waitFor();
});
consoleScreen('election, refused', '/elections/new', async (page) => {
  await page.getByLabel('Number').fill('2');
  await page.getByLabel('Name').fill('Runoff Election');
  await page.getByLabel('Election day').fill('1926-12-22');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').waitFor();
});

consoleScreen('deadlines to fix', '/elections/deadlines');
consoleScreen('deadline to fix', '/elections/deadlines', async (page) => {
  await link(page, 'Set a deadline: Winter Election').click();
  await page.getByLabel('Last day').fill(asOfNow('2026-12-11'));
  await page.getByText('This is earlier than the rule of your state gives').waitFor();
});

consoleScreen('switches', '/flags');

for (const group of ['office', 'page', 'sign-in', 'messages', 'files', 'fixes', 'mail'])
  consoleScreen(`settings, ${group}`, `/settings/${group}`);
consoleScreen('settings, refused', '/settings/office', async (page) => {
  await page.getByLabel('Phone for voters').fill('555');
  await page.getByRole('button', { name: 'See what 1 change does' }).click();
  await page.getByRole('alert').waitFor();
});
consoleScreen('settings looked at', '/settings/office', async (page) => {
  await page.getByLabel('Phone for voters').fill('(352) 555-0142');
  await page.getByRole('button', { name: 'See what 1 change does' }).click();
  await page.getByRole('button', { name: 'Save these changes' }).waitFor();
});

consoleScreen('USPS scans', '/settings/usps-scans');
consoleScreen('misuse', '/misuse');

consoleScreen('log', '/log');
consoleScreen('log, none', '/log?from=2020-01-01&to=2020-01-02');

const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

async function find(page: Page, words: string): Promise<void> {
  await page.getByLabel('What you know of the voter').fill(words);
  await page.getByRole('button', { name: 'Find' }).click();
}

async function openVoter(page: Page, registrationId: string): Promise<void> {
  await find(page, registrationId);
  await link(page, registrationId).click();
  await page.getByRole('heading', { name: `Voter ID ${registrationId}` }).waitFor();
}

async function failed(page: Page, address: string): Promise<void> {
  await refuse(page, address, 500, 'Something went wrong on our end.');
  await page.reload();
  await page.getByRole('alert').waitFor();
}

async function upload(page: Page, name: string, text: string): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.getByLabel('Drop files here, or choose them').setInputFiles(file);
}

/** The next day's file: some that were sent are back, one voter is not on the roll. */
const nextDay = asOfNow(`registration_id,election,ballot_number,status,sent_on,returned_on
M-100,2,B-500,returned,2026-11-02,2026-11-20
M-101,2,B-501,returned,2026-11-02,2026-11-20
M-105,2,B-505,accepted,2026-11-02,2026-11-16
M-998,2,B-998,sent,2026-11-02,
`);
