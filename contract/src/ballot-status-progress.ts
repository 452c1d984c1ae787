import * as z from 'zod/mini';
import { ballotStatuses, eventKinds } from './statuses.ts';

export const BallotStatusCode = z.enum(ballotStatuses as readonly [string, ...string[]]);

/**
 * When something happened: `YYYY-MM-DD` where the office gave only a day (never shifted by a time zone), else an
 * ISO 8601 instant. Null when it has not happened, is not on record, or the account hides dates.
 */
export const When = z.nullable(z.string());

export const CurrentStatus = z.object({
  status: BallotStatusCode,
  display_name: z.string(),
  display_description: z.string(),
  /** What the voter should do now, in a sentence; empty when there is nothing to do. */
  display_next_step: z.string(),
  datetime: When,
  outbound_expected_delivery_date: z.nullable(z.string()),
  inbound_expected_delivery_date: z.nullable(z.string()),
});
export type CurrentStatus = z.infer<typeof CurrentStatus>;

export const StatusHistoryStep = z.object({
  status: BallotStatusCode,
  display_name: z.string(),
  display_description: z.string(),
  datetime: When,
  is_standard_flow: z.boolean(),
  /** True also for a step that a later one implies, and for one whose date the account hides. */
  is_reached: z.boolean(),
  /** Who reported it; null for a step that nobody has reported. */
  kind: z.nullable(z.enum(eventKinds)),
});
export type StatusHistoryStep = z.infer<typeof StatusHistoryStep>;

/** By when a ballot must be back. */
export const ReturnDeadline = z.object({
  /** Whether the office must have the envelope by then, or USPS must have postmarked it. */
  rule: z.enum(['received', 'postmarked']),
  /** YYYY-MM-DD */
  date: z.string(),
  /** HH:mm in the account's time zone; null when the whole day counts. */
  time: z.nullable(z.string()),
  /** Where to return it, in the office's words; empty when the office named no place. */
  place: z.string(),
});
export type ReturnDeadline = z.infer<typeof ReturnDeadline>;

export const Ballot = z.object({
  ballot_id: z.int(),
  election: z.object({
    election_name: z.string(),
    election_date: z.string(),
    election_is_active: z.boolean(),
    /** Null when the office has not announced it. */
    return_deadline: z.nullable(ReturnDeadline),
  }),
  status_summary: z.object({
    status: z.enum(['complete', 'halted', 'in-progress']),
    current_step: z.int(),
    total_steps: z.int(),
    current_status: CurrentStatus,
  }),
  status_history: z.array(StatusHistoryStep),
});
export type Ballot = z.infer<typeof Ballot>;

export const BallotStatusProgress = z.object({
  ballots: z.array(Ballot),
  /** When the office's newest file was imported; null before the first. */
  as_of: z.nullable(z.string()),
});
export type BallotStatusProgress = z.infer<typeof BallotStatusProgress>;

/** What replaces the ballot card when no election is active (product spec §2, Dashboard). */
export const NoBallotStatus = z.object({
  language: z.string(),
  title: z.string(),
  description: z.string(),
});
export type NoBallotStatus = z.infer<typeof NoBallotStatus>;

export const PastBallot = z.object({
  ballot_id: z.int(),
  election_name: z.string(),
  display_name: z.string(),
  status: BallotStatusCode,
  datetime: When,
});
export type PastBallot = z.infer<typeof PastBallot>;

export const ArchiveBallotAnswer = z.object({
  _embedded: z.object({ ballot: z.array(PastBallot) }),
  page_size: z.int(),
  total_items: z.int(),
});
export type ArchiveBallotAnswer = z.infer<typeof ArchiveBallotAnswer>;
