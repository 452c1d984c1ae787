import * as z from 'zod/mini';

/** An ALTCHA v2 proof-of-work challenge, as altcha-lib makes and solves it; GET /api/voter/captcha. */
export const CaptchaChallenge = z.looseObject({
  parameters: z.looseObject({ algorithm: z.string() }),
  signature: z.optional(z.string()),
});
export type CaptchaChallenge = z.infer<typeof CaptchaChallenge>;
