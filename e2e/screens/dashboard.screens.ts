import type { Page } from '@playwright/test';
import type { Language } from '../../contract/src/languages.ts';
import { type CastMember, cast } from '../../demo/cast.ts';
import { remember } from '../kept.ts';
import { open } from '../sign-in.ts';
import { openDashboard, refuse, type Stage, screen, signInAtOffice } from './stage.ts';

const progress = '**/api/voter/ballot-status-progress/**';

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
  'in the mail': cast.inTransit,
  'likely delivered': cast.delivered,
  'on its way back': cast.returnInTransit,
  'fix, signature': cast.fixSignature,
  'fix, ID': cast.fixId,
  'fix, not filled in': cast.fixIncomplete,
  'fix, wrong envelope': cast.fixWrongEnvelope,
  'fix, other': cast.fixOther,
  'fix, on record': cast.fixRecorded,
  'fix, over': cast.fixOver,
  'stopped, not seen': cast.stoppedNotSeen,
  'stopped, late': cast.stopped,
  'stopped, no scan': cast.stoppedNoScan,
  'stopped, not received': cast.stoppedReturn,
  'application received': cast.applicationReceived,
  'application incomplete': cast.applicationIncomplete,
  'application approved': cast.applicationApproved,
  'application refused': cast.applicationRefused,
  counted: cast.counted,
  'not counted': cast.notCounted,
} satisfies Record<string, CastMember>))
  screen(`dashboard/${state}`, (stage) => openDashboard(stage, member));
for (const state of ['offline', 'server away'] as const)
  screen(`dashboard/${state}`, async (stage) => {
    const { page } = stage;
    await openDashboard(stage, cast.sent);
    await refuse(page, progress, 503, 'Service Unavailable');
    // The texts of the other languages still have to be fetched.
    await page.evaluate((isOnline) => {
      Object.defineProperty(navigator, 'onLine', { get: () => isOnline });
      Date.now = () => performance.timeOrigin + performance.now() + 120_000;
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    }, state === 'server away');
    await page.locator('.as-of').getByText('Last known status').waitFor();
  });
screen('dashboard/details', async (stage) => {
  await openDashboard(stage, cast.reprinted);
  await stage.page.locator('.timeline summary').click();
});
for (const [language, member] of [
  ['spanish', cast.sent],
  ['arabic', cast.rejectedCurable],
] as const)
  screen(`dashboard/${language}`, async (stage) => {
    await choose(stage, language);
    await openDashboard(stage, member);
  });
for (const language of ['english', 'arabic'] as const)
  screen(
    `dashboard/kept on the device, ${language}`,
    async (stage) => {
      const { page, context } = stage;
      await choose(stage, language);
      await openDashboard(stage, cast.sent);
      await remember(page);
      await context.setOffline(true);
      await page.goto('/voter');
    },
    { language },
  );
const openDetails = (page: Page) => page.locator('.profile > .button').click();
screen(
  'dashboard/voter’s details',
  async (stage) => {
    await openDashboard(stage);
    await openDetails(stage.page);
  },
  { whole: false, renew: openDetails },
);
for (const tab of ['current', 'previous'] as const)
  screen(`dashboard/tabs, ${tab}`, async (stage) => {
    const { page } = stage;
    const office = await signInAtOffice(stage);
    await office.beacon('flag', 'set', 'tabbedBallots', 'on', '--account', office.subdomain);
    await open(page, `${office.url}/voter/dashboard`);
    const title = { current: 'Current Mail Ballot Status', previous: 'Previous Mail Ballots' };
    await page.evaluate((name) => history.pushState({ tab: name }, ''), title[tab]);
    await page.locator(`#panel-${tab}[data-shown]`).waitFor();
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
  { whole: false },
);

const choose = ({ context, baseURL }: Stage, language: Language) =>
  context.addCookies([{ name: 'language', value: language, url: baseURL ?? '' }]);
