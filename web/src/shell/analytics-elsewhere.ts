import type { CountedName } from '@ballot-beacon/contract/analytics';
import type { Branding } from '@ballot-beacon/contract/branding';
import type { Analytics } from './counter.ts';

type Settings = NonNullable<Branding['analytics']>;
type Queue = { push(entry: unknown): unknown };

/**
 * The office's own Matomo, or Google's GA4. Neither is given the address of a page, as its query can hold a code or an
 * email address; both are configured to set no cookie.
 */
export function createAnalyticsElsewhere(settings: Settings): Analytics {
  return settings.kind === 'matomo' ? createMatomo(settings) : createGa4(settings);
}

function createMatomo({ url, site_id }: Extract<Settings, { kind: 'matomo' }>): Analytics {
  const root = url.replace(/\/*$/, '/');
  const queue = queueNamed('_paq');
  queue.push(['disableCookies']);
  queue.push(['setDoNotTrack', true]);
  queue.push(['setReferrerUrl', '']);
  queue.push(['setTrackerUrl', `${root}matomo.php`]);
  queue.push(['setSiteId', site_id]);
  loadScript(`${root}matomo.js`);
  return {
    pageView(name) {
      queue.push(['setCustomUrl', addressOf(name)]);
      queue.push(['setDocumentTitle', name]);
      queue.push(['trackPageView']);
    },
    event: (name) => queue.push(['trackEvent', 'app', name]),
  };
}

function createGa4({ measurement_id }: Extract<Settings, { kind: 'ga4' }>): Analytics {
  const queue = queueNamed('dataLayer');
  // Google's script recognizes commands because they are `arguments` objects.
  function gtag(..._command: unknown[]) {
    // biome-ignore lint/complexity/noArguments: see above
    queue.push(arguments);
  }
  gtag('js', new Date());
  gtag('consent', 'default', {
    ad_storage: 'denied',
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    analytics_storage: 'denied',
  });
  gtag('config', measurement_id, { send_page_view: false });
  loadScript(`https://www.googletagmanager.com/gtag/js?id=${encodeURIComponent(measurement_id)}`);
  const send = (event: string, name: CountedName) =>
    gtag('event', event, {
      page_location: addressOf(name),
      page_title: name,
      page_referrer: '',
    });
  return {
    pageView: (name) => send('page_view', name),
    event: (name) => send(name.replaceAll(/\W/g, '_'), name),
  };
}

/** Read again for each entry: Matomo's script replaces the first queue with its own. */
function queueNamed(name: '_paq' | 'dataLayer'): Queue {
  const holder = window as unknown as Record<string, Queue | undefined>;
  return {
    push(entry) {
      holder[name] ??= [];
      return holder[name].push(entry);
    },
  };
}

/** A page's address without its query. */
const addressOf = (name: CountedName) => `${location.origin}/voter/${name.split(':')[1]}`;

function loadScript(source: string): void {
  const script = document.createElement('script');
  script.async = true;
  script.src = source;
  document.head.append(script);
}
