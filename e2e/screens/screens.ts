import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page, TestInfo } from '@playwright/test';
import { test } from '@playwright/test';
import { type CastMember, cast } from '../../demo/cast.ts';
import { expectSoundInEveryLanguage } from '../access/every-language.ts';
import { openOffice, runCommand } from '../office.ts';
import { addressOf, comeFromElsewhere, fillIn, open, signIn, submit } from '../sign-in.ts';
import { folder } from './write-index.ts';

interface Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly baseURL: string | undefined;
  readonly info: TestInfo;
}

/**
 * One picture: `SCREEN/STATE`, and how a visitor gets there. `whole`: the page from top to end, not what is in sight.
 * `npm run access` reads the state in every language instead.
 */
function screen(name: string, reach: (stage: Stage) => Promise<unknown>, whole = true): void {
  test(name, async ({ page, context, baseURL }, info) => {
    await comeFromElsewhere(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await reach({ page, context, baseURL, info });
    await page.evaluate(() => document.fonts.ready);
    if (info.config.metadata.everyLanguage) return await expectSoundInEveryLanguage(page);
    await page.mouse.move(0, 0);
    await page.screenshot({
      path: path.join(folder, name, `${info.project.name}.png`),
      fullPage: whole,
      animations: 'disabled',
    });
  });
}

const calls = {
  session: '**/api/voter/session',
  own: '**/api/voter/information/me',
  releaseNotes: '**/api/voter/release-note**',
  faq: '**/api/voter/faq**',
};

const refuse = (page: Page, address: string, status: number, detail: string, more: object = {}) =>
  page.route(address, (route) =>
    route.fulfill({
      status,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: detail, status, detail, ...more }),
    }),
  );
const hold = (page: Page, address: string) => page.route(address, () => {});

async function tryToSignIn(page: Page, member: CastMember, baseURL: string | undefined) {
  await open(page, `${addressOf(member.account, baseURL)}/voter`);
  await fillIn(page, member.typed);
  await submit(page);
}

async function openDashboard({ page, baseURL }: Stage, member: CastMember = cast.accepted) {
  await signIn(page, member, baseURL);
  await open(page, `${addressOf(member.account, baseURL)}/voter/dashboard`);
  await page.locator('.ballot, .no-ballot').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function openPreferences({ page, baseURL }: Stage, member: CastMember = cast.leapDay) {
  await signIn(page, member, baseURL);
  await open(page, '/voter/preferences');
  await page.locator('#contact-preferences').waitFor();
}

const alert = (page: Page) => page.locator('.alert').first().waitFor();

screen('login/first', ({ page }) => open(page, '/voter'));
screen('login/spanish', ({ page }) => open(page, '/voter?language=spanish'));
screen('login/languages', async ({ page }) => {
  await open(page, '/voter');
  await page.locator('.language-menu summary').click();
});
screen('login/nothing typed', async ({ page }) => {
  await open(page, '/voter');
  await submit(page);
  await page.locator('.error-summary').waitFor();
});
screen('login/nobody matches', async ({ page, baseURL }) => {
  await tryToSignIn(
    page,
    { ...cast.sent, typed: { ...cast.sent.typed, lastname: 'Nobody' } },
    baseURL,
  );
  await alert(page);
});
screen('login/voter ID asked', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.ambiguousFirst, baseURL);
  await alert(page);
});
screen('login/voter ID wrong', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.ambiguousFirst, baseURL);
  await page.getByRole('textbox', { name: 'Voter ID' }).fill('123');
  await submit(page);
  await page.locator('.alert[data-type="error"]').waitFor();
});
screen('login/token asked', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.token, baseURL);
  await alert(page);
});
screen('login/token missing', async ({ page, baseURL }) => {
  await tryToSignIn(page, cast.token, baseURL);
  await alert(page);
  await submit(page);
  await page.locator('.field-error').first().waitFor();
});
screen('login/CAPTCHA refused', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 401, 'Invalid ReCAPTCHA', { 'error-code': 9999 });
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/too many tries', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 429, 'Too Many Attempts');
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/Oops', async ({ page, baseURL }) => {
  await refuse(page, calls.session, 500, 'Internal Server Error', { err_id: '7f3a19' });
  await tryToSignIn(page, cast.sent, baseURL);
  await alert(page);
});
screen('login/offline', async ({ page, context }) => {
  await open(page, '/voter');
  await fillIn(page, cast.sent.typed);
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await submit(page);
  await alert(page);
});
screen('login/signing in', async ({ page, baseURL }) => {
  await hold(page, calls.session);
  await tryToSignIn(page, cast.sent, baseURL);
});
screen('login/loading slowly', async ({ page, baseURL }) => {
  await page.clock.install();
  await hold(page, '**/api/voter/information');
  await tryToSignIn(page, cast.sent, baseURL);
  await page.locator('.loading').waitFor();
  await page.clock.fastForward('00:07');
});
screen('login/outage', async ({ page, baseURL }) => {
  const office = await openOffice(baseURL);
  await office.beacon('flag', 'set', 'voterOutage', 'on', '--account', office.subdomain);
  await open(page, `${office.url}/voter`);
  office.close();
});
screen('login/session expired', async (stage) => {
  await openDashboard(stage);
  await stage.context.clearCookies({ name: 'beacon_session' });
  await stage.page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  );
  await alert(stage.page);
});

for (const [state, member] of Object.entries({
  accepted: cast.accepted,
  sent: cast.sent,
  returned: cast.returned,
  'needs attention': cast.rejectedCurable,
  rejected: cast.rejected,
  undeliverable: cast.undeliverable,
  requested: cast.requested,
  reprinted: cast.reprinted,
  'two ballots': cast.twoBallots,
  'previous only': cast.pastOnly,
  'no ballot': cast.none,
  'long name': cast.longName,
} satisfies Record<string, CastMember>))
  screen(`dashboard/${state}`, (stage) => openDashboard(stage, member));
screen('dashboard/details', async (stage) => {
  await openDashboard(stage, cast.reprinted);
  await stage.page.locator('.timeline summary').click();
});
screen('dashboard/spanish', async (stage) => {
  await stage.context.addCookies([
    { name: 'language', value: 'spanish', url: stage.baseURL ?? '' },
  ]);
  await openDashboard(stage, cast.sent);
});
screen(
  'dashboard/voter’s details',
  async (stage) => {
    await openDashboard(stage);
    await stage.page.locator('.profile > .button').click();
  },
  false,
);
for (const tab of ['current', 'previous'] as const)
  screen(`dashboard/tabs, ${tab}`, async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    await office.beacon('flag', 'set', 'tabbedBallots', 'on', '--account', office.subdomain);
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await open(page, `${office.url}/voter/dashboard`);
    const title = { current: 'Current Mail Ballot Status', previous: 'Previous Mail Ballots' };
    await page.evaluate((name) => history.pushState({ tab: name }, ''), title[tab]);
    await page.waitForLoadState('networkidle');
    office.close();
  });
screen(
  'dashboard/idle warning',
  async (stage) => {
    await stage.page.clock.install();
    await openDashboard(stage);
    await stage.page.clock.fastForward('22:05');
    await stage.page.getByRole('dialog').waitFor();
  },
  false,
);

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
screen('preferences/saved, with all notices', async ({ page, baseURL }) => {
  const office = await openOffice(baseURL);
  await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
  await open(page, `${office.url}/voter/preferences`);
  await page.locator('#field-email').fill('ines@marlowe.example');
  await page.locator('#field-sms').fill('3525550188');
  await page.locator('#field-voice').fill('3525550189');
  await page.locator('#contact-preferences button[type="submit"]').click();
  await page.locator('.alert[data-type="success"]').waitFor();
  office.close();
});
screen(
  'preferences/opting out',
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    await signIn(page, { ...cast.sent, typed: office.typed }, office.url);
    await open(page, `${office.url}/voter/preferences`);
    await page.locator('#field-email').fill('ines@marlowe.example');
    await page.locator('#contact-preferences button[type="submit"]').click();
    await page.waitForURL('**/voter/dashboard');
    await page.getByRole('button', { name: 'OPT OUT OF ALL UPDATES' }).click();
    await page.getByRole('dialog').waitFor();
    office.close();
  },
  false,
);
screen('preferences/confirming the email failed', async ({ page, baseURL }) => {
  await signIn(page, cast.leapDay, baseURL);
  await open(page, '/voter/confirm-email?code=no-such-code');
  await page.getByRole('alert').getByRole('heading').waitFor();
});

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
    },
    false,
  );
for (const state of ['first page', 'empty', 'failed'] as const)
  screen(
    `dialogs/release notes, ${state}`,
    async (stage) => {
      const { page } = stage;
      if (state === 'failed') await refuse(page, calls.releaseNotes, 500, 'Internal Server Error');
      if (state === 'first page') await page.route(calls.releaseNotes, showNotes);
      await openDashboard(stage);
      await page.locator('footer').getByText('Release Notes').click();
      const words = {
        'first page': 'The page is in Spanish, too.',
        empty: 'No release notes available',
        failed: 'Apologies, we are having difficulties loading this page.',
      };
      await page.getByRole('dialog').getByText(words[state]).waitFor();
    },
    false,
  );

for (const name of ['privacy', 'faq', 'sms-policy'] as const)
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
  await page.getByRole('alert').waitFor();
});
screen('pages/unsubscribe, link cut short', ({ page }) => open(page, '/voter/unsubscribe'));
screen('pages/QR login', async ({ page, info }) => open(page, await printCode(info)));
screen('pages/QR login, no match', async ({ page, info }) => {
  await open(page, await printCode(info));
  await page.getByLabel('Date of birth').fill('01-01-1950');
  await page.getByRole('button', { name: 'Register / Log In' }).click();
  await page.locator('.field-error').waitFor();
});

/** Makes a code for a ballot of the demo. @returns path and query of what it says */
async function printCode(info: TestInfo): Promise<string> {
  const file = info.outputPath('codes.csv');
  const of = ['--account', 'demo', '--election', '217', '--voter', cast.sent.registrationId];
  await runCommand('.', ['qr', ...of, '--out', file]);
  const url = /http\S+guid=[\w-]+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Two pages of notes, as an office might publish. */
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
