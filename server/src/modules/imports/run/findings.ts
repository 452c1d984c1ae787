import type { Day } from '../read/dates.ts';

/** Counts by a text, in the order in which they were first met. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  list<Key extends string>(key: Key): ({ count: number } & Record<Key, string>)[] {
    return [...this.#counts].map(
      ([name, count]) => ({ [key]: name, count }) as { count: number } & Record<Key, string>,
    );
  }
}

/** Of as many reasons, values are kept. */
const mostValues = 100;

/** Refusals by reason, each with the first line it was met on. */
export class RefusalCounts {
  readonly #byReason = new Map<string, { reason: string; count: number; line: number }>();
  readonly #firstValues = new Map<string, string>();
  #total = 0;

  add(reason: string, line: number, count = 1): void {
    this.#total += count;
    const known = this.#byReason.get(reason);
    if (known) known.count += count;
    else this.#byReason.set(reason, { reason, count, line });
  }

  get total(): number {
    return this.#total;
  }

  /** Keeps the value that a reason is about, of the first row that is refused for it. */
  keepFirstValue(reason: string, find: () => string | null): void {
    if (this.#firstValues.has(reason) || this.#firstValues.size >= mostValues) return;
    const value = find();
    if (value !== null) this.#firstValues.set(reason, value);
  }

  /** By reason. A voter's data: for the person who imports the file, and not for any record. */
  get firstValues(): ReadonlyMap<string, string> {
    return this.#firstValues;
  }

  /** The most frequent first. */
  list(): { reason: string; count: number; line: number }[] {
    return [...this.#byReason.values()].sort((a, b) => b.count - a.count || a.line - b.line);
  }
}

/** What the reading of one file found so far: the report is made of it, also when the file is refused half way. */
export class Findings {
  readonly refusals = new RefusalCounts();
  readonly warnings = new Tally();
  readonly unknownStatuses = new Tally();
  unknownColumns: readonly string[] = [];
  /** Rows of the file, those that are no records included. */
  read = 0;
  /** Rows that are none of ours. */
  skipped = 0;
  /** Rows by the other county that they are of. */
  readonly otherCounties = new Tally();
  redecodedLines = 0;
  bytes = 0;
  /** The day that the file itself says it is of. */
  fileDay: Day | null = null;
  /** Of a file that is the last one again, the numbers of the elections of its ballots. */
  elections: readonly string[] = [];
  /** The file ends in the middle of a line, whose values are all there. */
  endsInLine = false;
  /** Of the file's bytes; empty until they are all read. */
  sha256: Buffer = Buffer.alloc(0);
}
