import * as z from 'zod/mini';

/** An ALTCHA v2 proof-of-work challenge, as altcha-lib makes and solves it; GET /api/voter/captcha. */
export const CaptchaChallenge = z.looseObject({
  parameters: z.looseObject({ algorithm: z.string() }),
  signature: z.optional(z.string()),
});
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;

/** The hardest proof of work that may be asked for; 0 is the usual one. */
export const hardestWorkLevel = 3;

/** Without a level: the usual challenge, where the office's form asks for one. */
export const CaptchaQuery = z.object({
  level: z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(hardestWorkLevel))),
});
