import * as z from 'zod/mini';
import { PhoneHours } from './branding.ts';
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
  /** Why the office decided so, in its own words; empty when it gave no reason, or where it is not for the voter. */
  display_reason: z.string(),
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

/** What can be wrong with a returned ballot envelope. */
export const defects = [
  'signature-missing',
  'signature-differs',
  'witness-or-envelope-incomplete',
  'id-missing',
  'wrong-envelope',
  'other',
] as const;

/** How voters can fix an envelope. */
export const fixWays = [
  'online',
  'text',
  'in-person',
  'email',
  'fax',
  'drop-box',
  'mail',
  'provisional',
  'new-ballot',
] as const;

export const FixWay = z.object({
  way: z.enum(fixWays),
  /** The page to open or the address to write to; null where there is none. */
  url: z.nullable(z.string()),
  /** Where, in the office's words: an address, a phone number, a keyword and its number; empty when the office named none. */
  place: z.string(),
  /** When the place is open, in the account's time zone. */
  hours: z.array(PhoneHours),
  /** ISO 8601 with an offset: from then on it is no longer sure to be in time. Null when the deadline is not known. */
  until: z.nullable(z.string()),
});
export type FixWay = z.infer<typeof FixWay>;

/** How to fix a returned envelope that the office has found a problem with. */
export const BallotFix = z.object({
  /** `recorded`: the office has since withdrawn the problem, and the ballot has no verdict yet. */
  state: z.enum(['open', 'recorded']),
  defect: z.enum(defects),
  /** What is wrong, in a sentence. */
  display_reason: z.string(),
  /** ISO 8601 with an offset. Null: only the election office can say. */
  deadline: z.nullable(z.string()),
  /** IANA name of the zone in which the deadline is set. */
  time_zone: z.string(),
  /** The surest first; those that are too late now are left out. */
  ways: z.array(FixWay),
  /** The form to print (PDF), if the office has one. */
  form_url: z.nullable(z.string()),
  /** Where a voter reports that the ballot is not theirs, if the office wants that. */
  not_returned_url: z.nullable(z.string()),
});
export type BallotFix = z.infer<typeof BallotFix>;

/** An envelope that stopped moving in the mail: what is known, and what to do. */
export const StoppedBallot = z.object({
  /** It was mailed and nobody saw it, its expected day has passed, nobody saw it again, or the office has not recorded its return. */
  reason: z.enum(['not-seen', 'late', 'no-scan', 'not-received']),
  /** By the days that are left: wait, use a drop box, come in person, or (after the deadline) call. */
  advice: z.enum(['wait', 'drop-box', 'in-person', 'call']),
  /** YYYY-MM-DD: the last day to ask for a replacement; null when none is offered. */
  replacement_until: z.nullable(z.string()),
  /** What is known, in a sentence or two. */
  display_known: z.string(),
  /** What to do, each in a sentence or two. */
  display_steps: z.array(z.string()),
});
export type StoppedBallot = z.infer<typeof StoppedBallot>;

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
  /** Null when the office has found no problem with the returned envelope. */
  fix: z.nullable(BallotFix),
  /** Null while it moves as usual, or when the office does not show it. */
  stopped: z.nullable(StoppedBallot),
});
export type Ballot = z.infer<typeof Ballot>;

export const BallotStatusProgress = z.object({
  ballots: z.array(Ballot),
  /** When the office's newest file was imported; null before the first. */
  as_of: z.nullable(z.string()),
  /** The server's time at this answer, ISO 8601: a page counts down by it, because a device's clock may be wrong. */
  answered_at: z.string(),
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
