import * as z from 'zod/mini';
import { defects } from '../ballot-status-progress.ts';

/** What became of an envelope that needed its voter. */
export const fixStates = ['open', 'fixed', 'expired', 'ended'] as const;

/** By what the counts of a report are added up. */
export const fixGroups = ['day', 'defect', 'language', 'precinct'] as const;

/** By what the queue is sorted; `deadline` is the time that is left. */
export const fixColumns = ['deadline', 'voter', 'election', 'defect', 'opened'] as const;
export type FixColumn = (typeof fixColumns)[number];

export const FixesQuery = z.object({
  state: z._default(z.enum(fixStates), 'open'),
  defect: z.optional(z.enum(defects)),
  sort: z._default(z.enum(fixColumns), 'deadline'),
  direction: z._default(z.enum(['ascending', 'descending']), 'ascending'),
});

/** Envelopes that voters can fix, sorted before the first are taken. */
export const FixesAnswer = z.object({
  /** The newest ballot file is too old to know who has fixed the envelope: reminders wait for the next. */
  is_feed_late: z.boolean(),
  /** All that match; the first 500 are listed. */
  count: z.int(),
  fixes: z.array(
    z.object({
      voter_id: z.int(),
      registration_id: z.string(),
      /** Empty for a confidential voter. */
      name: z.string(),
      is_confidential: z.boolean(),
      /** Its name. */
      election: z.string(),
      defect: z.enum(defects),
      state: z.enum(fixStates),
      /** An instant, ISO 8601; null when nobody knows it. */
      deadline: z.nullable(z.string()),
      /** Instants, ISO 8601. */
      notices: z.array(z.object({ how: z.string(), at: z.string() })),
      opened_at: z.nullable(z.string()),
      needs_letter: z.boolean(),
    }),
  ),
  /** Voters with an envelope to fix whom no message reaches, whatever is listed above. */
  letters: z.object({
    /** Whose letter was not printed yet. */
    needed: z.int(),
    /** Whose letter can be printed once more. */
    printed: z.int(),
    /** Voter IDs of those whose roll has no address. */
    without_address: z.array(z.string()),
    /** Confidential voters, who are in no file; 0 for a person who may not know of them. */
    confidential: z.int(),
  }),
});
export type FixesAnswer = z.infer<typeof FixesAnswer>;

export const FixLetters = z.strictObject({
  /** Also the letters that were printed before. */
  again: z.boolean(),
});

export const FixReportQuery = z.object({
  by: z._default(z.enum(fixGroups), 'day'),
});

/** Counts without personal data; confidential voters are not counted. */
export const FixReport = z.object({
  rows: z.array(
    z.object({
      group: z.string(),
      found: z.int(),
      notified: z.int(),
      opened: z.int(),
      fixed: z.int(),
      expired: z.int(),
    }),
  ),
});
export type FixReport = z.infer<typeof FixReport>;
