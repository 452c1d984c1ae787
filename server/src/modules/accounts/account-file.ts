import { type Language, languageNames } from '@ballot-beacon/contract/languages';
import { channels } from '@ballot-beacon/contract/messages';
import { type BallotStatus, ballotStatuses } from '@ballot-beacon/contract/statuses';
import * as z from 'zod/mini';
import { defaultAccentColor, type HexColor } from './accent-color.ts';
import { MailSettings } from './mail-settings.ts';

const text = (maximum: number) => z.string().check(z.trim(), z.maxLength(maximum));
const requiredText = (maximum: number) =>
  z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(maximum));
const httpsUrl = z.url({ protocol: /^https?$/, error: 'must be a web address, https://…' });
const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time, HH:mm'));
const imagePath = z.string().check(z.minLength(1), z.maxLength(200));
const optional = <Schema extends z.core.$ZodType>(schema: Schema) =>
  z._default(z.nullable(schema), null as never);

/** Statuses that cause messages when the account file does not choose: those of the product spec's SMS terms. */
const defaultNotifyingStatuses: readonly BallotStatus[] = [
  'printed',
  'sent',
  'undeliverable',
  'returned',
  'rejected',
  'rejected-curable',
  'accepted',
  'in-person',
];

/**
 * The settings of an account file. Only the first five are required. An unknown key is refused, so that a
 * misspelled key is never silently ignored.
 */
export const AccountFile = z.strictObject({
  /** The account's host is `SUBDOMAIN.BASE_DOMAIN`. */
  subdomain: z
    .string()
    .check(
      z.regex(
        /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
        'must be lowercase letters, digits and hyphens',
      ),
    ),
  name: requiredText(120),
  county: requiredText(80),
  state: z.string().check(z.regex(/^[A-Z]{2}$/, 'must be a postal abbreviation such as FL')),
  /** IANA name. */
  time_zone: z
    .string()
    .check(z.refine(isTimeZone, 'must be a time zone name such as America/New_York')),

  languages: z._default(
    z.array(z.enum(languageNames as readonly [Language, ...Language[]])).check(
      z.minLength(1, 'must name at least one language'),
      z.refine((names) => new Set(names).size === names.length, 'must not repeat a language'),
    ),
    ['english'],
  ),
  /** Image files, paths relative to the account file. */
  logo: optional(imagePath),
  background: optional(imagePath),
  accent_color: z._default(
    z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'must be a color such as #1f5fa8')),
    defaultAccentColor,
  ),
  /** The office's own web site. */
  url: optional(httpsUrl),
  contact_phone: z._default(text(40), ''),
  contact_email: z._default(
    z.union([z.literal(''), z.email('must be an email address')], 'must be an email address'),
    '',
  ),

  is_token_required: z._default(z.boolean(), false),
  is_ballot_status_dates_visible: z._default(z.boolean(), true),

  delivery_types: z._default(z.array(z.enum(channels)), [...channels]),
  notifying_statuses: z._default(
    z.array(z.enum(ballotStatuses as readonly [BallotStatus, ...BallotStatus[]])),
    [...defaultNotifyingStatuses],
  ),
  /** E.164; also the number a voter calls to confirm voice messages. */
  from_voice: optional(
    z.string().check(z.regex(/^\+1\d{10}$/, 'must be a number such as +13525550100')),
  ),
  short_code: z._default(
    z.string().check(z.regex(/^\d{5,6}$/, 'must be five or six digits')),
    '41575',
  ),
  /** When texts and calls may reach a voter who chose no hours, in the account's time zone. */
  quiet_hours: z._default(z.strictObject({ start: clockTime, end: clockTime }), {
    start: '08:00',
    end: '20:00',
  }),

  recaptcha: optional(
    z.strictObject({ site_key: requiredText(200), secret_key: requiredText(200) }),
  ),
  /** Client-side ID of the account's LaunchDarkly environment, if its flags come from there. */
  launchdarkly_client_id: optional(
    z
      .string()
      .check(z.regex(/^[0-9a-f]{24}$/, 'must be a client-side ID of 24 digits and letters')),
  ),
  /** Where page views are counted in addition to our own server; nowhere by default. */
  analytics: optional(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('matomo'), url: httpsUrl, site_id: requiredText(20) }),
      z.strictObject({
        kind: z.literal('ga4'),
        measurement_id: z.string().check(z.regex(/^G-[A-Z0-9]+$/, 'must look like G-XXXXXXXXXX')),
      }),
    ]),
  ),
  /** Sites that may show these pages in a frame. */
  frame_ancestors: z._default(z.array(httpsUrl), []),

  /** Which files the office sends regularly, by format, and after how many hours without a file the feed is late. */
  feeds: z._default(
    z.record(
      z.string().check(z.regex(/^[a-z0-9-]{1,60}$/, 'must be the name of a format')),
      z.strictObject({
        every_hours: z
          .number()
          .check(z.minimum(1, 'must be 1 to 8784'), z.maximum(8784, 'must be 1 to 8784')),
      }),
    ),
    {},
  ),
  /**
   * Messages, receipts and local copies older than this are deleted. Federal law requires offices to keep the records of
   * a federal election for 22 months (52 U.S.C. 20701).
   */
  message_retention_days: z._default(
    z
      .number()
      .check(
        z.int('must be a whole number of days'),
        z.minimum(30, 'must be 30 to 3660'),
        z.maximum(3660, 'must be 30 to 3660'),
      ),
    730,
  ),

  import_limits: z._default(
    z.strictObject({
      /** If a larger share of its rows is refused, the whole file is refused. */
      refused_percent: z._default(percent(), 50),
      /** A full file with this many percent fewer rows than the account has waits for approval. */
      shrink_percent: z._default(percent(), 10),
      /** With --full: the largest share of active voters that one file may make inactive. */
      inactive_percent: z._default(percent(), 5),
    }),
    { refused_percent: 50, shrink_percent: 10, inactive_percent: 5 },
  ),
  /** Settings for the barcodes on the office's envelopes (docs/formats/beacon-mailpieces.md). */
  mail: z._default(MailSettings, MailSettings.parse({})),
});
export type AccountFile = Omit<z.infer<typeof AccountFile>, 'accent_color'> & {
  readonly accent_color: HexColor;
};

/** The settings that `accounts.settings` contains: those without a column or table of their own. */
export type AccountSettings = Omit<
  AccountFile,
  'subdomain' | 'name' | 'county' | 'state' | 'time_zone' | 'languages' | 'logo' | 'background'
>;

/** One problem in an account file, with a message that says what to fix. */
export interface AccountFileProblem {
  /** Dotted path of the setting; empty for the file as a whole. */
  readonly at: string;
  readonly message: string;
}

/** Reads an account file's JSON value and reports every problem, not only the first. */
export function readAccountFile(
  value: unknown,
): { ok: true; file: AccountFile } | { ok: false; problems: AccountFileProblem[] } {
  const parsed = AccountFile.safeParse(value, { reportInput: true });
  if (parsed.success) return { ok: true, file: parsed.data as AccountFile };
  return { ok: false, problems: parsed.error.issues.flatMap(describeIssue) };
}

/** Reads `accounts.settings`, as {@link AccountFile} stored it; newer settings get their defaults. */
export function readSettings(settings: unknown): AccountSettings {
  const { subdomain, name, county, state, time_zone, languages, logo, background, ...rest } =
    AccountFile.parse({
      subdomain: 'x',
      name: 'x',
      county: 'x',
      state: 'XX',
      time_zone: 'UTC',
      ...(settings as object),
    });
  return rest as AccountSettings;
}

function describeIssue(issue: z.core.$ZodIssue): AccountFileProblem[] {
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(AccountFile.shape).join(', ');
    return issue.keys.map((key) => ({
      at: [...issue.path, key].join('.'),
      message: `is not a setting${issue.path.length === 0 ? `; the settings are ${known}` : ''}`,
    }));
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [{ at, message: issue.path.length === 0 ? 'must be one JSON object' : 'is missing' }];
  }
  if (issue.code === 'invalid_value') {
    return [{ at, message: `must be one of ${issue.values.map(String).join(', ')}` }];
  }
  if (issue.code === 'invalid_key') {
    return [{ at, message: issue.issues[0]?.message ?? issue.message }];
  }
  if (issue.code === 'invalid_type') return [{ at, message: `must be ${issue.expected}` }];
  if (issue.code === 'too_big') return [{ at, message: `must be at most ${issue.maximum}` }];
  return [{ at, message: issue.message }];
}

function percent() {
  return z.number().check(z.minimum(0, 'must be 0 to 100'), z.maximum(100, 'must be 0 to 100'));
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
