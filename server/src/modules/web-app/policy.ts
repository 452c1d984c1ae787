import type { Site } from '../sites/index.ts';

/**
 * The page's Content-Security-Policy: nothing inline except style sheets of a known hash, nothing from other sites except
 * what the office chose.
 */
export function contentSecurityPolicy(
  site: Site,
  styleHashes: readonly string[],
  { isSignedIn }: { readonly isSignedIn: boolean },
): string {
  const outside = outsideSources(site, isSignedIn);
  const frameAncestors =
    site.kind === 'account' ? site.account.settings.frame_ancestors.map(originOf) : [];
  return Object.entries({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...outside.script],
    'worker-src': ["'self'"],
    'style-src': ["'self'", ...styleHashes],
    'img-src': ["'self'", 'data:', ...outside.image],
    'connect-src': ["'self'", ...outside.connect],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    ...(outside.frame.length > 0 && { 'frame-src': outside.frame }),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': frameAncestors.length > 0 ? frameAncestors : ["'none'"],
  })
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

interface OutsideSources {
  readonly script: readonly string[];
  readonly connect: readonly string[];
  readonly image: readonly string[];
  readonly frame: readonly string[];
}

/** What the office chose to load from other sites. */
function outsideSources(site: Site, isSignedIn: boolean): OutsideSources {
  const chosen: OutsideSources[] = [];
  if (site.branding.captcha.kind === 'recaptcha') {
    chosen.push(recaptcha);
  }
  if (site.kind === 'account') {
    const { analytics, launchdarkly_client_id: clientId } = site.account.settings;
    if (clientId) chosen.push({ ...nothing, connect: launchDarkly });
    const isCounted = !isSignedIn || analytics?.when_signed_in === true;
    if (isCounted && analytics?.kind === 'matomo') {
      const origin = [originOf(analytics.url)];
      chosen.push({ ...nothing, script: origin, connect: origin, image: origin });
    }
    if (isCounted && analytics?.kind === 'ga4') chosen.push(ga4);
  }
  const all = (part: keyof OutsideSources) => chosen.flatMap((sources) => sources[part]);
  return {
    script: all('script'),
    connect: all('connect'),
    image: all('image'),
    frame: all('frame'),
  };
}

const nothing: OutsideSources = { script: [], connect: [], image: [], frame: [] };
const google = ['https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/'];
/** https://developers.google.com/recaptcha/docs/faq#im-using-content-security-policy-csp-on-my-website.-how-can-i-configure-it-to-work-with-recaptcha */
const recaptcha: OutsideSources = {
  script: google,
  connect: google,
  image: [],
  frame: [...google, 'https://recaptcha.google.com/recaptcha/'],
};
/** https://docs.launchdarkly.com/sdk/features/config#javascript */
const launchDarkly = ['clientsdk', 'clientstream'].map(
  (name) => `https://${name}.launchdarkly.com`,
);
const googleAnalytics = ['https://*.google-analytics.com', 'https://*.googletagmanager.com'];
/** https://developers.google.com/tag-platform/security/guides/csp */
const ga4: OutsideSources = {
  script: ['https://www.googletagmanager.com'],
  connect: googleAnalytics,
  image: googleAnalytics,
  frame: [],
};

function originOf(url: string): string {
  return new URL(url).origin;
}
