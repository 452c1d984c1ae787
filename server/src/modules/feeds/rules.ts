const hourMs = 3_600_000;

/** The files of one format that an office sends regularly. */
export interface Feed {
  readonly format: string;
  /** When the newest file was loaded. Files whose messages wait for approval count: their data is loaded; those that were put back do not. Null before the first. */
  readonly lastAt: Date | null;
  /** How often the account expects a file; null without a setting. */
  readonly everyHours: number | null;
}

/** Whether a file is overdue. A file that never came is overdue from the day it is expected. */
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
 * The feeds that an account expects, and the other formats it has sent.
 *
 * @param expected hours by format
 */
export function listFeedsOf(
  expected: Readonly<Record<string, { readonly every_hours: number }>>,
  received: readonly { readonly format: string; readonly lastAt: Date }[],
): Feed[] {
  const formats = new Set([...Object.keys(expected), ...received.map(({ format }) => format)]);
  return [...formats].sort().map((format) => ({
    format,
    lastAt: received.find((one) => one.format === format)?.lastAt ?? null,
    everyHours: expected[format]?.every_hours ?? null,
  }));
}
