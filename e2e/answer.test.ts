import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type CastMember, cast } from '../demo/cast.ts';
import { asOfNow } from '../testing/demo-days.ts';
import { expectNoBarriers } from './barriers.ts';
import { inCounty, inDays, nameDay } from './days.ts';
import { expect, once, test } from './fixtures.ts';
import { type Office, openOffice } from './office.ts';
import { comeFromElsewhere, open, signIn, signInByHand } from './sign-in.ts';
import { answerOnceAt, goOnTo } from './voter-steps.ts';

test.beforeEach(async ({ page }) => comeFromElsewhere(page));

/** When the office that a journey opens has mailed its voter's ballot. */
const mailed = asOfNow('2026-11-01');

for (const name of ['rejectedCurable', 'rejected', 'undeliverable'] as const)
  test(
    `the box that says what to do has the office's phone and its hours: ${name}`,
    name === 'rejected' ? {} : once,
    async ({ page, baseURL }) => {
      await signIn(page, cast[name], baseURL, '/voter/dashboard');
      const box = page.locator('.ballot-next');
      const call = box.getByRole('link', { name: 'Call (850) 555-0100' });
      await expect(call).toHaveAttribute('href', 'tel:+18505550100');
      await expect(box).toContainText('Phone hours: Mon–Fri 8:00 AM–5:00 PM');
      const [inner, outer] = [await call.boundingBox(), await box.boundingBox()];
      expect(inner?.width).toBeGreaterThan((outer?.width ?? 0) - 80);
      await expect(page.locator('.return-deadline')).toHaveCount(0);
    },
  );

test(
  'the box of a cancelled ballot has the office’s phone too',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL, {
      phone_hours: [
        { days: 'mon-fri', open: '09:00', close: '16:00' },
        { days: 'sat', open: '10:00', close: '12:00' },
      ],
    });
    await importBallot(office, `cancelled,${mailed},${asOfNow('2026-11-20')},`);
    await signIn(page, memberOf(office), baseURL, '/voter/dashboard');
    const box = page.locator('.ballot-next');
    await expect(box.getByRole('link', { name: 'Call (352) 555-0123' })).toHaveAttribute(
      'href',
      'tel:+13525550123',
    );
    await expect(box).toContainText('Phone hours: Mon–Fri 9:00 AM–4:00 PM; Sat 10:00 AM–12:00 PM');
    office.close();
  },
);

test('directly under the headline it says when the ballot will come, or that it is late', async ({
  page,
  baseURL,
}) => {
  const office = await openOffice(baseURL);
  const expected = page.locator('.ballot-expected');
  await importBallot(office, `sent,${mailed},${mailed},${inDays(1).iso}`);
  await signIn(page, memberOf(office), baseURL, '/voter/dashboard');
  await expect(expected).toContainText(
    `Expected in your mailbox between ${inDays(1).words} and ${inDays(3).words}`,
  );
  const ends = await page.locator('.ballot-meaning').boundingBox();
  const begins = await expected.boundingBox();
  const gap = (begins?.y ?? 0) - (ends?.y ?? 0) - (ends?.height ?? 0);
  expect(Math.abs(gap - 24), 'pixels between headline and day, 0 to 48').toBeLessThanOrEqual(24);

  // On the last of its days it is not late yet.
  await importBallot(office, `sent,${mailed},${mailed},${inDays(-2).iso}`);
  await page.reload();
  await expect(expected).toContainText(
    `Expected in your mailbox between ${inDays(-2).words} and ${inDays(0).words}`,
  );

  await importBallot(office, `sent,${mailed},${mailed},${inDays(-4).iso}`);
  await page.reload();
  await expect(expected).toContainText(
    `Later than expected: it should have been in your mailbox by ${inDays(-2).words}.`,
  );
  office.close();
});

test('a ballot that needs no call has no button for one', once, async ({ page, baseURL }) => {
  await signIn(page, cast.sent, baseURL, '/voter/dashboard');
  await expect(page.locator('.ballot-call')).toHaveCount(0);
});

test(
  'a page that is open when the time to return a ballot ends no longer asks to send it back',
  once,
  async ({ page, context, baseURL }) => {
    const lastDay = asOfNow('2026-12-08');
    await context.clock.install();
    await answerOnceAt(page, inCounty(lastDay, '18:55'));
    await signInByHand(page, cast.sent, baseURL);
    await goOnTo(page, 'My ballot');
    await expect(page.locator('.return-deadline')).toContainText('Today is the last day');
    await expect(page.locator('.ballot-next')).toContainText('send it back early');
    await page.clock.fastForward('06:00');
    await expect(page.locator('.return-deadline')).not.toContainText('Today is the last day');
    await expect(page.locator('.ballot-next')).toHaveCount(0);
  },
);

test('a voter who has the ballot reads by when and where to return it, and takes it to a calendar', async ({
  page,
  baseURL,
}) => {
  const office = await openOffice(baseURL);
  const electionDay = inDays(30);
  const announce = (day: string, ...options: string[]) =>
    office.beacon(
      ...['election', 'set', '--account', office.subdomain, '--number', '2'],
      ...['--name', 'Winter Election', '--date', day, '--active', 'true', ...options],
    );
  const member = memberOf(office);
  await signIn(page, member, baseURL, '/voter/dashboard');
  const deadline = page.locator('.return-deadline');
  await expect(page.locator('.ballot')).toBeVisible();
  await expect(deadline).toHaveCount(0);

  await announce(
    ...[electionDay.iso, '--return-rule', 'received', '--return-by', `${electionDay.iso} 19:00`],
    ...['--return-place', 'Courthouse, Room 4'],
  );
  await page.reload();
  await expect(deadline).toContainText(
    `Your ballot must be back at the election office by ${electionDay.words}, 7:00 PM.`,
  );
  await expect(deadline).toContainText('30 days left');
  await expect(deadline).toContainText('Return it to: Courthouse, Room 4');
  const downloading = page.waitForEvent('download');
  const link = deadline.getByRole('link', { name: 'Add to calendar' });
  // The entry is in the language of the page.
  await expect(link).toHaveAttribute('href', /\bdeadline=return&language=english$/);
  await link.click();
  const entry = await downloading;
  expect(entry.suggestedFilename()).toBe('ballot.ics');
  expect(readFileSync(await entry.path(), 'utf8')).toContain(
    `DTSTART;VALUE=DATE:${electionDay.iso.replaceAll('-', '')}`,
  );

  await announce(electionDay.iso, '--return-rule', 'postmarked', '--return-by', electionDay.iso);
  await page.reload();
  await expect(deadline).toContainText(`Your ballot must be postmarked by ${electionDay.words}.`);
  await expectNoBarriers(page);
  // Between the headline and the picture.
  const top = async (selector: string) =>
    (await page.locator(selector).first().boundingBox())?.y ?? 0;
  expect(await top('.ballot-meaning')).toBeLessThan(await top('.return-deadline'));
  expect(await top('.return-deadline')).toBeLessThan(await top('.ballot-next'));

  // Whose ballot was made anew has to send that one back in time.
  await importBallot(office, `reprinted,${mailed},${inDays(0).iso},`);
  await page.reload();
  await expect(deadline).toContainText(`Your ballot must be postmarked by ${electionDay.words}.`);
  office.close();
});

test(
  'a voter whose application was approved reads by when the ballot will have to be back',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    const day = inDays(30);
    await office.beacon(
      ...['election', 'set', '--account', office.subdomain, '--number', '3', '--active', 'true'],
      ...['--name', 'Later Election', '--date', day.iso],
      ...['--return-rule', 'postmarked', '--return-by', day.iso],
    );
    const header = 'registration_id,election,application_status,decided_on';
    const file = office.write('applications.csv', `${header}\nM-1,3,approved,${mailed}\n`);
    await office.beacon(
      ...['import', file, '--account', office.subdomain, '--format', 'beacon-applications'],
    );
    await signIn(page, memberOf(office), baseURL, '/voter/dashboard');
    const card = page.getByRole('article', { name: 'Later Election' });
    await expect(card.locator('.ballot-chip')).toHaveText('Application approved');
    await expect(card.locator('.return-deadline')).toContainText(
      `Your ballot must be postmarked by ${day.words}.`,
    );
    office.close();
  },
);

test('the picture stands where USPS saw the ballot last', async ({ page, baseURL }) => {
  await signIn(page, cast.returnInTransit, baseURL, '/voter/dashboard');
  await expect(page.locator('[aria-current="step"]')).toContainText('On its way back');
  await expectOneTruth(page);
});

test(
  'a final rejection shows nothing still to come, and no current step is ticked',
  once,
  async ({ page, baseURL }) => {
    await signIn(page, cast.rejected, baseURL, '/voter/dashboard');
    await expect(page.locator('.journey')).not.toContainText('not yet');
    await expectOneTruth(page);
  },
);

test('two ballots: a line for each, and both in reach', async ({ page, baseURL }) => {
  await signIn(page, cast.twoBallots, baseURL, '/voter/dashboard');
  const lines = page.getByRole('navigation', { name: 'Your ballots' }).getByRole('link');
  await expect(lines).toHaveCount(2);
  await lines.last().click();
  await expect(page.getByRole('article').last()).toBeInViewport();
});

test(
  'of two ballots the ballot that needs a person comes first, in the lines as below and on a first visit',
  once,
  async ({ page, baseURL }) => {
    const office = await openOffice(baseURL);
    await office.beacon(
      ...['election', 'set', '--account', office.subdomain, '--number', '3', '--active', 'true'],
      ...['--name', 'Later Election', '--date', asOfNow('2026-12-17')],
    );
    const chips = page.locator('.ballot-chip');
    const lines = page.getByRole('navigation', { name: 'Your ballots' }).getByRole('link');
    for (const [third, second] of [
      ['undeliverable', 'returned'],
      ['returned', 'undeliverable'],
    ] as const) {
      await importBallot(office, `${third},${mailed},${asOfNow('2026-11-12')},`, '3');
      await importBallot(office, `${second},${mailed},${asOfNow('2026-11-12')},`, '2');
      await signIn(page, memberOf(office), baseURL);
      await expect(page.locator('.first-visit li')).toHaveText([
        /Election: Undeliverable, /,
        /Election: Returned, /,
      ]);
      await open(page, `${office.url}/voter/dashboard`);
      await expect(chips).toHaveText(['Undeliverable', 'Returned']);
      await expect(lines).toHaveText([/Undeliverable/, /Returned/]);
    }
    office.close();
  },
);

test('a first visit has the ballot’s status above the form, and two places to go to', async ({
  page,
  baseURL,
}) => {
  const office = await openOffice(baseURL);
  await signIn(page, memberOf(office), baseURL);
  await expect(page).toHaveURL(/\/voter\/preferences$/);
  const strip = page.locator('.first-visit');
  const since = nameDay(mailed, { month: 'short', day: 'numeric' });
  await expect(strip).toHaveText(new RegExp(`^Your ballot: Sent, ${since}`));
  const places = page.locator('.members-nav').getByRole('link');
  await expect(places).toHaveText(['My ballot', 'Alerts']);
  await expect(places.last()).toHaveAttribute('aria-current', 'page');
  await expectNoBarriers(page);

  await strip.getByRole('link', { name: 'Skip for now' }).click();
  await expect(page.locator('.ballot-meaning')).toBeVisible();
  await places.last().click();
  await strip.getByRole('link', { name: 'See my ballot' }).click();
  await expect(page.locator('.ballot-meaning')).toBeVisible();
  await expect(places.first()).toHaveAttribute('aria-current', 'page');
  await places.last().click();
  await page.getByRole('button', { name: 'CONFIRM' }).click();
  const alerts = page.locator('.alerts');
  await expect(alerts).toContainText('You have chosen to opt-out of all notifications.');
  await expect(alerts).toContainText('No alerts are on. You can add them any time under Alerts.');
  await open(page, `${office.url}/voter/preferences`);
  await expect(page.getByRole('button', { name: 'Update', exact: true })).toBeVisible();
  await expect(strip).toHaveCount(0);
  await page.getByRole('button', { name: 'Update', exact: true }).click();
  await expect(alerts).toContainText('You have chosen to opt-out of all notifications.');
  await expect(alerts).not.toContainText('No alerts are on.');
  office.close();
});

/** @param row status, day mailed, day of the status, and day on which the office expects it at the voter's */
async function importBallot(office: Office, row: string, election = '2'): Promise<void> {
  const header = 'registration_id,election,status,sent_on,status_on,expected_on';
  const file = office.write('own.csv', `${header}\nM-1,${election},${row}\n`);
  await office.beacon('import', file, '--account', office.subdomain, '--format', 'beacon-ballots');
}

async function expectOneTruth(page: Page): Promise<void> {
  await expect(page.locator('[aria-current="step"]')).toHaveCount(1);
  await expect(page.locator('[aria-current="step"] .journey-badge')).toHaveCount(0);
}

function memberOf({ subdomain, typed }: Office): CastMember {
  return { ...cast.sent, typed, account: subdomain as CastMember['account'] };
}
