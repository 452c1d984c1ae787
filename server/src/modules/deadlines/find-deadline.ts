import { type BusinessCalendar, type Closures, createCalendar } from './calendar.ts';
import type { CureRule, Defect, ElectionKind, StateRules } from './rule.ts';
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
  const known = await once(states, cure.state.toUpperCase(), () => readStateRules(cure.state));
  const found = known && findRule(known.rules, { ...cure, election: cure.days.election });
  if (!found) return null;
  // An account with the zone of another state is a mistake, and does not move a deadline.
  const own = known.otherZones?.find((zone) => zone === cure.timeZone);
  const rule = own ? { ...found, zone: own } : found;
  const office = `${cure.state} ${JSON.stringify(cure.closures)}`;
  const calendar = await once(calendars, office, () => createCalendar(cure.state, cure.closures));
  return { rule, deadline: computeDeadline(rule, cure.days, calendar) };
}

/**
 * The clocks that counties of a state keep.
 *
 * @returns null when the product knows no rule of the state
 */
export async function listClocks(state: string): Promise<readonly string[] | null> {
  const known = await once(states, state.toUpperCase(), () => readStateRules(state));
  return (
    known && [...new Set([...known.rules.map(({ zone }) => zone), ...(known.otherZones ?? [])])]
  );
}

// A process reads each file and works out each year's holidays once: many voters ask on one day.
const states = new Map<string, Promise<StateRules | null>>();
const calendars = new Map<string, Promise<BusinessCalendar>>();

function once<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  make: () => Promise<Value>,
): Promise<Value> {
  const made = known.get(key) ?? make();
  known.set(key, made);
  return made;
}
