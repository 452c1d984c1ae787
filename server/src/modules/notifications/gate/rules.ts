/** Why an import's messages wait for a second person. */
export interface GateReason {
  readonly code:
    | 'unusual-jumps'
    | 'election-over'
    | 'election-far'
    | 'dates-off'
    | 'volume'
    | 'empty-placeholder'
    | 'blank-names';
  /** For the operator: what was found, in numbers, and what would have been normal. No voter's data. */
  readonly detail: string;
}

export interface StatusChange {
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
}

export interface GateElection {
  readonly number: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** The same as people read it: `Nov 3`. */
  readonly day: string;
  /** Of the election as a whole; not counted, and 0, where no status has more changes than is usual. */
  readonly ballots: number;
  /** It had no ballots before this import. */
  readonly isFirstFile: boolean;
  readonly changes: readonly StatusChange[];
  /** Changes whose date lies after today. */
  readonly inFuture: number;
  /** Changes dated outside the time in which ballots of this election can move. */
  readonly outOfSeason: number;
}

export interface GateFacts {
  /** YYYY-MM-DD in the account's calendar. */
  readonly today: string;
  /** Those with changes of which voters would get messages. */
  readonly elections: readonly GateElection[];
  /** The most ballots that one earlier import brought into each status. */
  readonly history: Readonly<Record<string, number>>;
  /** Placeholders that stayed empty in a trial rendering, with the text's key or place. */
  readonly gaps: readonly string[];
  /** Messages to voters whose roll entry has no name. */
  readonly blankNames: number;
}

/**
 * The share of an election's ballots that one import may bring into a status. A whole election is printed and mailed
 * in a day; it is never received in one, and refusals come by the dozen.
 */
const plausibleShare: Readonly<Record<string, number>> = {
  requested: 1,
  printed: 1,
  sent: 1,
  'in-transit': 1,
  delivered: 1,
  'return-in-transit': 0.25,
  returned: 0.15,
  accepted: 0.15,
  counted: 1,
  'application-received': 0.25,
  'application-approved': 0.25,
  'in-person': 0.1,
  undeliverable: 0.03,
  reprinted: 0.03,
  cancelled: 0.02,
  'application-incomplete': 0.03,
  'application-refused': 0.02,
  'not-counted': 0.02,
  'rejected-curable': 0.02,
  rejected: 0.02,
};

/** So few never wait because of their number: everyday imports of a small county. */
const everyday = 25;
const timesHistory = 3;

/**
 * Envelopes to fix start reminders, and false ones frighten: fewer are everyday, and an earlier file with many does not make many
 * usual.
 */
const everydayFixes = 10;

/** Changes into a status that are never too many, whatever the number of ballots. */
export function usualChanges(status: string, history: Readonly<Record<string, number>>): number {
  if (status === 'rejected-curable') return everydayFixes;
  return Math.max(everyday, timesHistory * (history[status] ?? 0));
}

const isBehind: Readonly<Record<string, readonly string[]>> = {
  accepted: ['requested', 'printed', 'sent', 'returned', 'undeliverable'],
  counted: ['requested', 'printed', 'sent', 'returned', 'undeliverable', 'accepted'],
  'in-person': ['requested', 'printed', 'sent'],
  returned: ['requested', 'printed', 'sent'],
  sent: ['requested', 'printed'],
  printed: ['requested'],
};
/** Nobody returns what was never sent. */
const needsSending = [
  ...['returned', 'accepted', 'counted', 'rejected', 'not-counted', 'rejected-curable'],
  'undeliverable',
];

/**
 * Whether one change is unusual. A single change can be a clerk's correction or a court's order;
 * many at once are a wrong file. The first file of an election may start anywhere.
 */
function isUnusualJump(from: string | null, to: string, isFirstFile: boolean): boolean {
  if (from !== null && isBehind[from]?.includes(to)) return true;
  return !isFirstFile && from === null && needsSending.includes(to);
}

/**
 * Weighs an import before its messages go out. The four false alerts that offices sent between 2010 and 2025 came
 * from a wrong file, a wrong date column, an empty placeholder and wrong recipients; each shows here as one or more of
 * these. No reason means that the messages go.
 */
export function weighImport(facts: GateFacts): GateReason[] {
  const reasons: GateReason[] = [];
  for (const election of facts.elections) reasons.push(...weighElection(election, facts));
  if (facts.gaps.length > 0)
    reasons.push({
      code: 'empty-placeholder',
      detail: `These would have been empty in the messages: ${facts.gaps.join(', ')}.`,
    });
  if (facts.blankNames > 0)
    reasons.push({
      code: 'blank-names',
      detail: `${facts.blankNames} messages are to voters without a name on the roll.`,
    });
  return reasons;
}

function weighElection(election: GateElection, facts: GateFacts): GateReason[] {
  const reasons: GateReason[] = [];
  const { number, changes, ballots, isFirstFile } = election;
  const total = sum(changes);
  const days = daysBetween(facts.today, election.date);
  if (days < -45)
    reasons.push({
      code: 'election-over',
      detail: `Election ${number} was on ${election.day}, and it is still marked active.`,
    });
  if (days > 150)
    reasons.push({
      code: 'election-far',
      detail: `Election ${number} is on ${election.day}, ${days} days from now.`,
    });

  const jumps = changes.filter(({ from, to }) => isUnusualJump(from, to, isFirstFile));
  if (isMany(sum(jumps), total)) {
    const shown = jumps.map(({ from, to, count }) => `${count} from ${from ?? 'unknown'} to ${to}`);
    reasons.push({
      code: 'unusual-jumps',
      detail: `Election ${number}: ${sum(jumps)} of ${total} changes are unusual: ${shown.join(', ')}.`,
    });
  }
  const wrongDates = election.inFuture + election.outOfSeason;
  if (isMany(wrongDates, total))
    reasons.push({
      code: 'dates-off',
      detail: `Election ${number}: ${election.inFuture} changes are dated in the future and ${election.outOfSeason} outside its season.`,
    });

  for (const [status, count] of Object.entries(countByStatus(changes))) {
    const allowed = Math.max(
      usualChanges(status, facts.history),
      Math.ceil((plausibleShare[status] ?? 0.02) * ballots),
    );
    if (count > allowed)
      reasons.push({
        code: 'volume',
        detail: `Election ${number}: ${count} ballots became ${status} at once; up to ${allowed} of its ${ballots} would be normal.`,
      });
  }
  return reasons;
}

/** Enough to be no clerk's correction: four or more, and more than one in fifty. */
function isMany(count: number, total: number): boolean {
  return count >= 4 && count > 0.02 * total;
}

export function countByStatus(changes: readonly StatusChange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { to, count } of changes) counts[to] = (counts[to] ?? 0) + count;
  return counts;
}

function sum(changes: readonly StatusChange[]): number {
  return changes.reduce((total, { count }) => total + count, 0);
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
