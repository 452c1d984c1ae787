import { type BusinessCalendar, type Closures, createCalendar } from './calendar.ts';
import type { CureRule, Defect, ElectionKind } from './rule.ts';
import { type AnchorDays, computeDeadline, type Deadline, findRule } from './rules.ts';
import { readStateRules } from './states.ts';

/** A returned envelope that needs a fix, as far as its deadline depends on it. */
export interface CureCase {
  /** Two letters. */
  readonly state: string;
  readonly defect: Defect;
  readonly kind: ElectionKind;
  readonly days: AnchorDays;
  readonly closures: Closures;
  /** IANA name of the office's clock, if it is known: the hour of the law is that of the county, and some states have two. */
  readonly timeZone?: string | undefined;
}

/**
 * By when an envelope must be fixed, by the law of its state.
 *
 * @returns null when the product knows no rule for the case
 */
export async function findDeadline(
  cure: CureCase,
): Promise<{ readonly rule: CureRule; readonly deadline: Deadline } | null> {
  const known = readStateRules(cure.state);
  const found = known && findRule(known.rules, { ...cure, election: cure.days.election });
  if (!found) return null;
  // An account with the zone of another state is a mistake, and does not move a deadline.
  const own = known.otherZones?.find((zone) => zone === cure.timeZone);
  const rule = own ? { ...found, zone: own } : found;
  const calendar = await findCalendar(cure.state, cure.closures);
  return { rule, deadline: computeDeadline(rule, cure.days, calendar) };
}

/**
 * The clocks that counties of a state keep.
 *
 * @returns null when the product knows no rule of the state
 */
export function listClocks(state: string): readonly string[] | null {
  const known = readStateRules(state);
  return (
    known && [...new Set([...known.rules.map(({ zone }) => zone), ...(known.otherZones ?? [])])]
  );
}

// A process works out each year's holidays of an office once: many voters ask on one day.
const calendars = new Map<string, Promise<BusinessCalendar>>();

function findCalendar(state: string, closures: Closures): Promise<BusinessCalendar> {
  const key = `${state} ${JSON.stringify(closures)}`;
  const known = calendars.get(key);
  if (known) return known;
  const made = createCalendar(state, closures);
  calendars.set(key, made);
  // What failed once may work at the next try.
  made.catch(() => calendars.delete(key));
  return made;
}
