import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { ballotStatuses, isBallotStatus } from '@ballot-beacon/contract/statuses';
import { type BallotEvent, deriveBallotStatus } from '../ballots/index.ts';

/** `[kind, status, day it happened or null, day it was recorded]` */
export type EventKey = readonly [BallotEvent['kind'], string | null, string | null, string];

/** Ballots with exactly the same events on the same days. */
export interface AlikeBallots {
  /** In order of receipt. */
  readonly events: readonly EventKey[];
  /** `YYYY-MM-DD`, the day when the ballots were first known. */
  readonly createdOn: string;
  readonly count: number;
}

export interface StatusDay {
  /** `YYYY-MM-DD` in the account's calendar */
  readonly day: string;
  readonly status: BallotStatus;
  /** Ballots that came into the status that day and were still in it when it ended. */
  readonly entered: number;
  /** Ballots in the status when the day ended. */
  readonly total: number;
}

export interface Period {
  readonly from: string | null;
  readonly to: string | null;
}

/** Nobody reads more days than this, and a mistyped date of 1926 must not fill a table. */
export const mostDays = 400;

/**
 * How many ballots were in each status at the end of each day, by the same rule as the voters' pages, applied to
 * the events up to then.
 *
 * @param period without a start it begins with the first change, at most {@link mostDays} before its end; without an
 * end it ends with the last change that is not in the future, or today where it begins after that
 * @param today in the account's calendar
 * @returns by day, then in the usual order of statuses; every day has every status that occurs at all
 */
export function countStatusDays(
  ballots: Iterable<AlikeBallots>,
  period: Period,
  today: string,
): StatusDay[] {
  const changes = new Map<string, Map<BallotStatus, { entered: number; left: number }>>();
  const change = (day: string, status: BallotStatus) => {
    const ofDay = changes.get(day) ?? new Map();
    changes.set(day, ofDay);
    const found = ofDay.get(status) ?? { entered: 0, left: 0 };
    ofDay.set(status, found);
    return found;
  };
  for (const { events, createdOn, count } of ballots) {
    let before: BallotStatus | undefined;
    for (const [day, status] of followDays(events, createdOn)) {
      if (status === before) continue;
      change(day, status).entered += count;
      if (before !== undefined) change(day, before).left += count;
      before = status;
    }
  }
  const known = [...changes.keys()].sort();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Nobody knows what will be on a day to come.
  const open = period.from !== null && period.from > last ? today : last;
  const asked = period.to ?? open;
  const to = asked < today ? asked : today;
  const from = period.from ?? latest(first, addDays(to, 1 - mostDays));
  const present = ballotStatuses.filter((status) =>
    [...changes.values()].some((ofDay) => ofDay.has(status)),
  );
  const totals = new Map<BallotStatus, number>();
  const advance = (day: string) => {
    for (const [status, { entered, left }] of changes.get(day) ?? [])
      totals.set(status, (totals.get(status) ?? 0) + entered - left);
  };
  for (const day of known) if (day < from) advance(day);
  const rows: StatusDay[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    advance(day);
    for (const status of present) {
      const entered = changes.get(day)?.get(status)?.entered ?? 0;
      rows.push({ day, status, entered, total: totals.get(status) ?? 0 });
    }
  }
  return rows;
}

/** The ballot's status at the end of each day with an event. */
function followDays(events: readonly EventKey[], createdOn: string): [string, BallotStatus][] {
  if (events.length === 0) return [[createdOn, 'requested']];
  const dayOf = ([, , occurredOn, recordedOn]: EventKey) => occurredOn ?? recordedOn;
  const days = [...new Set(events.map(dayOf))].sort();
  return days.map((day) => {
    const soFar = events
      .map((event, order) => ({ event, order }))
      .filter(({ event }) => dayOf(event) <= day)
      .map(
        ({ event: [kind, status, occurredOn, recordedOn], order }): BallotEvent => ({
          eventId: order + 1,
          kind,
          status: isBallotStatus(status) ? status : null,
          occurredOn,
          occurredAt: null,
          recordedOn,
        }),
      );
    return [day, deriveBallotStatus(soFar).status];
  });
}

function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** @returns how many days, both ends counted */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
}

function latest(one: string, other: string): string {
  return one > other ? one : other;
}
