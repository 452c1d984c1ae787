import * as z from 'zod/mini';

/** Server-sent events for a signed-in voter's open dashboard: that there may be news, never what it is. */
export const livePath = '/api/voter/live';

/** The data of each event. */
export const LiveEvent = z.object({
  /** When the stream opens: the `as_of` of ballots that are fetched now. */
  as_of: z.optional(z.nullable(z.string())),
  /** The office's ballots changed: fetch them at a random time within so many milliseconds. */
  within_ms: z.optional(z.int()),
});
export type LiveEvent = z.infer<typeof LiveEvent>;
