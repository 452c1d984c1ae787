import * as z from 'zod/mini';
import { channels } from '../messages.ts';
import { messageOutcomeNames } from './messages.ts';

/** `spraying`: one network tried many voters; the other: it changed where many voters' messages go. */
export const attackKinds = ['preferences-changed-in-mass', 'spraying'] as const;
export type AttackKind = (typeof attackKinds)[number];

/** What an office's people look at first. It contains counts alone, nothing of a voter. */
export const Today = z.object({
  waiting: z.object({
    /** Files of which nothing is loaded until a second person approves them. */
    files: z.int(),
    /** Loaded files whose messages wait. */
    messages: z.int(),
    /** Uploaded files that were checked, and that nobody has decided yet. */
    uploads: z.int(),
    /** Requests to confirm an address above the office's daily limit, which visitors reached. */
    requests: z.int(),
  }),
  /** What somebody did to the office's voters in the last day, the kinds in order. */
  attacks: z.array(
    z.object({
      kind: z.enum(attackKinds),
      /** Instant, ISO 8601. */
      last_at: z.string(),
    }),
  ),
  feeds: z.array(
    z.object({
      format: z.string(),
      /** Instants, ISO 8601; null before the first file. */
      last_at: z.nullable(z.string()),
      every_hours: z.nullable(z.number()),
      is_late: z.boolean(),
    }),
  ),
  /** Ballots of each current election by the status that voters see. */
  elections: z.array(
    z.object({
      number: z.string(),
      name: z.string(),
      /** `YYYY-MM-DD` */
      date: z.string(),
      ballots: z.array(z.object({ status: z.nullable(z.string()), count: z.int() })),
    }),
  ),
  /** Envelopes that voters of current elections can still fix, by the time that is left. */
  fixes: z.object({
    within_day: z.int(),
    within_three_days: z.int(),
    later: z.int(),
    /** The deadline is not known. */
    unknown: z.int(),
    /** No message can reach the voter. */
    need_letter: z.int(),
    /** The newest ballot file is too old to know who has fixed the envelope: reminders wait for the next. */
    is_feed_late: z.boolean(),
  }),
  /** Where many envelopes stopped in the mail and still are, the most first. */
  stopped: z.array(
    z.object({
      /** Such as "PORT ALDEN, FL 34811"; empty: in many places at once, so that voters got no message. */
      facility: z.string(),
      /** `YYYY-MM-DD`: when they were seen last; in many places: when they were found. */
      day: z.string(),
      envelopes: z.int(),
      zips: z.array(z.string()),
    }),
  ),
  /** Channels whose provider refuses messages or asks for patience, so that messages of every office come late. */
  trouble: z.array(z.enum(channels)),
  /** What became of the voters' attempts to sign in during the last day. */
  sign_ins: z.object({ signed_in: z.int(), refused: z.int(), locked: z.int() }),
  /** The same day of the week before, in the office's time zone: `YYYY-MM-DD`. */
  messages_from: z.string(),
  /** Messages created from that day on, by the outcome and the days by which their list is filtered. */
  messages: z.array(
    z.object({ channel: z.enum(channels), outcome: z.enum(messageOutcomeNames), count: z.int() }),
  ),
});
export type Today = z.infer<typeof Today>;
