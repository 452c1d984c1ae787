import * as z from 'zod/mini';
import { languageNames } from './languages.ts';

export const LanguageName = z.enum(languageNames as readonly [string, ...string[]]);

/** How visitors prove that they are not robots. */
export const Captcha = z.object({
  kind: z.enum(['altcha', 'recaptcha', 'off']),
  site_key: z.nullable(z.string()),
});

/** While a voter is signed in, other companies' scripts run only where the office wants it. */
const whenSignedIn = { when_signed_in: z.boolean() };

/** Where page views are counted in addition to our own server, if the office has set it; nowhere by default. */
export const AnalyticsSettings = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('matomo'),
    url: z.string(),
    site_id: z.string(),
    ...whenSignedIn,
  }),
  z.object({ kind: z.literal('ga4'), measurement_id: z.string(), ...whenSignedIn }),
]);

/** The same hours on a range of weekdays; 0 is Sunday. */
export const PhoneHours = z.object({
  from: z.int(),
  to: z.int(),
  /** HH:mm */
  open: z.string(),
  close: z.string(),
});

/** An account as its voters see it (product spec §3, Branding). `account_id` -1: no account serves this host. */
export const Branding = z.object({
  account_id: z.int(),
  name: z.string(),
  county: z.string(),
  state: z.string(),
  logo_url: z.nullable(z.string()),
  bg_url: z.string(),
  url: z.nullable(z.string()),
  contact_phone: z.string(),
  contact_email: z.string(),
  /** When the office answers its phone, in the account's time zone. */
  phone_hours: z.optional(z.array(PhoneHours)),
  languages: z.array(z.object({ language: LanguageName })),
  from_voice: z.nullable(z.string()),
  has_subdomain: z.boolean(),
  is_voter_authenticated: z.boolean(),
  is_ballot_status_dates_visible: z.boolean(),
  /** IANA time zone in which times are shown. */
  time_zone: z.string(),
  /** `#rrggbb`, already corrected for contrast on light and on dark. */
  accent_color: z.object({ light: z.string(), dark: z.string() }),
  short_code: z.string(),
  captcha: Captcha,
  analytics: z.optional(z.nullable(AnalyticsSettings)),
  /** Whether the office has published any release notes. */
  has_release_notes: z.optional(z.boolean()),
  /** Where a voter whose county is not served finds another ballot locator. */
  locator_url: z.string(),
  availability_url: z.string(),
  /** For which domain the chosen language is kept; only at a site under it ({@link languageCookieDomain}). */
  language_cookie_domain: z.optional(z.string()),
});
export type Branding = z.infer<typeof Branding>;

export const BrandingAnswer = z.object({
  _embedded: z.object({ branding: z.array(Branding) }),
});
export type BrandingAnswer = z.infer<typeof BrandingAnswer>;
