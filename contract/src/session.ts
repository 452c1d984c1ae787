import * as z from 'zod/mini';
import { plainDigits } from './typed-text.ts';

export const nameMaximumLength = 60;

/**
 * What a voter types to sign in. Messages are translation keys.
 * `birthdate` is MM-DD-YYYY, or one of its other spellings; parse it with {@link parseBirthdate}.
 */
export const Credentials = z.object({
  firstname: z._default(
    z
      .string('login.firstname.tooLong')
      .check(z.trim(), z.maxLength(nameMaximumLength, 'login.firstname.tooLong')),
    '',
  ),
  lastname: z
    .string('login.lastname.required')
    .check(
      z.trim(),
      z.minLength(1, 'login.lastname.required'),
      z.maxLength(nameMaximumLength, 'login.lastname.tooLong'),
    ),
  zipcode: z
    .string('login.zipcode.required')
    .check(
      z.trim(),
      z.overwrite(plainDigits),
      z.minLength(1, { error: 'login.zipcode.required', abort: true }),
      z.regex(/^\d{5}$/, 'login.zipcode.invalid'),
    ),
  birthdate: z.string('login.birthdate.required').check(
    z.trim(),
    z.minLength(1, { error: 'login.birthdate.required', abort: true }),
    z.maxLength(20, { error: 'login.birthdate.invalid', abort: true }),
    z.refine((text) => parseBirthdate(text) !== null, 'login.birthdate.invalid'),
  ),
  recaptcha: z
    .string('login.recaptcha.required')
    .check(
      z.minLength(1, 'login.recaptcha.required'),
      z.maxLength(4096, 'login.recaptcha.required'),
    ),
  provided_voter_id: z.optional(
    z
      .string('login.voterId.required')
      .check(
        z.trim(),
        z.minLength(1, 'login.voterId.required'),
        z.maxLength(40, 'login.voterId.required'),
      ),
  ),
  token: z.optional(
    z
      .string('login.token.required')
      .check(
        z.trim(),
        z.minLength(1, 'login.token.required'),
        z.maxLength(100, 'login.token.required'),
      ),
  ),
});
export type Credentials = z.infer<typeof Credentials>;

/** From a QR code printed for one ballot, with the birth date (MM-DD-YYYY) that only its voter should know. */
export const QrSignInRequest = z.strictObject({
  ballot_guid: z.string().check(z.minLength(1), z.maxLength(100)),
  date_of_birth: z.string().check(z.minLength(1), z.maxLength(20)),
  /** A proof of work; needed unless the site has its CAPTCHA off. */
  recaptcha: z.optional(z.string().check(z.maxLength(4096))),
});
export type QrSignInRequest = z.infer<typeof QrSignInRequest>;

/** A public handle of the session; the secret is in the cookie alone. */
export const SessionCreated = z.object({ session_id: z.string() });
export type SessionCreated = z.infer<typeof SessionCreated>;

/** A calendar date, `YYYY-MM-DD`, that no time zone can shift. */
export type CalendarDate = string;

/**
 * Reads MM-DD-YYYY, whatever stands between: a phone's keypad of digits may offer no hyphen, and a browser that fills the
 * field in writes YYYY-MM-DD. Null when no such day exists, when it lies in the future (after `today`, `YYYY-MM-DD`) or
 * before 1900.
 */
export function parseBirthdate(
  text: string,
  today: CalendarDate = todayUtc(),
): CalendarDate | null {
  const parts = readParts(plainDigits(text).trim());
  if (!parts) return null;
  const { month, day, year } = parts;
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const written = date.toISOString().slice(0, 10);
  return exists && year >= 1900 && written <= today ? written : null;
}

const monthFirst =
  /^(?<month>\d{1,2})[-/\\.\s\p{Dash}](?<day>\d{1,2})[-/\\.\s\p{Dash}](?<year>\d{4})$/u;
const bareDigits = /^(?<month>\d{2})(?<day>\d{2})(?<year>\d{4})$/;
const yearFirst = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/;

function readParts(text: string) {
  const { month, day, year } =
    (monthFirst.exec(text) ?? bareDigits.exec(text) ?? yearFirst.exec(text))?.groups ?? {};
  return month === undefined
    ? null
    : { month: Number(month), day: Number(day), year: Number(year) };
}

function todayUtc(): CalendarDate {
  return new Date().toISOString().slice(0, 10);
}
