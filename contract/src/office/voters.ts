import * as z from 'zod/mini';
import { againAnswers } from '../own-messages.ts';
import { RowId } from './filters.ts';

export const VoterSearch = z.strictObject({
  /** A voter ID, a name, a birth date, a phone number, an email address, several of these, or a ballot number. */
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(2, 'Type at least two letters or digits.'),
      z.maxLength(200, 'Use at most 200 letters.'),
    ),
  /** The number of the voter after whom the list goes on: `next` of the list before. */
  after: z.optional(z.int().check(z.minimum(1))),
});

export const VoterMatches = z.object({
  /** How many match, from the first that is listed on; as many as can be compared at a glance are listed. */
  matches: z.int(),
  /** Even more match: of a name that thousands have, only the first are counted. */
  is_more: z.boolean(),
  voters: z.array(
    z.object({
      voter_id: z.int(),
      registration_id: z.string(),
      /** Empty for a confidential voter, who is found by voter ID alone. */
      name: z.string(),
      /** `YYYY-MM-DD`, or only the year */
      born: z.nullable(z.string()),
      place: z.string(),
      is_active: z.boolean(),
    }),
  ),
  /** Goes on with the list, as `after`; null at its end. */
  next: z.nullable(z.int()),
});
export type VoterMatches = z.infer<typeof VoterMatches>;

export const VoterParams = z.object({
  voter_id: RowId,
});

/** In characters: a call in a few sentences, and no file. */
export const mostNoteLength = 500;

export const CallNote = z.strictObject({
  /** What the voter asked, and what was answered. */
  text: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Type a note.'),
      z.maxLength(mostNoteLength, `Use at most ${mostNoteLength} letters.`),
    ),
});

export const VoterNote = z.object({
  note_id: z.int(),
  /** ISO 8601 */
  at: z.string(),
  /** The name of the person who noted it. */
  who: z.string(),
  text: z.string(),
});
export type VoterNote = z.infer<typeof VoterNote>;

export const VoterMessageParams = z.object({
  voter_id: RowId,
  message_id: RowId,
});

export const SentAgain = z.object({
  /** Where it goes: the address that is confirmed today. */
  address: z.string(),
});

export const Unlocked = z.object({
  /** Whether details, token or code alone did no longer do before. */
  was_locked: z.boolean(),
});

export const VoterSignedOut = z.object({
  /** Sessions that ended. */
  sessions: z.int(),
});

export const LetterCodeRevoked = z.object({
  /** False for a voter who has no letter code. */
  had_code: z.boolean(),
});

const BallotEvent = z.object({
  /** `YYYY-MM-DD`, an instant, or null where the source says neither */
  when: z.nullable(z.string()),
  recorded_at: z.string(),
  /** Who reported it: the office, its mail house, a USPS scan, or an estimate. */
  kind: z.enum(['office', 'print', 'scan', 'estimate']),
  /** Null when no rule knows the source's value. */
  status: z.nullable(z.string()),
  raw_status: z.string(),
  reason: z.string(),
  /** The file and its line. */
  source: z.string(),
  /** Its import was corrected, so that it no longer counts. */
  is_withdrawn: z.boolean(),
});

export const VoterRecord = z.object({
  voter_id: z.int(),
  registration_id: z.string(),
  is_active: z.boolean(),
  /** A confidential voter's details are in the office's own system alone. */
  is_confidential: z.boolean(),
  /** So many sign-ins failed that the voter's details, token or code alone no longer do. */
  is_locked: z.boolean(),
  /** What is on the roll, in order; what is empty is left out. */
  details: z.array(z.object({ name: z.string(), value: z.string() })),
  ballots: z.array(
    z.object({
      ballot_id: z.int(),
      ballot_number: z.string(),
      election: z.string(),
      /** `YYYY-MM-DD` */
      election_date: z.string(),
      /** What the voter's page shows; null before the first status. */
      status: z.nullable(z.string()),
      /** The page no longer shows it, because another ballot of the election is complete. */
      is_ended: z.boolean(),
      events: z.array(BallotEvent),
    }),
  ),
  /** Of calls, newest first. */
  notes: z.array(VoterNote),
  messages: z.array(
    z.object({
      message_id: z.int(),
      at: z.string(),
      channel: z.string(),
      address: z.string(),
      what: z.string(),
      state: z.string(),
      error: z.nullable(z.string()),
      /** Whether it can be sent once more, by the rules of the voter's own page. */
      again: z.enum(againAnswers),
    }),
  ),
  consents: z.array(
    z.object({
      at: z.string(),
      channel: z.string(),
      address: z.string(),
      action: z.string(),
      source: z.string(),
    }),
  ),
});
export type VoterRecord = z.infer<typeof VoterRecord>;
