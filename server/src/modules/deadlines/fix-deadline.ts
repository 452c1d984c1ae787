import type { Closures } from './calendar.ts';
import { findDeadline } from './find-deadline.ts';
import {
  type Anchor,
  type CureRule,
  type Defect,
  type ElectionKind,
  electionKinds,
} from './rule.ts';
import { momentOf } from './ways.ts';

/** An envelope to fix, and all that is on record to work out until when. Days are `YYYY-MM-DD`; null: not on record. */
export interface FixCase {
  /** Two letters. */
  readonly state: string;
  /** The account's; the clock of a deadline that the office set itself. */
  readonly timeZone: string;
  readonly closures: Closures;
  readonly defect: Defect;
  readonly election: FixElection;
  readonly discoveredOn: string | null;
  readonly receivedOn: string | null;
  /** Set by the office over the rule of its state. */
  readonly officeDeadline: OfficeDeadline | null;
}

export interface FixElection {
  readonly electionDate: string;
  readonly kind: ElectionKind | null;
  readonly certifiedOn: string | null;
  readonly canvassedOn: string | null;
}

export interface OfficeDeadline {
  /** `YYYY-MM-DD` */
  readonly endsOn: string;
  /** `HH:mm` */
  readonly endsAt: string;
}

export interface FixDeadline {
  /** ISO 8601 with an offset; null when nobody knows it. */
  readonly at: string | null;
  /** The zone of its clock. */
  readonly timeZone: string;
  /** The law's rule; null when the product knows none, or none for sure. */
  readonly rule: CureRule | null;
  /** What the office has to say before the deadline is known. */
  readonly missing: readonly (Anchor | 'kind')[];
}

/**
 * Until when an envelope can be fixed: what the office has set, or else the rule of its state. Without the election's kind the
 * law's answer counts only where it is the same for every kind.
 */
export async function findFixDeadline(fix: FixCase): Promise<FixDeadline> {
  const { election, officeDeadline, timeZone } = fix;
  const kinds = election.kind ? [election.kind] : electionKinds;
  const answers = await Promise.all(kinds.map((kind) => findDeadline(toCureCase(fix, kind))));
  const [first = null] = answers;
  const isSure = answers.every(
    (one) => JSON.stringify(one?.deadline) === JSON.stringify(first?.deadline),
  );
  const rule = isSure ? (first?.rule ?? null) : null;
  if (officeDeadline) {
    const moment = momentOf(officeDeadline.endsOn, officeDeadline.endsAt, timeZone);
    const at = moment.toString({ timeZoneName: 'never', smallestUnit: 'second' });
    return { at, timeZone, rule, missing: [] };
  }
  if (!isSure) return { at: null, timeZone, rule: null, missing: ['kind'] };
  if (!first) return { at: null, timeZone, rule: null, missing: [] };
  const { deadline } = first;
  return {
    at: deadline.known ? deadline.at : null,
    timeZone: first.rule.zone,
    rule,
    missing: deadline.known ? [] : deadline.missing,
  };
}

function toCureCase(fix: FixCase, kind: ElectionKind) {
  const { electionDate, certifiedOn, canvassedOn } = fix.election;
  return {
    state: fix.state,
    defect: fix.defect,
    kind,
    closures: fix.closures,
    timeZone: fix.timeZone,
    days: {
      election: electionDate,
      certification: certifiedOn ?? undefined,
      canvass: canvassedOn ?? undefined,
      discovery: fix.discoveredOn ?? undefined,
      receipt: fix.receivedOn ?? undefined,
    },
  };
}
