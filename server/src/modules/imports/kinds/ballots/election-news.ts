import { formatCount } from '../gate-words.ts';
import type { Counts, EarlierFile } from '../kind.ts';

export type DateFault = 'in-future' | 'out-of-season' | 'out-of-order' | 'late-too-soon';

/** Ballots of one election that would go from one status to another. */
export interface StatusChange {
  /** Null: never listed before. */
  readonly from: string | null;
  readonly to: string;
  readonly count: number;
  /** Of those, ballots whose dates cannot be right. */
  readonly faults: Readonly<Record<DateFault, number>>;
}

export interface ElectionNews {
  readonly number: string;
  /** YYYY-MM-DD */
  readonly date: string;
  readonly isActive: boolean;
  /** Ballots known before the file, by status. */
  readonly before: Counts;
  readonly changes: readonly StatusChange[];
}

export interface BallotFacts {
  /** YYYY-MM-DD in the account's calendar. */
  readonly today: string;
  /** Statuses that a ballot of this format may rightly have when it is first listed. */
  readonly firstStatuses: readonly string[];
  /** The format lists open cases alone: the ballots it has listed are not the election's size. */
  readonly isOfOpenCases: boolean;
  /** It has no word for a refusal: what it opens again, another list has refused, and perhaps on the same day. */
  readonly opensRefused: boolean;
  /** By election: open cases that the list lacks for now. */
  readonly gone: ReadonlyMap<string, number>;
  /** By election: the day of the first deadline to fix an envelope, where one is known and open cases would be rejected. */
  readonly fixableUntil: ReadonlyMap<string, string>;
  /** All rows of the file are of one election. */
  readonly isOneElection: boolean;
  /** The format's files, newest first. */
  readonly earlier: readonly EarlierFile[];
  /** Active voters of the account. */
  readonly voters: number;
}

/** What is unusual, and which ballots it is about. */
export interface Finding {
  readonly code: string;
  readonly detail: string;
  readonly rows: number;
  readonly where: {
    readonly election: string;
    readonly from?: readonly (string | null)[];
    readonly to?: readonly string[];
    readonly faults?: readonly DateFault[];
  };
}

/** The voter is done; a later change of such a ballot is rare. */
export const finalStatuses = ['accepted', 'counted', 'in-person'] as const;

/** The envelope does not count, and cannot be fixed. */
export const refusals: readonly string[] = ['rejected', 'not-counted'];

/**
 * What one file may change in an ordinary season: so many ballots of any county, or this share of an election's ballots.
 * A whole election is printed and mailed in a day. Half of it never comes back in one, and rejections come by the dozen.
 */
export const usualLimits: Readonly<
  Record<string, { readonly few: number; readonly share: number }>
> = {
  returned: { few: 25, share: 0.35 },
  accepted: { few: 25, share: 0.35 },
  'in-person': { few: 25, share: 0.35 },
  undeliverable: { few: 12, share: 0.05 },
  reprinted: { few: 12, share: 0.05 },
  cancelled: { few: 12, share: 0.05 },
  counted: { few: 25, share: 1 },
  'not-counted': { few: 6, share: 0.03 },
  'application-incomplete': { few: 12, share: 0.05 },
  'application-refused': { few: 6, share: 0.03 },
  'rejected-curable': { few: 10, share: 0.03 },
  rejected: { few: 6, share: 0.03 },
};
export function countOf(changes: readonly StatusChange[]): number {
  return sum(changes.map(({ count }) => count));
}

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Such as `rejected (12), sent (3)`. */
export function describeCounts(changes: readonly StatusChange[]): string {
  const counts = new Map<string, number>();
  for (const { to, count } of changes) counts.set(to, (counts.get(to) ?? 0) + count);
  return [...counts].map(([to, count]) => `${to} (${formatCount(count)})`).join(', ');
}

/** For a finding that is about all of these changes. */
export function endsOf(changes: readonly StatusChange[]) {
  return {
    from: [...new Set(changes.map(({ from }) => from))],
    to: [...new Set(changes.map(({ to }) => to))],
  };
}

export function isOneOf(statuses: readonly string[], status: string | null): boolean {
  return status !== null && statuses.includes(status);
}
