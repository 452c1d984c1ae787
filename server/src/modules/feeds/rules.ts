const hourMs = 3_600_000;

/** What an office sends again and again: the files of one format. */
export interface Feed {
  readonly format: string;
  /** When the newest file was taken in, held ones included: their data are in. Null before the first. */
  readonly lastAt: Date | null;
  /** How often the account expects one; null where it says nothing. */
  readonly everyHours: number | null;
}

/** Whether a file is overdue. One that was never sent is, from the day it is expected. */
export function isLate({ lastAt, everyHours }: Feed, now: Date): boolean {
  if (everyHours === null) return false;
  return lastAt === null || now.getTime() - lastAt.getTime() > everyHours * hourMs;
}

/** "3 hours", "2 days": how long ago, in one unit. */
export function describeAge(at: Date, now: Date): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - at.getTime()) / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.floor(minutes / 60), 'hour']
        : [Math.floor(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/**
 * The feeds an account expects, and whatever else it has sent.
 *
 * @param expected hours by format
 */
export function listFeedsOf(
  expected: Readonly<Record<string, { readonly every_hours: number }>>,
  taken: readonly { readonly format: string; readonly lastAt: Date }[],
): Feed[] {
  const formats = new Set([...Object.keys(expected), ...taken.map(({ format }) => format)]);
  return [...formats].sort().map((format) => ({
    format,
    lastAt: taken.find((one) => one.format === format)?.lastAt ?? null,
    everyHours: expected[format]?.every_hours ?? null,
  }));
}
