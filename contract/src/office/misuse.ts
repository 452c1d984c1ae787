import * as z from 'zod/mini';
import { channels } from '../messages.ts';

/** What visitors made the office send today, and what waits above its limit until somebody decides. */
const WaitingRequests = z.object({
  channel: z.enum(channels),
  /** Requests of today; the office counts from zero again after each decision. */
  today: z.int(),
  limit: z.int(),
  waiting: z.int(),
  /** Whose saves caused those that wait, and how many addresses they would go to: one voter with many is no voter. */
  voters: z.int(),
  addresses: z.int(),
  /** Instants, ISO 8601; null when nothing waits. */
  first_at: z.nullable(z.string()),
  last_at: z.nullable(z.string()),
  /** The newest that waits; null when nothing does. */
  last_id: z.nullable(z.int()),
});
export type WaitingRequests = z.infer<typeof WaitingRequests>;

export const MisuseAnswer = z.object({
  requests: z.array(WaitingRequests),
  /** Sessions that voters have now, each in a browser of its own. */
  sessions: z.int(),
});

export const RequestsParams = z.object({ channel: z.enum(channels) });

export const RequestsDecision = z.strictObject({
  decision: z.enum(['send', 'discard']),
  /** The newest that the person saw: what came later waits for another look. */
  last_id: z.int().check(z.minimum(1), z.maximum(Number.MAX_SAFE_INTEGER)),
});

/** How many messages it was about. */
export const RequestsDecided = z.object({ messages: z.int() });

export const SessionsEnd = z.strictObject({
  /** For the log. */
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Write why, for the log.'),
      z.maxLength(500, 'Use at most 500 letters.'),
    ),
});

/** How many sessions there were. */
export const SessionsEnded = z.object({ ended: z.int() });
