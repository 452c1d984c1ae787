import * as z from 'zod/mini';
import { defects } from '../ballot-status-progress.ts';

/** The days that deadlines count from. Only the election's is always known. */
export const anchors = [
  'election',
  'certification',
  'canvass',
  'notice',
  'discovery',
  'receipt',
] as const;

const asDay = 'Choose a day.';

const own = {
  /** `YYYY-MM-DD` */
  ends_on: z.iso.date(asDay).check(z.regex(/^(?:19|20)/, asDay)),
  /** `HH:mm` in the office's time zone. */
  ends_at: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Choose a time.')),
  /** The decision, order or law that it rests on. */
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Write the decision, order or law that it rests on.'),
      z.maxLength(500, 'Use at most 500 letters.'),
    ),
};

const OwnDeadline = z.strictObject(own);
export type OwnDeadline = z.infer<typeof OwnDeadline>;

const FixDeadline = z.object({
  defect: z.enum(defects),
  /** By the rule of the state. */
  law: z.object({
    /** Instant, ISO 8601; null while nobody can say it. */
    at: z.nullable(z.string()),
    /** What the office has to say first; empty without `at`: the state leaves it to its counties, or no rule is known. */
    missing: z.array(z.enum(['kind', ...anchors])),
    /** Null: no rule is known. */
    rule: z.nullable(
      z.object({ source: z.string(), checked_on: z.string(), note: z.nullable(z.string()) }),
    ),
  }),
  /** What the office laid over the rule: voters read this one. */
  own: z.nullable(z.object({ ...own, who: z.string(), set_at: z.string() })),
});

const ElectionDeadlines = z.object({
  election_id: z.int(),
  number: z.string(),
  name: z.string(),
  /** `YYYY-MM-DD` */
  election_date: z.string(),
  /** Of the office's own deadlines for this election: a change names the deadline that the person saw. */
  version: z.string(),
  deadlines: z.array(FixDeadline),
});
export type ElectionDeadlines = z.infer<typeof ElectionDeadlines>;

/** Until when envelopes of the active elections can be fixed, by what is wrong with them; the next election first. */
export const FixDeadlinesAnswer = z.object({
  /** Two letters. */
  state: z.string(),
  elections: z.array(ElectionDeadlines),
});

export const FixDeadlinesChange = z.strictObject({
  version: z.string().check(z.maxLength(64)),
  /** `own` null: the rule of the state applies again. */
  changes: z.array(z.strictObject({ defect: z.enum(defects), own: z.nullable(OwnDeadline) })).check(
    z.minLength(1, 'Choose at least one problem.'),
    z.refine(
      (all) => new Set(all.map(({ defect }) => defect)).size === all.length,
      'Name each problem once.',
    ),
  ),
});
export type FixDeadlinesChange = z.infer<typeof FixDeadlinesChange>;

/** The version after the change. */
export const FixDeadlinesChanged = z.object({ version: z.string() });
