import { readFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { cast } from '../../demo/cast.ts';
import { ownMessages } from '../../testing/own-messages.ts';
import { performanceFigures } from '../../testing/performance-figures.ts';
import { runCommand } from '../office.ts';
import { open } from '../sign-in.ts';
import { calls, openDashboard, refuse, type Stage, screen } from './stage.ts';

for (const [state, link] of [
  ['FAQ', 'Voter FAQ'],
  ['privacy', 'Your Privacy & Security'],
  ['SMS terms', 'SMS Terms'],
] as const)
  screen(
    `dialogs/${state}`,
    async ({ page }) => {
      await open(page, '/voter');
      await page.locator('footer').getByText(link).click();
      await page.getByRole('dialog').waitFor();
      await page.locator('dialog .loading').waitFor({ state: 'detached' });
    },
    { whole: false },
  );
for (const state of ['first page', 'empty', 'failed'] as const)
  screen(
    `dialogs/release notes, ${state}`,
    async (stage) => {
      const { page } = stage;
      if (state === 'failed') await refuse(page, calls.releaseNotes, 500, 'Internal Server Error');
      if (state === 'first page') await page.route(calls.releaseNotes, showNotes);
      // The demo's office has written some.
      if (state === 'empty') await page.route(calls.releaseNotes, showNone);
      await openDashboard(stage);
      await page.locator('footer').getByText('Release Notes').click();
      const words = {
        'first page': 'The page is in Spanish, too.',
        empty: 'No release notes available',
        failed: 'Apologies, we are having difficulties loading this page.',
      };
      await page.getByRole('dialog').getByText(words[state]).waitFor();
    },
    { whole: false },
  );

for (const name of ['privacy', 'faq', 'sms-policy', 'accessibility'] as const)
  screen(`pages/${name}`, ({ page }) => open(page, `/voter/${name}`));
screen('pages/not found', ({ page }) => open(page, '/voter/nowhere'));
screen('pages/unsubscribe', ({ page }) =>
  open(page, '/voter/unsubscribe?key=abc&email=ida@example.com'),
);
screen('pages/unsubscribe, done', async ({ page }) => {
  await page.route('**/api/voter/unsubscribe', (route) => route.fulfill({ status: 204 }));
  await open(page, '/voter/unsubscribe?key=abc&email=ida@example.com');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByText('Unsubscribe Successful').waitFor();
});
screen('pages/unsubscribe, failed', async ({ page }) => {
  await open(page, '/voter/unsubscribe?key=abc&email=ida@example.com');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.locator('.unsubscribe').getByRole('alert').waitFor();
});
screen('pages/unsubscribe, link cut short', ({ page }) => open(page, '/voter/unsubscribe'));
screen('pages/verify', async ({ page }) => {
  await page.route('**/api/voter/message-origins', (route) =>
    route.fulfill({
      json: {
        address: 'https://harbor.beacon.example/',
        senders: [
          { channel: 'email', sender: 'harbor@beacon.example' },
          { channel: 'sms', sender: '41575' },
          { channel: 'voice', sender: '+18505550100' },
        ],
        topics: ['status', 'confirm', 'notice'],
      },
    }),
  );
  await open(page, '/voter/verify');
  await page.getByText('What we sent in the last 30 days').waitFor();
});
screen('pages/verify, found', async ({ page }) => {
  await page.route('**/api/voter/message-check', (route) =>
    route.fulfill({ json: { channel: 'sms', topic: 'status', sent_on: '2026-11-18' } }),
  );
  await checkCode(page);
});
screen('pages/verify, unknown', ({ page }) => checkCode(page));
screen('pages/performance', async ({ page }) => {
  await page.route(calls.performance, (route) => route.fulfill({ json: performanceFigures }));
  await open(page, '/voter/performance');
  await page.getByRole('table').waitFor();
});
screen('pages/performance, few messages', async ({ page }) => {
  const few = performanceFigures.periods.map((period) => ({
    ...period,
    ...{ messages: null, within_ten_seconds: null, oldest_data_hours: null, availability: null },
    channels: [],
  }));
  await page.route(calls.performance, (route) =>
    route.fulfill({ json: { ...performanceFigures, data_updated_at: null, periods: few } }),
  );
  await open(page, '/voter/performance');
  await page.getByRole('table').waitFor();
});
screen('pages/performance, failed', async ({ page }) => {
  await refuse(page, calls.performance, 500, 'Internal Server Error');
  await open(page, '/voter/performance');
  await page.locator('.performance [role="alert"]').waitFor();
});
screen('pages/messages', async (stage) => {
  const { page } = stage;
  await page.route(calls.ownMessages, (route) => route.fulfill({ json: ownMessages }));
  await openMessages(stage);
  await page.locator('.messages-list li').first().waitFor();
});
screen('pages/messages, none', async (stage) => {
  const { page } = stage;
  await page.route(calls.ownMessages, (route) =>
    route.fulfill({ json: { messages: [], consents: [] } }),
  );
  await openMessages(stage);
  await page.locator('.messages-card p').nth(1).waitFor();
});
screen('pages/messages, failed', async (stage) => {
  await refuse(stage.page, calls.ownMessages, 500, 'Internal Server Error');
  await openMessages(stage);
  await stage.page.locator('.message-page').waitFor();
});
screen('pages/letter code', ({ page }) => open(page, '/voter/letter'));
screen('pages/letter code, wrong', async ({ page }) => {
  await open(page, '/voter/letter');
  await page.locator('main form button').click();
  await page.locator('.field-error').waitFor();
});
screen('pages/QR login', async ({ page, info }) => open(page, await printCode(info)));
screen('pages/QR login, no match', async ({ page, info }) => {
  await open(page, await printCode(info));
  await page.getByLabel('Date of birth').fill('01-01-1950');
  await page.getByRole('button', { name: 'Register / Log In' }).click();
  await page.locator('.field-error').waitFor();
});

async function openMessages(stage: Stage): Promise<void> {
  await openDashboard(stage);
  await open(stage.page, new URL('/voter/messages', stage.page.url()).href);
}

async function checkCode(page: Page): Promise<void> {
  await open(page, '/voter/verify');
  await page.locator('[name="code"]').fill('7K3M-9QX2');
  await page.locator('main form button').click();
  await page.locator('.verify-answer').waitFor();
}

/** Makes a code for a ballot of the demo. @returns path and query of what it says */
async function printCode(info: TestInfo): Promise<string> {
  const file = info.outputPath('codes.csv');
  const of = ['--account', 'demo', '--election', '217', '--voter', cast.sent.registrationId];
  await runCommand('qr', ...of, '--out', file);
  const url = /http\S+guid=[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Two pages of notes, as an office might publish. */
function showNone(route: Parameters<Parameters<Page['route']>[1]>[0]) {
  return route.fulfill({
    json: {
      _embedded: { release_note: [] },
      _links: {},
      page: 1,
      page_count: 1,
      page_size: 5,
      total_items: 0,
    },
  });
}

function showNotes(route: Parameters<Parameters<Page['route']>[1]>[0]) {
  const note = (release_note_id: number, release_note: string) => ({
    release_note_id,
    release_note,
    published_datetime: `2026-10-${10 + release_note_id}T15:00:00Z`,
  });
  const href = (page: number) => ({ href: `/api/voter/release-note?page=${page}` });
  return route.fulfill({
    json: {
      _embedded: {
        release_note: [
          note(2, '<p>The page is in Spanish, too.</p>'),
          note(1, '<p>You can choose the <strong>hours</strong> in which we may call.</p>'),
        ],
      },
      _links: { first: href(1), next: href(2), last: href(2) },
      page: 1,
      page_count: 2,
      page_size: 2,
      total_items: 3,
    },
  });
}
