import * as z from 'zod/mini';
import { RowId } from './filters.ts';

/** What kind of election it is, as far as a state's law treats it differently. */
export const electionKinds = [
  'general',
  'primary',
  'presidential-primary',
  'federal',
  'statewide',
  'special',
  'runoff',
  'municipal',
  'local',
] as const;
export type ElectionKind = (typeof electionKinds)[number];

const asDay = 'Choose a day.';
const Day = z.iso.date(asDay).check(z.regex(/^(?:19|20)/, asDay));

const text = (missing: string, most: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(most, `Use at most ${most} letters and digits.`),
    );

const parts = {
  /** As the office's files name it; no two of an office differ only by case. */
  number: text('Type the number that your files use.', 60),
  name: text('Type the name that voters read.', 200),
  /** `YYYY-MM-DD`, as all days here. */
  election_date: Day,
  /** Its ballots are current. */
  is_active: z.boolean(),
  /** By when a ballot must be back; null while it is not announced. */
  return_deadline: z.nullable(
    z.strictObject({
      rule: z.enum(['received', 'postmarked']),
      date: Day,
      /** `HH:mm` in the office's time zone; null when the whole day counts. */
      time: z.nullable(z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Choose a time.'))),
      place: z.string().check(z.trim(), z.maxLength(200, 'Use at most 200 letters.')),
    }),
  ),
  /** What deadlines to fix an envelope depend on; null while the office has not said it. */
  kind: z.nullable(z.enum(electionKinds)),
  certified_on: z.nullable(Day),
  canvassed_on: z.nullable(Day),
};

export const NewElection = z.strictObject(parts);
export type NewElection = z.infer<typeof NewElection>;

/** What is left out stays. */
export const ElectionChange = z.partial(NewElection);
export type ElectionChange = z.infer<typeof ElectionChange>;

/** `from`: what the person saw of it. Where somebody changed that meanwhile, the change is refused. */
export const ElectionEdit = z.extend(ElectionChange, { from: z.optional(ElectionChange) });

const ListedElection = z.object({ election_id: z.int(), ...parts });
export type ListedElection = z.infer<typeof ListedElection>;

/** By election day, newest first. */
export const ElectionsAnswer = z.object({ elections: z.array(ListedElection) });

export const ElectionParams = z.object({ election_id: RowId });
export const CreatedElection = z.object({ election_id: z.int() });
