import * as z from 'zod/mini';

export const nameMaximumLength = 60;

/**
 * What a voter types to sign in. Messages are translation keys.
 * `birthdate` is MM-DD-YYYY with `-`, `/` or `\` between; parse it with {@link parseBirthdate}.
 */
export const Credentials = z.object({
  firstname: z.string().check(z.trim(), z.maxLength(nameMaximumLength, 'login.firstname.tooLong')),
  lastname: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'login.lastname.required'),
      z.maxLength(nameMaximumLength, 'login.lastname.tooLong'),
    ),
  zipcode: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, { error: 'login.zipcode.required', abort: true }),
      z.regex(/^\d{5}$/, 'login.zipcode.invalid'),
    ),
  birthdate: z.string().check(
    z.trim(),
    z.minLength(1, { error: 'login.birthdate.required', abort: true }),
    z.maxLength(20, 'login.birthdate.invalid'),
    z.refine((text) => parseBirthdate(text) !== null, 'login.birthdate.invalid'),
  ),
  recaptcha: z.string().check(z.minLength(1, 'login.recaptcha.required'), z.maxLength(4096)),
  provided_voter_id: z.optional(
    z.string().check(z.trim(), z.minLength(1, 'login.voterId.required'), z.maxLength(40)),
  ),
  token: z.optional(
    z.string().check(z.trim(), z.minLength(1, 'login.token.required'), z.maxLength(100)),
  ),
});
export type Credentials = z.infer<typeof Credentials>;

/** A public handle of the session; the secret is in the cookie alone. */
export const SessionCreated = z.object({ session_id: z.string() });
export type SessionCreated = z.infer<typeof SessionCreated>;

/** A calendar date, `YYYY-MM-DD`, that no time zone can shift. */
export type CalendarDate = string;

/**
 * Reads MM-DD-YYYY with `-`, `/` or `\` between; null when no such day exists, when it lies in the future
 * (after `today`, `YYYY-MM-DD`) or before 1900.
 */
export function parseBirthdate(
  text: string,
  today: CalendarDate = todayUtc(),
): CalendarDate | null {
  const parts = /^(\d{1,2})[-/\\](\d{1,2})[-/\\](\d{4})$/.exec(text.trim());
  if (!parts) return null;
  const [month, day, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  const written = date.toISOString().slice(0, 10);
  return exists && year >= 1900 && written <= today ? written : null;
}

function todayUtc(): CalendarDate {
  return new Date().toISOString().slice(0, 10);
}
