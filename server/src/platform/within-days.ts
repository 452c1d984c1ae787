import { type RawBuilder, sql } from 'kysely';

/** Whole days of an office's calendar. */
export interface Days {
  /** The first and the last day in the time zone, `YYYY-MM-DD`; without one there is no such end. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** Conditions that an instant lies within the days; none where no day is given. */
export function withinDays(
  instant: RawBuilder<unknown>,
  { from, to, timeZone }: Days,
): RawBuilder<unknown>[] {
  const startOf = (day: string, more: 0 | 1) =>
    sql`((${day}::date + ${sql.lit(more)})::timestamp at time zone ${timeZone})`;
  return [
    ...(from === undefined ? [] : [sql`${instant} >= ${startOf(from, 0)}`]),
    ...(to === undefined ? [] : [sql`${instant} < ${startOf(to, 1)}`]),
  ];
}
