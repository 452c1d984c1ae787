import { defects, fixWays } from '@ballot-beacon/contract/ballot-status-progress';
import { type ElectionKind, electionKinds } from '@ballot-beacon/contract/office/elections';
import { anchors } from '@ballot-beacon/contract/office/fix-deadlines';
import * as z from 'zod/mini';

export { anchors, defects, type ElectionKind, electionKinds };
export type Defect = (typeof defects)[number];

export type Anchor = (typeof anchors)[number];

const day = z.iso.date();
const text = z.string().check(z.minLength(1));

const Count = z.strictObject({
  anchor: z.enum(anchors),
  /** Days after the anchor; negative: before it; 0: the anchor's own day. */
  n: z.int().check(z.gte(-60), z.lte(60)),
  unit: z.enum(['calendar', 'business']),
});
export type Count = z.infer<typeof Count>;

const counts = z.array(Count).check(z.minLength(1));

/** How long voters of a state have to fix an envelope: law as data. */
export const CureRule = z.strictObject({
  defects: z.array(z.enum(defects)).check(z.minLength(1)),
  electionKinds: z.array(z.enum(electionKinds)).check(z.minLength(1)),
  /** The first and last election day that the rule is for; absent: no such limit is known. */
  electionsFrom: z.optional(day),
  electionsUntil: z.optional(day),
  /** Null: the law leaves it to each county, so that only the office can say. */
  deadline: z.nullable(
    z.union([z.strictObject({ latestOf: counts }), z.strictObject({ earliestOf: counts })]),
  ),
  /** `HH:mm` on the clock of `zone`. */
  time: z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
  /** IANA name. */
  zone: z.string().check(z.refine(isTimeZone)),
  /** What becomes of a deadline on a day that is not a business day. */
  roll: z.enum(['none', 'next-business']),
  /** By when and how the law has the office notify the voter; null where no source says. */
  notice: z.nullable(
    z.strictObject({ latest: z.nullable(Count), channels: z.array(text), text: z.string() }),
  ),
  /** Further attempts the law asks of the office. */
  attempts: z.array(z.strictObject({ channel: text, anchor: z.enum(anchors), n: z.int() })),
  ways: z.array(z.enum(fixWays)),
  source: text,
  checkedOn: day,
  officeMayChange: z.boolean(),
  note: z.optional(text),
});
export type CureRule = z.infer<typeof CureRule>;

export const StateRules = z.strictObject({
  /** Two capital letters. */
  state: z.string().check(z.regex(/^[A-Z]{2}$/)),
  name: text,
  /** IANA names of the clocks that some of its counties keep instead of the rules' own. */
  otherZones: z.optional(z.array(z.string().check(z.refine(isTimeZone)))),
  /** The first that covers the defect, kind and day of an election applies. */
  rules: z.array(CureRule).check(z.minLength(1)),
});
export type StateRules = z.infer<typeof StateRules>;

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}
