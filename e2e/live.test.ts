import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { asOfNow } from '../testing/demo-days.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, fillIn, open, signIn, submit } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

const live = '/api/voter/live';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

test(
  'an open dashboard shows a new status within two seconds of its commit, and says so',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    try {
      const stream = page.waitForResponse((response) => response.url().endsWith(live));
      await openDashboard(page, office);
      expect((await stream).status()).toBe(200);
      const chip = page.locator('.ballot-chip');
      const said = page.locator('.dashboard-main [role="status"]').first();
      await expect(chip).toHaveText('Sent');
      await expect(said).toHaveText('');

      await importBallot(office, asOfNow('2,M-1,Accepted,11/01/2026,11/20/2026,1,,,,FALSE,FALSE'));
      // The command ends after its commit.
      await expect(chip).toHaveText('Accepted', { timeout: 2_000 });
      await expect(said).toHaveText("Your ballot's status changed: Accepted");
      await expect(page).toHaveTitle(/^Accepted/);
    } finally {
      office.close();
    }
  },
);

test(
  'a ballot that comes beside another is shown, and not said to have changed',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    try {
      const stream = page.waitForResponse((response) => response.url().endsWith(live));
      await openDashboard(page, office);
      await stream;
      const of = ['--account', office.subdomain, '--number', '3', '--active', 'true'];
      const when = ['--name', 'Runoff Election', '--date', asOfNow('2026-12-20')];
      await office.beacon('election', 'set', ...of, ...when);
      await importBallot(office, asOfNow('3,M-1,Outbound,11/01/2026,,1,,,,FALSE,FALSE'));
      await expect(page.locator('.ballot-chip')).toHaveText(['Sent', 'Sent']);
      await expect(page.locator('.dashboard-main [role="status"]').first()).toHaveText('');
    } finally {
      office.close();
    }
  },
);

test(
  'a new status comes, in the language chosen last, also after the clock of the device was put back',
  once,
  async ({ page, context, baseURL }) => {
    const office = await openOffice(baseURL);
    try {
      await context.clock.install({ time: Date.now() + 86_400_000 });
      await openDashboard(page, office);
      await page.clock.setSystemTime(Date.now());
      await chooseLanguage(page, 'spanish');
      const chip = page.locator('.ballot-chip');
      await expect(chip).toHaveText('Enviada');
      await importBallot(office, asOfNow('2,M-1,Accepted,11/01/2026,11/20/2026,1,,,,FALSE,FALSE'));
      await expect(chip).toHaveText('Aceptada');
    } finally {
      office.close();
    }
  },
);

test(
  'a page that gets no stream looks every minute, in sight alone, and asks for one again',
  once,
  async ({ page, baseURL }) => {
    // It had one, without news, which the server then ends.
    let streams = 0;
    await page.route(`**${live}`, async (route) => {
      streams += 1;
      if (streams > 1) return route.fulfill({ status: 204 });
      const ballots = await page.request.get('/api/voter/ballot-status-progress/me');
      const event = JSON.stringify({ as_of: (await ballots.json()).as_of });
      return route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 1\ndata: ${event}\n\n`,
      });
    });
    await page.clock.install();
    const looks = countLooks(page);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expect.poll(() => streams).toBe(2);
    await page.clock.runFor(30_000);
    expect(looks.count).toBe(0);
    await page.clock.runFor(31_000);
    await expect.poll(() => looks.count).toBe(1);
    await page.clock.runFor(60_000);
    await expect.poll(() => looks.count).toBe(2);
    // The server had no room: five minutes later it may have some.
    await page.clock.runFor(180_000);
    await expect.poll(() => streams).toBe(3);
  },
);

test(
  'what changed between a page and its stream is fetched at once, and what many fetch at a moment of its own',
  once,
  async ({ page, baseURL }) => {
    let streams = 0;
    const later = { within_ms: 40_000 };
    const events = [{ as_of: new Date().toISOString() }, later, later];
    const { promise: isLater, resolve: sayAgain } = Promise.withResolvers<void>();
    await page.route(`**${live}`, async (route) => {
      const event = events[streams];
      streams += 1;
      if (streams === 3) await isLater;
      if (!event) return route.fulfill({ status: 204 });
      return route.fulfill({
        contentType: 'text/event-stream',
        body: `retry: 1\ndata: ${JSON.stringify(event)}\n\n`,
      });
    });
    await page.addInitScript(() => {
      Math.random = () => 0.5;
    });
    await page.clock.install();
    const looks = countLooks(page);
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await expect.poll(() => streams).toBe(3);
    await page.clock.runFor(1_000);
    await expect.poll(() => looks.count).toBe(1);
    await page.clock.runFor(9_000);
    // What comes until then is fetched with it.
    sayAgain();
    await expect.poll(() => streams).toBe(4);
    await page.clock.runFor(6_000);
    expect(looks.count).toBe(1);
    await page.clock.runFor(5_000);
    await expect.poll(() => looks.count).toBe(2);
    await page.clock.runFor(12_000);
    // Answered after all that the page asked for before.
    await page.evaluate(async () => void (await fetch('/voter/favicon.svg')));
    expect(looks.count).toBe(2);
  },
);

test(
  'the stream ends with the dashboard, with the session, and while the device is offline',
  once,
  async ({ page, context, baseURL, expectConsole }) => {
    expectConsole(/ERR_INTERNET_DISCONNECTED/);
    const ended = () =>
      page.waitForEvent('requestfailed', (request) => request.url().endsWith(live));
    const begun = () => page.waitForResponse((response) => response.url().endsWith(live));
    let streams = 0;
    page.on('request', (request) => {
      if (request.url().endsWith(live)) streams += 1;
    });
    const first = begun();
    await signIn(page, cast.sent, baseURL, '/voter/dashboard');
    await first;

    const lost = ended();
    await context.setOffline(true);
    await lost;
    // The browser complains of this request. Of the stream it may not, where the page ends that first.
    await page.evaluate(() => fetch('/voter/favicon.svg').catch(() => {}));
    expect(streams).toBe(1);
    const found = begun();
    await context.setOffline(false);
    await found;

    const left = ended();
    await page.getByRole('link', { name: 'Alerts' }).first().click();
    await left;

    const second = begun();
    await page.getByRole('link', { name: 'My ballot' }).first().click();
    await second;
    const loggedOut = ended();
    await page.locator('.top-bar').getByRole('button', { name: 'Log out' }).click();
    await loggedOut;
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  },
);

/** How often the page asks for its ballots from now on. */
function countLooks(page: Page): { readonly count: number } {
  const looks = { count: 0 };
  page.on('request', (request) => {
    if (request.url().includes('/ballot-status-progress/')) looks.count += 1;
  });
  return looks;
}

async function openDashboard(page: Page, office: Office): Promise<void> {
  await open(page, `${office.url}/voter`);
  await fillIn(page, office.typed);
  await submit(page);
  await page.getByRole('link', { name: 'See my ballot' }).click();
}

async function importBallot(office: Office, line: string): Promise<void> {
  const header =
    'ElectionNumber,VoterID,BallotStatus,MailedDate,ReturnedDate,VbmRequestPrecinct,VbmParty,RejectionReason,RejectionDescription,IsReinstated,IsSignatureRelatedReason';
  const file = office.write('news.csv', `${header}\n${line}\n`);
  const of = ['--account', office.subdomain, '--format', 'voter-focus-ballots'];
  await office.beacon('import', file, ...of);
}
