import * as z from 'zod/mini';

/** The error messages of each form field, by rule: `{ email: { format: 'Invalid email…' } }`. */
export const ValidationMessages = z.record(z.string(), z.record(z.string(), z.string()));
export type ValidationMessages = z.infer<typeof ValidationMessages>;

/** Every error answer: RFC 9457 problem+json with the product's own members (product spec §3, Session response). */
export const Problem = z.object({
  type: z.optional(z.string()),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  'error-code': z.optional(z.int()),
  validation_messages: z.optional(ValidationMessages),
  /** Finds the log line of a failure; shown to the voter to read to support. */
  err_id: z.optional(z.string()),
  /** With `moreWork`: the level of proof of work with which the same call is to be sent again. */
  work_level: z.optional(z.int()),
});
export type Problem = z.infer<typeof Problem>;

export const problemContentType = 'application/problem+json';

/** The codes that the login form reacts to. */
export const errorCodes = {
  invalidCredentials: 8888,
  ambiguousCredentials: 8889,
  tokenRequired: 8890,
  /** Too many failures for this name: details alone no longer sign in. */
  proofRequired: 8891,
  moreWork: 9998,
  invalidRecaptcha: 9999,
} as const;
