import type { CountedName } from '@ballot-beacon/contract/analytics';
import type { Branding } from '@ballot-beacon/contract/branding';
import { call } from '../api/client.ts';
import type { Analytics } from './counter.ts';

/**
 * Counts on our own server and, where the office has set it, with Matomo or GA4. A visitor who sends Do Not Track or Global
 * Privacy Control not to be counted is not counted anywhere. Does nothing until it is first used.
 */
export function createAnalytics({ analytics }: Pick<Branding, 'analytics'>): Analytics {
  let elsewhere: Promise<Analytics> | null = null;
  // The first page is counted by the server that rendered it.
  let isFirst = true;
  const countHere = (name: CountedName) => void call('countView', { body: { name } });
  const countElsewhere = (count: (one: Analytics) => void) => {
    if (!analytics) return;
    elsewhere ??= import('./analytics-elsewhere.ts').then(({ createAnalyticsElsewhere }) =>
      createAnalyticsElsewhere(analytics),
    );
    // A failure of the office's counter must not bother the voter.
    elsewhere.then(count).catch(() => {});
  };
  return {
    pageView(name) {
      if (isUnwanted()) return;
      if (!isFirst) countHere(name);
      isFirst = false;
      countElsewhere((one) => one.pageView(name));
    },
    event(name) {
      if (isUnwanted()) return;
      countHere(name);
      countElsewhere((one) => one.event(name));
    },
  };
}

function isUnwanted(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & {
    globalPrivacyControl?: boolean;
  };
  return doNotTrack === '1' || globalPrivacyControl === true;
}
