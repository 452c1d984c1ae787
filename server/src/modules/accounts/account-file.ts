// Longer than 300 lines: the whole account file is one table, to be read from top to bottom.
import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { channels } from '@ballot-beacon/contract/messages';
import { type BallotStatus, ballotStatuses } from '@ballot-beacon/contract/statuses';
import * as z from 'zod/mini';
import { defaultAccentColor, type HexColor } from './accent-color.ts';
import { FixSettings } from './fix-settings.ts';
import { MailSettings } from './mail-settings.ts';
import { postalAbbreviations } from './postal-abbreviations.ts';
import { RequestLimits } from './request-limits.ts';
import { SendingLimits } from './sending-limits.ts';
import { setting } from './setting.ts';
import { StoppedMailSettings } from './stopped-mail-settings.ts';

const text = (maximum: number) => z.string().check(z.trim(), z.maxLength(maximum));
const requiredText = (maximum: number) =>
  z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(maximum));
const httpsUrl = () => z.url({ protocol: /^https?$/, error: 'must be a web address, https://…' });
const clockTime = () =>
  z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:mm'));
const imagePath = () => z.string().check(z.minLength(1), z.maxLength(200));
const optional = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z._default(z.nullable(schema), null as never);
const percent = (fallback: number) =>
  z._default(
    z.number().check(z.minimum(0, 'must be 0 to 100'), z.maximum(100, 'must be 0 to 100')),
    fallback,
  );

/** In the order of `Date.getDay()`. */
export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const rangeOfWeekdays = new RegExp(`^(${weekdays.join('|')})(-(${weekdays.join('|')}))?$`);

/** Statuses that cause messages when the account file does not choose: those of the product spec's SMS terms. */
const defaultNotifyingStatuses: readonly BallotStatus[] = [
  'application-received',
  'application-incomplete',
  'application-approved',
  'application-refused',
  'printed',
  'sent',
  'undeliverable',
  'returned',
  'rejected',
  'rejected-curable',
  'not-counted',
  'accepted',
  'counted',
  'in-person',
];

/** The form of a subdomain, and what to write instead. */
export const subdomainRule = {
  pattern: /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
  advice: 'must be lowercase letters, digits and hyphens',
};

const whenSignedIn = z._default(z.boolean(), false);

/**
 * The settings of an account file, as docs/account-file.md describes them (`npm run docs` writes that page from here).
 * An unknown key is refused, so that a misspelled key is never silently ignored.
 */
export const AccountFile = z.strictObject({
  subdomain: setting(
    z.string().check(z.regex(subdomainRule.pattern, subdomainRule.advice)),
    'The account’s host is `SUBDOMAIN.BASE_DOMAIN`. It also says which account the file changes; to change the subdomain itself, use `beacon account rename`.',
    'lowercase letters, digits and hyphens',
  ),
  name: setting(
    requiredText(120),
    'The office’s name, as voters read it.',
    'text, up to 120 characters',
  ),
  county: setting(requiredText(80), 'The county.', 'text, up to 80 characters'),
  state: setting(
    z
      .string()
      .check(
        z.refine(
          (state) => postalAbbreviations.has(state),
          'must be a postal abbreviation such as FL',
        ),
      ),
    'The state.',
    'postal abbreviation, such as `FL`',
  ),
  time_zone: setting(
    z.string().check(z.refine(isTimeZone, 'must be a time zone name such as America/New_York')),
    'Decides what today is, which hours messages respect, and how times are shown.',
    'time zone name, such as `America/New_York`',
  ),

  languages: setting(
    z._default(
      z.array(z.enum(languageNames as readonly [Language, ...Language[]])).check(
        z.minLength(1, 'must name at least one language'),
        z.refine((names) => new Set(names).size === names.length, 'must not repeat a language'),
      ),
      ['english'],
    ),
    'The languages that voters can choose, in this order.',
  ),
  logo: setting(
    optional(imagePath()),
    'The office’s logo, at most 256 kB.',
    'name of a PNG, JPEG, WebP or SVG file beside the account file',
  ),
  background: setting(
    optional(imagePath()),
    'The picture behind the sign-in page, at most 2 MB.',
    'name of a PNG, JPEG, WebP or SVG file beside the account file',
  ),
  accent_color: setting(
    z._default(
      z
        .string()
        .check(
          z.regex(
            /^#[0-9a-fA-F]{6}$/,
            'must be # and six digits or letters a to f, such as #1f5fa8',
          ),
        ),
      defaultAccentColor,
    ),
    'The color of buttons and links. A color that is hard to read is made darker (or lighter, in dark mode).',
    '`#` and six digits or letters a to f',
  ),
  url: setting(optional(httpsUrl()), 'The office’s own website.', 'web address'),
  contact_phone: setting(
    z._default(text(40), ''),
    'The number that voters call for help. Without it, messages that name it wait.',
    'US phone number with area code, such as `(352) 555-0100`',
  ),
  contact_email: setting(
    z._default(
      z.union([z.literal(''), z.email('must be an email address')], 'must be an email address'),
      '',
    ),
    'The address that voters write to; answers to the office’s mail go there.',
    'email address',
  ),
  phone_hours: setting(
    z._default(
      z.array(
        z.strictObject({
          days: setting(
            z.string().check(z.regex(rangeOfWeekdays, 'must be weekdays such as mon-fri or sat')),
            'The weekdays of these hours.',
            'weekdays such as `mon-fri` or `sat`',
          ),
          open: setting(clockTime(), 'When the phone is first answered.', 'time, `HH:mm`'),
          close: setting(clockTime(), 'Until when it is answered.', 'time, `HH:mm`'),
        }),
      ),
      [],
    ),
    'When somebody answers the phone, in the account’s time zone. Voters read it where they are asked to call.',
  ),

  is_token_required: setting(
    z._default(z.boolean(), false),
    'Voters need the security token from their letter to sign in.',
  ),
  contact_proof: setting(
    z._default(z.enum(['none', 'masked']), 'none'),
    'With `masked` (recommended), a voter who signed in with name and birth date sees the status, and addresses masked. Showing or changing them takes a code sent to one of them, the QR code from the ballot’s letter, or the security token. Opting out takes none.',
  ),
  is_ballot_status_dates_visible: setting(
    z._default(z.boolean(), true),
    'Voters see the dates of their ballot’s statuses.',
  ),

  delivery_types: setting(
    z._default(z.array(z.enum(channels)), [...channels]),
    'How voters can get messages.',
  ),
  notifying_statuses: setting(
    z._default(z.array(z.enum(ballotStatuses as readonly [BallotStatus, ...BallotStatus[]])), [
      ...defaultNotifyingStatuses,
    ]),
    'The statuses that voters get messages about.',
  ),
  reports_counted: setting(
    z._default(z.boolean(), false),
    'The office’s files say when a ballot is counted. Voters with an accepted ballot then read that it is not counted yet.',
  ),
  from_voice: setting(
    optional(
      z
        .string()
        .check(
          z.regex(
            /^\+1\d{10}$/,
            'must be a US phone number with its area code, such as (352) 555-0100',
          ),
        ),
    ),
    'The number that recorded calls come from, and that a voter calls to confirm them. Without it the page offers no calls.',
    'US phone number with area code',
  ),
  short_code: setting(
    z._default(z.string().check(z.regex(/^\d{5,6}$/, 'must be five or six digits')), '41575'),
    'The short number that text messages come from.',
    'five or six digits',
  ),
  quiet_hours: setting(
    z._default(
      z.strictObject({
        start: setting(
          z._default(clockTime(), '08:00'),
          'The earliest time of texts and calls.',
          'time, `HH:mm`',
        ),
        end: setting(
          z._default(clockTime(), '20:00'),
          'The latest time of texts and calls.',
          'time, `HH:mm`',
        ),
      }),
      { start: '08:00', end: '20:00' },
    ),
    'When texts and calls may reach a voter who chose no hours, in the account’s time zone.',
  ),

  recaptcha: setting(
    optional(
      z.strictObject({
        site_key: setting(requiredText(200), 'The site key.', 'text'),
        secret_key: setting(
          requiredText(200),
          'The secret key. `beacon account show` does not print it; it stays while the site key stays.',
          'text',
        ),
      }),
    ),
    'Google reCAPTCHA in place of the built-in check.',
  ),
  launchdarkly_client_id: setting(
    optional(
      z
        .string()
        .check(z.regex(/^[0-9a-f]{24}$/, 'must be a client-side ID of 24 digits and letters')),
    ),
    'The account’s LaunchDarkly environment, if its flags come from there.',
    'client-side ID: 24 digits and letters a to f',
  ),
  analytics: setting(
    optional(
      z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('matomo'),
          url: httpsUrl(),
          site_id: requiredText(20),
          when_signed_in: whenSignedIn,
        }),
        z.strictObject({
          kind: z.literal('ga4'),
          measurement_id: z.string().check(z.regex(/^G-[A-Z0-9]+$/, 'must look like G-XXXXXXXXXX')),
          when_signed_in: whenSignedIn,
        }),
      ]),
    ),
    'Where page views are counted in addition to our own server; nowhere by default. Pages of signed-in voters load no script of another company unless `"when_signed_in": true` is added.',
    '`{"kind": "matomo", "url": "https://…", "site_id": "…"}` or `{"kind": "ga4", "measurement_id": "G-…"}`',
  ),
  frame_ancestors: setting(
    z._default(z.array(httpsUrl()), []),
    'Sites that may show these pages in a frame.',
    'list of web addresses',
  ),

  feeds: setting(
    z._default(
      z.record(
        z.string().check(z.regex(/^[a-z0-9-]{1,60}$/, 'must be the name of a format')),
        z.strictObject({
          every_hours: setting(
            z
              .number()
              .check(z.minimum(1, 'must be 1 to 8784'), z.maximum(8784, 'must be 1 to 8784')),
            'After how many hours without a file the feed is late.',
            'number from 1 to 8784',
          ),
        }),
      ),
      {},
    ),
    'Which files the office sends regularly.',
    'by the name of a format (`beacon format list`)',
  ),
  message_retention_days: setting(
    z._default(
      z
        .number()
        .check(
          z.int('must be a whole number of days'),
          z.minimum(30, 'must be 30 to 3660'),
          z.maximum(3660, 'must be 30 to 3660'),
        ),
      730,
    ),
    'Messages, receipts and local copies older than this are deleted. Federal law requires offices to keep the records of a federal election for 22 months (52 U.S.C. 20701).',
    'days, 30 to 3660',
  ),
  election_retention_days: setting(
    optional(
      z
        .number()
        .check(
          z.int('must be a whole number of days'),
          z.minimum(30, 'must be 30 to 3660'),
          z.maximum(3660, 'must be 30 to 3660'),
        ),
    ),
    'How long after election day an election that is not active keeps its ballots, events, scans and messages. Without it they stay until `beacon election discard`. One that may have federal offices keeps them for 22 months at least (all but the kinds `local` and `municipal`).',
    'days, 30 to 3660',
  ),

  daily_request_limits: setting(
    z._default(RequestLimits, RequestLimits.parse({})),
    'The most requests to confirm an address, and contact codes, that visitors can cause in a day; above it requests wait for the office (`beacon sending`), and no code is sent.',
  ),
  sending_limits: setting(
    z._default(SendingLimits, SendingLimits.parse({})),
    'How much the office’s numbers may send, as its providers allow. Mail has the limits of the site (`EMAIL_PER_SECOND`, `EMAIL_PER_DAY`).',
  ),
  import_limits: setting(
    z._default(
      z.strictObject({
        refused_percent: setting(
          percent(50),
          'If a larger share of its rows has errors, the whole file is refused.',
          'percent, 0 to 100',
        ),
        shrink_percent: setting(
          percent(10),
          'A full file with this many percent fewer rows than the account has waits for approval.',
          'percent, 0 to 100',
        ),
        inactive_percent: setting(
          percent(5),
          'With `--full`: the largest share of active voters that one file may make inactive.',
          'percent, 0 to 100',
        ),
      }),
      { refused_percent: 50, shrink_percent: 10, inactive_percent: 5 },
    ),
    'When a file needs a second look.',
  ),
  envelope_fix: setting(
    z._default(FixSettings, FixSettings.parse({})),
    'How voters fix a returned envelope that has a problem. Voters read only what is filled in.',
  ),
  stopped_mail: setting(
    z._default(StoppedMailSettings, StoppedMailSettings.parse({})),
    'Ballots that stopped moving in the mail ([decision 117](decisions/117-stopped-in-the-mail.md)).',
  ),
  mail: setting(
    z._default(MailSettings, MailSettings.parse({})),
    'The barcodes on the office’s envelopes ([beacon-mailpieces](formats/beacon-mailpieces.md)).',
  ),
});
export type AccountFile = Omit<z.infer<typeof AccountFile>, 'accent_color'> & {
  readonly accent_color: HexColor;
};

/** The settings that `accounts.settings` contains: those without a column or table of their own. */
export type AccountSettings = Omit<
  AccountFile,
  'subdomain' | 'name' | 'county' | 'state' | 'time_zone' | 'languages' | 'logo' | 'background'
>;

/** Reads `accounts.settings`, as {@link AccountFile} stored it; newer settings get their defaults. */
export function readSettings(settings: unknown): AccountSettings {
  const { subdomain, name, county, state, time_zone, languages, logo, background, ...rest } =
    AccountFile.parse({
      subdomain: 'x',
      name: 'x',
      county: 'x',
      time_zone: 'UTC',
      ...(settings as object),
      state: 'WA',
    });
  return rest as AccountSettings;
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
