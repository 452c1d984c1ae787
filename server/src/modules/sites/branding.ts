import type { Branding } from '@ballot-beacon/contract/branding';
import type { Language } from '@ballot-beacon/contract/languages';
import type { ImageKind } from '@ballot-beacon/contract/office/images';
import type { Config } from '../../platform/config.ts';
import {
  type Account,
  type AccountSettings,
  correctAccentColor,
  defaultAccentColor,
  weekdays,
} from '../accounts/index.ts';

export type BrandingOfSite = Omit<Branding, 'is_voter_authenticated'>;

const productName = 'Ballot Beacon';
/** Product spec §3: the background of an account that has none. */
export const blankImagePath = '/img/white.gif';

/** Where voters' pages load an image of the office; another path after each change. */
export function imagePath(kind: ImageKind, sha256: string): string {
  return `/voter/account-image/${kind}/${sha256.slice(0, 32)}`;
}

/** An office's branding (product spec §3, Branding). */
export function brandAccount(
  account: Account,
  languages: readonly Language[],
  config: Config,
): BrandingOfSite {
  const { settings, images } = account;
  return {
    ...common(languages, config),
    account_id: account.accountId,
    name: account.name,
    county: account.county,
    state: account.state,
    logo_url: images.logo ? imagePath('logo', images.logo) : null,
    bg_url: images.background ? imagePath('background', images.background) : blankImagePath,
    url: settings.url,
    contact_phone: settings.contact_phone || config.supportPhone,
    contact_email: settings.contact_email || config.supportEmail,
    phone_hours: settings.phone_hours.map(phoneHoursOf),
    from_voice: settings.from_voice,
    has_subdomain: true,
    is_ballot_status_dates_visible: settings.is_ballot_status_dates_visible,
    time_zone: account.timeZone,
    accent_color: correctAccentColor(settings.accent_color),
    short_code: settings.short_code,
    captcha: captchaOf(account, config),
    analytics: settings.analytics,
  };
}

function phoneHoursOf({ days, open, close }: AccountSettings['phone_hours'][number]) {
  const [from = 0, to = from] = days
    .split('-')
    .map((name) => (weekdays as readonly string[]).indexOf(name));
  return { from, to, open, close };
}

/** The bare host of many counties, or an unknown subdomain. */
export function brandNobody(
  hasSubdomain: boolean,
  languages: readonly Language[],
  config: Config,
): BrandingOfSite {
  return {
    ...common(languages, config),
    account_id: -1,
    name: productName,
    county: '',
    state: '',
    logo_url: null,
    bg_url: blankImagePath,
    url: null,
    contact_phone: config.supportPhone,
    contact_email: config.supportEmail,
    from_voice: null,
    has_subdomain: hasSubdomain,
    is_ballot_status_dates_visible: true,
    time_zone: 'America/New_York',
    accent_color: correctAccentColor(defaultAccentColor),
    short_code: '41575',
    captcha: { kind: config.captcha === 'off' ? 'off' : 'altcha', site_key: null },
  };
}

function common(languages: readonly Language[], config: Config) {
  return {
    languages: languages.map((language) => ({ language })),
    locator_url: config.locatorUrl,
    availability_url: config.availabilityUrl,
    ...(config.languageCookieDomain && { language_cookie_domain: config.languageCookieDomain }),
  };
}

/** reCAPTCHA only for accounts with keys for it; by default no page contacts a third party. */
function captchaOf({ settings }: Account, config: Config): Branding['captcha'] {
  if (config.captcha === 'off') return { kind: 'off', site_key: null };
  return settings.recaptcha
    ? { kind: 'recaptcha', site_key: settings.recaptcha.site_key }
    : { kind: 'altcha', site_key: null };
}
