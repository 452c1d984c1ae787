import type { Page } from '@playwright/test';
import { cast } from '../demo/cast.ts';
import { expectNoBarriers } from './barriers.ts';
import { inDays } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, open, signIn, signInByHand } from './sign-in.ts';
import { chooseLanguage } from './voter-steps.ts';

let office: Office;
const member = () => ({ ...cast.sent, typed: office.typed });
const rollHeader = 'registration_id,firstname,lastname,birthdate,address,city,state,zipcode,county';
/** Invented, as all voters here: of another county at the same office, and without a ballot. */
const neighborsRow = 'M-2,Otis,Fenner,1975-07-09,3 Mill Road,Fenner Landing,FL,32002,Fenner';
const neighbor = {
  firstname: 'Otis',
  lastname: 'Fenner',
  zipcode: '32002',
  birthdate: '07-09-1975',
};
const changed = new Set<string>();
let hasOwnSettings = false;

async function set(flag: string, ...value: readonly string[]): Promise<void> {
  changed.add(flag);
  await office.beacon('flag', 'set', flag, ...value, '--account', office.subdomain);
}

/** Lets the page ask for its flags until it shows them: a server looks for changes of an office's content twice a second. */
async function afterAsking(page: Page, look: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward('01:05');
    await look();
  }).toPass();
}
const soon = { timeout: 1_000 };

test.beforeAll(async ({ baseURL }) => {
  test.setTimeout(120_000);
  office = await openOffice(baseURL);
  const roll = office.write('neighbor.csv', `${rollHeader}\n${neighborsRow}\n`);
  await office.beacon('import', roll, '--account', office.subdomain, '--format', 'beacon-voters');
});
test.afterAll(() => office.close());

test.beforeEach(async ({ page, context }) => {
  test.setTimeout(60_000);
  await comeFromElsewhere(page);
  await context.clock.install();
});
test.afterEach(async () => {
  for (const flag of changed) await set(flag, 'default');
  changed.clear();
  if (hasOwnSettings) await office.apply({});
  hasOwnSettings = false;
});

test('the outage banner comes and goes while the login stands open', once, async ({ page }) => {
  await open(page, `${office.url}/voter`);
  await page.clock.fastForward('00:05');
  await expect(page.locator('.outage')).toHaveCount(0);
  await page.getByLabel('Last name').fill('Half typed');

  await set('voterOutage', 'on');
  const banner = page.locator('.outage');
  await afterAsking(page, () =>
    expect(banner).toContainText("We're sorry. This site is very busy right now", soon),
  );
  await expect(banner).toContainText('Please try again later, or email');
  await expect(banner).toContainText('help@marlowe.example');
  await expect(page.getByLabel('Last name')).toHaveValue('Half typed');
  await expectNoBarriers(page);

  await set('voterOutage', 'off');
  await afterAsking(page, () => expect(banner).toHaveCount(0, soon));
});

test('each of the three flags gates a part of the page of its own', once, async ({ page }) => {
  await expectThreeParts(page, { outage: false, tabs: false, expected: true });
  await set('voterOutage', 'on');
  await expectThreeParts(page, { outage: true, tabs: false, expected: true });
  await set('tabbedBallots', 'on');
  await expectThreeParts(page, { outage: true, tabs: true, expected: true });
  await set('voterUiEstimatedDeliveryDate', 'off');
  await expectThreeParts(page, { outage: true, tabs: true, expected: false });
});

test(
  'the language of the cookie and a flag that is on are there with the first paint',
  once,
  async ({ page, context }) => {
    await set('voterOutage', 'on');
    const read = async () => (await (await page.goto(`${office.url}/voter`))?.text()) ?? '';
    expect(await read()).toContain('This site is very busy right now');
    await context.addCookies([{ name: 'language', value: 'spanish', url: office.url }]);
    const spanish = await read();
    expect(spanish).toMatch(/<html[^>]* lang="es-US"/);
    expect(spanish).toContain('class="outage');
    expect(spanish).not.toContain('This site is very busy right now');
  },
);

test('the ballots turn into tabs and back while the dashboard stands open', async ({
  page,
  isMobile,
}) => {
  await signIn(page, member(), office.url, '/voter/dashboard');
  await page.clock.fastForward('00:05');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Current Mail Ballot Status');
  await expect(page.getByRole('heading', { name: 'Previous Mail Ballots' })).toBeVisible();

  await set('tabbedBallots', 'on');
  const chooser = isMobile
    ? page.getByRole('combobox', { name: 'Ballots to show' })
    : page.getByRole('tablist', { name: 'Ballots to show' });
  await afterAsking(page, () => expect(chooser).toBeVisible(soon));
  await expect(page.getByText('Spring Election')).toBeHidden();

  await set('tabbedBallots', 'default');
  await afterAsking(page, () => expect(chooser).toHaveCount(0, soon));
  await expect(page.getByText('Spring Election')).toBeVisible();
});

test(
  'a push of the history that names a tab’s title shows it, and back leads to the one before',
  once,
  async ({ page }) => {
    await set('tabbedBallots', 'on');
    await signIn(page, member(), office.url, '/voter/dashboard');
    const [current, previous] = [
      page.getByText('Winter Election'),
      page.getByText('Spring Election'),
    ];
    await expect(current).toBeVisible();
    await expect(previous).toBeHidden();
    await page.evaluate(() => history.pushState({ tab: 'Previous Mail Ballots' }, ''));
    await expect(previous).toBeVisible();
    await expect(current).toBeHidden();
    await page.goBack();
    await expect(current).toBeVisible();
    await page.goForward();
    await expect(previous).toBeVisible();
    await page.reload();
    await expect(previous).toBeVisible();
  },
);

test('back leads to the tab chosen before another language', once, async ({ page }) => {
  await set('tabbedBallots', 'on');
  const previous = page.getByText('Spring Election');
  const choose = page.locator('#tab-choice');
  const inProfile = async () => {
    await page.locator('.profile > button').click();
    const actions = page.locator('.profile-actions');
    await actions.getByRole('button', { name: 'Previous Mail Ballots' }).click();
  };
  for (const choosePrevious of [() => choose.selectOption('previous'), inProfile]) {
    await signIn(page, member(), office.url, '/voter/dashboard?language=english');
    await choosePrevious();
    await expect(previous).toBeVisible();
    await chooseLanguage(page, 'spanish');
    await expect(page.locator('html')).toHaveAttribute('lang', /^es/);
    await expect(previous).toBeVisible();
    await choose.selectOption('current');
    await expect(previous).toBeHidden();
    await page.goBack();
    await expect(previous).toBeVisible();
    await expect(choose).toHaveValue('previous');
    await page.reload();
    await expect(previous).toBeVisible();
  }
});

test(
  'without previous ballots the page shows nothing of them, and a tab of their own says so',
  once,
  async ({ page }) => {
    const nobody = { ...member(), typed: neighbor };
    await signIn(page, nobody, office.url, '/voter/dashboard');
    await page.waitForLoadState('networkidle');
    await expect(page.locator('.no-ballot')).toBeVisible();
    await expect(page.locator('main').getByText('Previous Mail Ballots')).toHaveCount(0);
    await expect(page.locator('.past, .past-none')).toHaveCount(0);

    await set('tabbedBallots', 'on');
    await signIn(page, nobody, office.url, '/voter/dashboard');
    await page.evaluate(() => history.pushState({ tab: 'Previous Mail Ballots' }, ''));
    await expect(page.getByText('You have no previous mail ballots on record.')).toBeVisible();
    await expect(page.locator('.past')).toHaveCount(0);
  },
);

test('the tabs are chosen by hand and by keyboard', async ({ page, isMobile }) => {
  await set('tabbedBallots', 'on');
  await signIn(page, member(), office.url, '/voter/dashboard');
  const previous = page.getByText('Spring Election');
  if (isMobile) {
    const choice = page.getByRole('combobox', { name: 'Ballots to show' });
    await choice.selectOption('Previous Mail Ballots');
    await expect(previous).toBeVisible();
    await choice.selectOption('Current Mail Ballot Status');
    await expect(previous).toBeHidden();
    // Chosen here, it stays where it is; chosen in the profile, it comes into sight.
    await page.locator('.profile > button').click();
    const actions = page.locator('.profile-actions');
    await actions.getByRole('button', { name: 'Current Mail Ballot Status' }).click();
    await expect(page.locator('.dashboard-main')).toBeFocused();
  } else {
    await page.getByRole('tab', { name: 'Current Mail Ballot Status' }).focus();
    for (const arrow of ['ArrowRight', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(arrow);
    await expect(page.getByRole('tab', { name: 'Previous Mail Ballots' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(previous).toBeVisible();
    await page.getByRole('tab', { name: 'Current Mail Ballot Status' }).click();
  }
  await expect(previous).toBeHidden();
  await expectNoBarriers(page);
});

test(
  'the expected days of delivery show by the flag, as a range of two days more',
  once,
  async ({ page }) => {
    await expectBallotSoon(page);
    await signInByHand(page, member(), office.url);
    await page.evaluate(() => history.pushState(null, '', '/voter/dashboard'));
    const expected = page.locator('.ballot-expected');
    await expect(expected).toContainText(
      `Expected in your mailbox between ${inDays(1).words} and ${inDays(3).words}`,
    );

    await set('voterUiEstimatedDeliveryDate', 'off');
    await afterAsking(page, () => expect(expected).toHaveCount(0, soon));
  },
);

test(
  'a flag can be on for one county’s voters alone, from their signing in',
  once,
  async ({ page }) => {
    const definition = office.write(
      'flag.json',
      JSON.stringify({
        state: 'ENABLED',
        variants: { on: true, off: false },
        defaultVariant: 'off',
        targeting: { if: [{ '==': [{ var: 'targetingKey' }, 'voter:FL:Marlowe'] }, 'on', 'off'] },
      }),
    );
    for (const flag of ['tabbedBallots', 'voterOutage'])
      await set(flag, '--definition', definition);
    await open(page, `${office.url}/voter`);
    await page.clock.fastForward('00:05');
    await expect(page.locator('.outage')).toHaveCount(0);
    await signInByHand(page, member(), office.url);
    await open(page, `${office.url}/voter/dashboard`);
    await expect(page.locator('.ballot-tabs')).toBeVisible();

    // The next one at the same office is on the roll of another county.
    await page.context().clearCookies();
    await signInByHand(page, { ...member(), typed: neighbor }, office.url);
    await open(page, `${office.url}/voter/dashboard`);
    await expect(page.getByRole('button', { name: /Otis .*Fenner/ })).toBeVisible();
    await page.clock.fastForward('00:05');
    await page.waitForLoadState('networkidle');
    await expect(page.locator('.ballot-tabs')).toHaveCount(0);
    await expect(page.locator('.outage')).toHaveCount(0);
  },
);

test(
  'a flag service that is down changes nothing and is no error',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/ERR_CONNECTION_REFUSED|status of 503/);
    await set('voterOutage', 'on');
    let asked = 0;
    await page.route('**/ofrep/**', (route) => {
      asked += 1;
      return asked % 2 ? route.abort('connectionrefused') : route.fulfill({ status: 503 });
    });
    await expect(async () => {
      await open(page, `${office.url}/voter`);
      await expect(page.locator('.outage')).toBeVisible(soon);
    }).toPass();
    for (const count of [1, 2]) {
      await page.clock.fastForward('01:05');
      await expect.poll(() => asked).toBeGreaterThanOrEqual(count);
    }
    await expect(page.locator('.outage')).toBeVisible();
    await expect(page.locator('.alert')).toHaveCount(0);
  },
);

test(
  'without an answer on whose flags to ask for, the own host is asked',
  once,
  async ({ page, expectConsole }) => {
    expectConsole(/status of 500/);
    const lines: string[] = [];
    page.on('console', (message) => message.type() === 'info' && lines.push(message.text()));
    await page.route('**/api/ldclient.php', (route) => route.fulfill({ status: 500 }));
    // The journey before may have left its flag on.
    await expect(async () => {
      await open(page, `${office.url}/voter`);
      await expect(page.locator('.outage')).toHaveCount(0, soon);
    }).toPass();
    const shown = await page.locator('body').innerText();
    const asked = page.waitForResponse((response) => response.url().includes('/ofrep/'));
    await page.clock.fastForward('00:05');
    expect((await asked).status()).toBe(200);
    expect(lines).toContain('Could not ask for the client id of the flags');
    expect(await page.locator('body').innerText()).toBe(shown);
  },
);

test(
  'an office with LaunchDarkly gets its flags from there, without naming any voter',
  once,
  async ({ page }) => {
    await office.apply({ launchdarkly_client_id: '0123456789abcdef01234567' });
    hasOwnSettings = true;
    const contexts: string[] = [];
    let isOutage = true;
    await page.route(/launchdarkly[.]com/, async (route) => {
      const { url, context } = await readLaunchDarkly(route.request().url());
      contexts.push(context);
      const flag = (value: boolean) => ({ version: 1, flagVersion: 1, value, variation: 0 });
      const flags = JSON.stringify({ voterOutage: flag(isOutage), tabbedBallots: flag(false) });
      const isStream = new URL(url).host.startsWith('clientstream');
      await route.fulfill({
        contentType: isStream ? 'text/event-stream' : 'application/json',
        body: isStream ? `event: put\ndata: ${flags}\n\n` : flags,
        headers: { 'access-control-allow-origin': '*' },
      });
    });
    await open(page, `${office.url}/voter`);
    await page.clock.fastForward('00:05');
    await expect(page.locator('.outage')).toBeVisible();
    expect(contexts.join()).toContain('"key":"anonymous"');
    // The stream begins anew, and brings what was changed meanwhile.
    isOutage = false;
    await page.clock.fastForward('01:00');
    await expect(page.locator('.outage')).toHaveCount(0);
    await signInByHand(page, member(), office.url);
    await expect.poll(() => contexts.join()).toContain('"key":"voter:FL:Marlowe"');
    const [, ofVoter = ''] = /({[^{}]*"voter:FL:Marlowe"[^{}]*})/.exec(contexts.join()) ?? [];
    expect(JSON.parse(ofVoter)).toEqual({
      ...{ kind: 'user', key: 'voter:FL:Marlowe', state: 'FL', county: 'Marlowe' },
    });
    expect(contexts.join()).not.toMatch(/Ines|Marlowe,|1975/);
  },
);

/** LaunchDarkly's addresses end in the context as base64 of JSON. */
async function readLaunchDarkly(url: string): Promise<{ url: string; context: string }> {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  return { url, context: Buffer.from(last, 'base64url').toString() };
}

/** Has the ballot expected in the mailbox, as a scan of the post office would. */
async function expectBallotSoon(page: Page): Promise<void> {
  await page.route('**/api/voter/ballot-status-progress/me**', async (route) => {
    // Only the browser finds every name below localhost.
    const url = new URL(route.request().url());
    const { host } = url;
    url.hostname = 'localhost';
    const headers = { ...(await route.request().allHeaders()), host };
    const answer = await route.fetch({ url: url.href, headers });
    const progress = await answer.json();
    for (const ballot of progress.ballots)
      ballot.status_summary.current_status.outbound_expected_delivery_date = inDays(1).iso;
    await route.fulfill({ response: answer, json: progress });
  });
}

/** Signs in anew and looks at what each flag gates. */
async function expectThreeParts(
  page: Page,
  parts: { outage: boolean; tabs: boolean; expected: boolean },
): Promise<void> {
  await page.context().clearCookies();
  await page.unrouteAll();
  await expectBallotSoon(page);
  await open(page, `${office.url}/voter`);
  await expect(page.locator('.outage')).toHaveCount(parts.outage ? 1 : 0);
  await signInByHand(page, member(), office.url);
  await page.evaluate(() => history.pushState(null, '', '/voter/dashboard'));
  await expect(page.locator('.ballot')).toBeVisible();
  await expect(page.locator('.ballot-tabs')).toHaveCount(parts.tabs ? 1 : 0);
  await expect(page.locator('.ballot-expected')).toHaveCount(parts.expected ? 1 : 0);
}
