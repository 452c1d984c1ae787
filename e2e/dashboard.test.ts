import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { asOfNow } from '../testing/demo-days.ts';
import { expectAutumnDays, shortDay } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { openOffice } from './office.ts';
import { comeFromElsewhere, open, signIn, signInByHand } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

const texts = readTexts('english');

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

/** One voter per status that the demo's files hold. */
const situations = {
  accepted: { look: 'complete', progress: 'COMPLETED' },
  sent: { look: 'progress', progress: 'Step 2 of 4' },
  returned: { look: 'progress', progress: 'Step 3 of 4' },
  rejectedCurable: { look: 'caution', progress: null },
  rejected: { look: 'halted', progress: null },
  undeliverable: { look: 'halted', progress: null },
  requested: { look: 'progress', progress: null },
  applicationReceived: { look: 'progress', progress: null },
  reprinted: { look: 'caution', progress: 'Step 1 of 4' },
  reversed: { look: 'halted', progress: null },
  backToSent: { look: 'progress', progress: 'Step 2 of 4' },
  inTransit: { look: 'progress', progress: 'Step 2 of 4' },
  delivered: { look: 'progress', progress: 'Step 2 of 4' },
  returnInTransit: { look: 'progress', progress: 'Step 2 of 4' },
} as const;

for (const [name, { look, progress }] of Object.entries(situations)) {
  const member: CastMember = cast[name as keyof typeof situations];
  const status = member.ballots[0]?.status ?? '';

  // Those with the most and the fewest parts, on both sizes.
  const isEverySize = name === 'accepted' || name === 'rejectedCurable' || name === 'requested';
  const sizes = isEverySize ? {} : once;
  test(
    `a voter reads where the ballot is and what to do: ${member.shows}`,
    sizes,
    async ({ page, baseURL }) => {
      await openDashboard(page, member, baseURL);
      const card = page.getByRole('article');
      await expect(card).toHaveCount(1);
      await expect(card.getByRole('heading', { level: 2 })).toHaveText(
        'Harbor County Special Election',
      );
      const since = card.locator('.ballot-since');
      if (status === 'requested') await expect(since).toHaveCount(0);
      else {
        await expect(since).toHaveText(
          /^Updated [A-Z][a-z]{2} \d{1,2} \((today|yesterday|\d+ days ago)\)$/,
        );
        await expectAutumnDays(since.locator('time'), { month: 'short', day: 'numeric' });
      }
      await expect(card).toHaveAttribute('data-look', look);
      await expect(card.locator('.ballot-chip')).toHaveText(texts[`status.${status}.name`] ?? '');
      const description = texts[`status.${status}.description`] ?? '';
      await expect(card.locator('.ballot-meaning')).toHaveText(
        status === 'accepted' ? `${description} ${texts['status.accepted.counting']}` : description,
      );
      const next =
        status === 'rejected-curable' ? 'fix.reason.signature-missing' : `status.${status}.next`;
      await expect(card.locator('.ballot-next')).toContainText(texts[next] ?? '');
      if (progress) await expect(card.locator('.ballot-progress')).toHaveText(progress);
      else await expect(card.locator('.ballot-progress')).toHaveCount(0);
    },
  );
}

for (const [name, reason] of [
  ['stopped', 'late'],
  ['stoppedReturn', 'not-received'],
] as const) {
  const member: CastMember = cast[name];
  test(
    `a voter reads what is known and what to do: ${member.shows}`,
    once,
    async ({ page, baseURL }) => {
      await openDashboard(page, member, baseURL);
      const box = page.getByRole('article').locator('.ballot-next');
      await expect(box).toContainText(texts[`stopped.${reason}`] ?? '');
      await expect(box).toHaveCount(1);
    },
  );
}

test('what the status means is the largest text on the page', async ({ page, baseURL }) => {
  await openDashboard(page, cast.sent, baseURL);
  const sizes = await page.evaluate(() => {
    const sizeOf = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    const meaning = document.querySelector('.ballot-meaning');
    const others = [...document.querySelectorAll('main :is(h1, h2, h3, p, span)')].filter(
      (element) => element !== meaning,
    );
    return { meaning: meaning ? sizeOf(meaning) : 0, largest: Math.max(...others.map(sizeOf)) };
  });
  expect(sizes.meaning).toBeGreaterThan(sizes.largest);
});

test('the ballot’s progress names each stop in words and shows where the ballot is', async ({
  page,
  baseURL,
}) => {
  await openDashboard(page, cast.sent, baseURL);
  const stops = page.getByRole('list', { name: "Your ballot's progress" }).getByRole('listitem');
  await expect(stops).toHaveCount(4);
  await expect(stops.nth(0)).toContainText('Printed');
  // No file said when.
  await expect(stops.nth(0).locator('.journey-note')).toHaveText('done');
  await expect(stops.nth(1)).toContainText('Sent');
  await expect(stops.nth(1)).toHaveAttribute('aria-current', 'step');
  await expect(stops.nth(2)).toContainText('not yet');
  await expect(stops.nth(3)).toContainText('not yet');
});

test('a ballot that was halted shows where its way ended', async ({ page, baseURL }) => {
  await openDashboard(page, cast.undeliverable, baseURL);
  const halted = page.locator('.journey-stop[data-look="halted"]');
  await expect(halted).toContainText('Undeliverable');
  await expect(halted).toHaveAttribute('aria-current', 'step');
});

test(
  'no stop’s name is broken in two, however wide the screen',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.undeliverable, baseURL);
    for (const width of [320, 390, 704, 760, 1024, 1100, 1152, 1160, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      const lines = await page.locator('.journey-name').evaluateAll((names) =>
        names.map((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        }),
      );
      expect(lines, `${width} pixels wide`).toEqual([1, 1, 1, 1, 1]);
    }
  },
);

test('Details unfolds every step with its date', async ({ page, baseURL }) => {
  await openDashboard(page, cast.accepted, baseURL);
  const details = page.getByRole('article').locator('details');
  await expect(details.getByRole('list')).toBeHidden();
  await details.locator('summary').click();
  await expect(details.getByRole('listitem')).toHaveCount(4);
  const last = details.getByRole('listitem').last().locator('time');
  await expect(last).toHaveCount(1);
  await expectAutumnDays(last, { dateStyle: 'short' });
});

test(
  'dates of the journey and the details are short in English, and name the month elsewhere',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.accepted, baseURL);
    await page.getByRole('article').locator('summary').click();
    const dates = page.locator('.journey-note time, .timeline-when time');
    // Sent, returned and accepted, in the journey and again in the details.
    await expect(dates).toHaveCount(6);
    await expectAutumnDays(dates, { dateStyle: 'short' });
    await chooseLanguage(page, 'spanish');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es-US');
    await expectAutumnDays(dates, { dateStyle: 'long' }, 'es-US');
  },
);

test(
  'a step is ticked once reached, with a date or without one, and open before',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const member = { ...cast.sent, typed: office.typed };
    const looks = async () => {
      await signIn(page, member, office.url, '/voter/dashboard');
      const steps = page.getByRole('article').locator('.timeline li');
      await expect(steps).toHaveCount(4);
      return steps.evaluateAll((items) =>
        items.map((item) => [
          (item as HTMLElement).dataset.look,
          item.querySelector('time') ? 'date' : 'no date',
        ]),
      );
    };
    expect(await looks()).toEqual([
      ['completed', 'no date'],
      ['completed', 'date'],
      ['incomplete', 'no date'],
      ['incomplete', 'no date'],
    ]);
    // The current step goes on: in the journey it is marked, and not ticked.
    await expect(page.locator('.journey-stop[aria-current] .journey-badge')).toHaveCount(0);
    await expect(page.locator('.journey-badge')).toHaveCount(1);

    await office.apply({ is_ballot_status_dates_visible: false });
    expect(await looks()).toEqual([
      ['completed', 'no date'],
      ['completed', 'no date'],
      ['incomplete', 'no date'],
      ['incomplete', 'no date'],
    ]);
    office.close();
  },
);

test('a ballot that was replaced says so among its details', once, async ({ page, baseURL }) => {
  await openDashboard(page, cast.reprinted, baseURL);
  const details = page.getByRole('article').locator('details');
  await details.locator('summary').click();
  await expect(details.getByRole('listitem').filter({ hasText: 'Reprinted' })).toHaveCount(1);
});

test(
  'Details shows the source of each step: an office record, a USPS scan with its time, an estimate',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.returned, baseURL);
    const details = page.getByRole('article').locator('details');
    await details.locator('summary').click();
    const line = (name: string) =>
      details.getByRole('listitem').filter({ hasText: new RegExp(`^\\s*${name}`) });
    await expect(line('Sent').first()).toContainText(`${shortDay('2026-10-30')} · Office record`);
    await expect(line('In the mail')).toHaveText(scanned('2026-10-30', '9:14'));
    await expect(line('Likely delivered')).toHaveText(scanned('2026-11-03', '1:20'));
    await expect(line('On its way back')).toHaveText(scanned('2026-11-17', '6:32'));
    // Three more scans of the same way tell nothing more.
    await expect(details.getByText('USPS scan')).toHaveCount(3);
    await expect(page.locator('.ballot-chip')).toHaveText('Returned');
  },
);

/** A scan of that time in the evening or afternoon, as Details names it. */
function scanned(day: string, time: string): RegExp {
  return new RegExp(`${shortDay(day)}, ${time}\\sPM · USPS scan`);
}

test('two ballots of two elections stand one below the other', async ({ page, baseURL }) => {
  await openDashboard(page, cast.twoBallots, baseURL);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.locator('.ballot-chip')).toHaveText(
    cast.twoBallots.ballots
      .filter((ballot) => ballot.isCurrent)
      .map(({ status }) => texts[`status.${status}.name`] ?? ''),
  );
});

test('previous ballots are listed with how they ended', async ({ page, baseURL }) => {
  await openDashboard(page, cast.pastOnly, baseURL);
  const past = page.getByRole('region', { name: 'Previous Mail Ballots' });
  await expect(past.getByRole('listitem')).toHaveCount(2);
  await expect(past.locator('[data-look="rejected"]')).toContainText(
    `${asOfNow('2026-11-03').slice(0, 4)} General Election`,
  );
  await expect(past.locator('[data-look="accepted"]')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'No Current Mail Ballot Status' })).toBeVisible();
});

test(
  'a previous ballot whose election has no name is listed by its status',
  once,
  async ({ page, baseURL }) => {
    await page.route('**/api/voter/archive-ballot**', async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      for (const ballot of json._embedded.ballot) ballot.election_name = '';
      await route.fulfill({ response: answer, json });
    });
    await openDashboard(page, cast.sent, baseURL);
    await expect(page.locator('.past-election')).toHaveText(['Accepted']);
  },
);

test(
  'a voter without a ballot sees a message and no empty list',
  once,
  async ({ page, baseURL }) => {
    const asked = page.waitForResponse((response) => response.url().includes('archive-ballot'));
    await openDashboard(page, cast.none, baseURL);
    const words = page.locator('.no-ballot');
    await expect(words.getByRole('heading')).toHaveText('No Current Mail Ballot Status');
    await expect(words.locator('p')).toHaveText(
      "You may be new to Ballot Beacon, or you may not have an active election right now. When your mail ballot is being prepared, you'll see it here.",
    );
    expect(await (await asked).json()).toMatchObject({ _embedded: { ballot: [] } });
    await expect(page.getByRole('heading', { name: 'Previous Mail Ballots' })).toHaveCount(0);
  },
);

test(
  'a voter of a county with tokens sees that county’s ballot',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.token, baseURL);
    await expect(page.locator('.ballot-chip')).toHaveText('Accepted');
    await expect(page.locator('.top-bar')).toContainText('Silver Lake County');
  },
);

test('the page says how fresh its news is', once, async ({ page, baseURL }) => {
  await openDashboard(page, cast.sent, baseURL);
  await expect(page.locator('.as-of')).toContainText(
    /Last updated by \u2068Harbor County\u2069 [A-Z][a-z]{2} \d{1,2}, \d{1,2}:\d{2}/,
  );
});

test(
  'the first paint needs no call: the ballot is in the page itself',
  once,
  async ({ page, baseURL, request }) => {
    await openDashboard(page, cast.sent, baseURL);
    const cookie = (await page.context().cookies())
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const answer = await request.get('/voter/dashboard', { headers: { cookie } });
    const html = await answer.text();
    expect(html).toContain(texts['status.sent.description']);
    const [, bootstrap = ''] = /<script[^>]*id="bootstrap"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
    expect(JSON.parse(bootstrap).bootstrap).toMatchObject({
      branding: { county: 'Harbor County' },
      language_file: { language: 'english' },
      critical: {
        voter: { lastname: cast.sent.typed.lastname },
        progress: { ballots: [{ status_summary: { current_status: { status: 'sent' } } }] },
        delivery_types: { _embedded: { delivery_type: expect.any(Array) } },
      },
    });
    expect(answer.headers()['cache-control']).toBe('no-store');
  },
);

test(
  'another language brings the ballot’s words in that language',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.sent, baseURL);
    await page.locator('.language-menu summary').click();
    await page.getByRole('link', { name: 'Español' }).click();
    const spanish = readTexts('spanish');
    await expect(page.locator('.ballot-meaning')).toHaveText(
      spanish['status.sent.description'] ?? '',
    );
    // The words are others, and nothing is new.
    await expect(page.locator('.dashboard-main [role="status"]').first()).toHaveText('');
    await page.reload();
    await expect(page.locator('.ballot-meaning')).toHaveText(
      spanish['status.sent.description'] ?? '',
    );
  },
);

test(
  'after logging out nothing of the voter is left, not by the back button either',
  once,
  async ({ page, baseURL }) => {
    await openDashboard(page, cast.sent, baseURL);
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await expect(page.locator('[name="lastname"]')).toHaveValue('');
    await page.goBack();
    await expect(page.locator('.ballot')).toHaveCount(0);
    await expect(page.getByText(cast.sent.typed.lastname)).toHaveCount(0);
    await page.goto('/voter/dashboard');
    await expect(page).toHaveURL(/\/voter\/?$/);
  },
);

test(
  'a visitor who is not signed in is led from the dashboard to the first page',
  once,
  async ({ page }) => {
    await page.goto('/voter/dashboard');
    await expect(page).toHaveURL(/\/voter\/?$/);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

test('one voter after another sees only the own ballot', once, async ({ page, baseURL }) => {
  await openDashboard(page, cast.sent, baseURL);
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await signInByHand(page, cast.rejected, baseURL);
  await open(page, '/voter/dashboard');
  await expect(page.locator('.ballot-chip')).toHaveText('Rejected');
  await expect(page.getByText(cast.sent.typed.firstname)).toHaveCount(0);
});

async function openDashboard(page: Page, member: CastMember, baseURL: string | undefined) {
  await signIn(page, member, baseURL, '/voter/dashboard');
}

function readTexts(language: string): Record<string, string> {
  const file = new URL(`../locales/${language}/main.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
}
