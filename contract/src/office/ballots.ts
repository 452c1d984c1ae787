import * as z from 'zod/mini';
import { listPage } from './filters.ts';

/** In place of a status: ballots that the office has given none yet. */
export const noStatus = 'none';

export const BallotsQuery = z.object({
  /** Number of the election. */
  election: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Such as `sent`, or {@link noStatus}; every ballot of the election, if nothing is said. */
  status: z.optional(z.string().check(z.regex(/^[a-z-]{1,40}$/, 'Choose a status.'))),
  ...listPage,
});
export type BallotsQuery = z.infer<typeof BallotsQuery>;

/** Ballots by the status that voters see, without those of confidential voters. */
export const BallotsAnswer = z.object({
  ballots: z.array(
    z.object({
      ballot_id: z.int(),
      /** Empty where the office numbers no ballots. */
      ballot_number: z.string(),
      status: z.nullable(z.string()),
      /** `YYYY-MM-DD`: the day of the record that gave it this status; null where the file dates none. */
      since: z.nullable(z.string()),
      voter_id: z.int(),
      registration_id: z.string(),
      name: z.string(),
    }),
  ),
  /** The key of the next page; null on the last. */
  next: z.nullable(z.int()),
});
export type BallotsAnswer = z.infer<typeof BallotsAnswer>;
