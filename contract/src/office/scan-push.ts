import * as z from 'zod/mini';

/** Where USPS pushes the scans of an office's envelopes. */
export const ScanPush = z.object({
  url: z.string(),
  user: z.string(),
  /** When the password was made, ISO 8601; null: there is none, and every push is refused. */
  made_at: z.nullable(z.string()),
});
export type ScanPush = z.infer<typeof ScanPush>;

export const PushPasswordMaking = z.strictObject({
  /** As the person saw it, so that nobody ends a password that somebody else just made. */
  made_at: z.nullable(z.iso.datetime()),
});

/** The password is shown this once; only its hash is kept. */
export const PushPassword = z.object({ ...ScanPush.shape, password: z.string() });
export type PushPassword = z.infer<typeof PushPassword>;
