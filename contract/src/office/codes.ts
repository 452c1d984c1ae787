import * as z from 'zod/mini';

export const CodeElections = z.object({
  elections: z.array(z.object({ number: z.string(), name: z.string(), is_active: z.boolean() })),
});
export type CodeElections = z.infer<typeof CodeElections>;

const codes = {
  /** As the office's files name it. */
  election: z.string().check(z.minLength(1, 'Choose an election.'), z.maxLength(60)),
  /** The office's voter ID: this voter's codes alone. */
  voter_id: z.optional(z.string().check(z.trim(), z.maxLength(100))),
};

export const BallotCodes = z.strictObject(codes);
export type BallotCodes = z.infer<typeof BallotCodes>;

export const LetterCodes = z.strictObject({
  ...codes,
  /** Replaces the codes that still work, too; they end at once. */
  renew: z.boolean(),
});
export type LetterCodes = z.infer<typeof LetterCodes>;

/** A sheet to print has at most so many codes; a table has them all. */
export const mostOnSheet = 1_000;
