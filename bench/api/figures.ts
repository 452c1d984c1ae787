/** What one server did in one round. */
export interface Measured {
  /** Requests that were answered as they should be. */
  readonly perSecond: number;
  /** Milliseconds of processor for each of these: of the server's process, and of PostgreSQL. */
  readonly serverMs: number;
  readonly databaseMs: number;
  readonly p99: number;
  /** Requests that were asked to come back, because the server was too busy. */
  readonly refused: number;
  /** Requests with another answer than these. */
  readonly wrong: number;
}

/** The middle one; between the two in the middle where there are two. NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? NaN) + (sorted[Math.floor(half)] ?? NaN)) / 2;
}

/** The middle of each figure; refused and wrong answers are added up. */
export function summarize(rounds: readonly Measured[]): Measured {
  const sum = (read: (one: Measured) => number) => rounds.reduce((all, one) => all + read(one), 0);
  const middle = (read: (one: Measured) => number) => median(rounds.map(read));
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    serverMs: middle(({ serverMs }) => serverMs),
    databaseMs: middle(({ databaseMs }) => databaseMs),
    p99: middle(({ p99 }) => p99),
    refused: sum(({ refused }) => refused),
    wrong: sum(({ wrong }) => wrong),
  };
}

export interface Ratio {
  /** Of requests a second. */
  readonly speed: number;
  /** Of processor for each request, turned over: 1 is as good as the floor, less is worse. Other work on the machine changes it less. */
  readonly cpu: number;
}

/** The middle of the rounds' own ratios, so that a slow minute of the machine counts for both or not at all. */
export function compare(product: readonly Measured[], floor: readonly Measured[]): Ratio {
  const cpuOf = (one: Measured | undefined) => (one ? one.serverMs + one.databaseMs : NaN);
  return {
    speed: median(product.map((one, round) => one.perSecond / (floor[round]?.perSecond ?? NaN))),
    cpu: median(product.map((one, round) => cpuOf(floor[round]) / cpuOf(one))),
  };
}

/** How far something grew: the middle of the last quarter of its readings to that of the second. 1 is flat. */
export function growthOf(readings: readonly number[]): number {
  const quarter = (index: number) =>
    median(
      readings.slice(
        Math.floor((index * readings.length) / 4),
        Math.ceil(((index + 1) * readings.length) / 4),
      ),
    );
  return Number((quarter(3) / quarter(1)).toFixed(3));
}
