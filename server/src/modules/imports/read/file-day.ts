import type { Format } from '../formats/format.ts';
import type { HeaderMatch } from '../formats/header.ts';
import { ballotRange, type Day, isoDate, type ReadDay, readDay } from './dates.ts';
import { type Cells, RowReader, remember } from './row-reader.ts';

/** Reads the day that a file itself says it is of, where its format has `file_date`. */
export class FileDayReader {
  readonly #format: Format;
  readonly #today: Day;
  readonly #warn: (message: string) => void;
  #readRow: ((cells: Cells) => void) | null = null;
  #day: Day | null = null;

  /** @param warn called for each date that cannot be read or is after today; it does not count */
  constructor(format: Format, today: Day, warn: (message: string) => void) {
    this.#format = format;
    this.#today = today;
    this.#warn = warn;
  }

  /** Whether the file has the place where its format expects the day. */
  get isExpected(): boolean {
    const { file_date: source } = this.#format;
    return this.#readRow !== null || (source !== undefined && 'after' in source);
  }

  /** The latest day found so far; null while there is none. */
  get day(): Day | null {
    return this.#day;
  }

  readPreamble(text: string): void {
    const { file_date: source } = this.#format;
    if (!source || !('after' in source)) return;
    const place = text.indexOf(source.after);
    if (place < 0) return;
    const written = text.slice(place + source.after.length).replace(/^[\s:]+/, '');
    this.#note(source.after, this.#judge(written));
  }

  openRows(match: HeaderMatch): void {
    const { file_date: source } = this.#format;
    if (!source || !('column' in source) || !match.places.has(source.column)) return;
    const read = remember(new RowReader(this.#format, match).column(source.column), (text) =>
      this.#judge(text),
    );
    this.#readRow = (cells) => this.#note(source.column, read(cells));
  }

  readRow(cells: Cells): void {
    this.#readRow?.(cells);
  }

  #judge(text: string): ReadDay {
    if (this.#format.no_dates.includes(text)) return { day: null };
    const read = readDay(text, [...this.#format.dates, isoDate], ballotRange(this.#today));
    const isAhead = 'day' in read && read.day !== null && read.day > this.#today;
    return isAhead ? { problem: 'is after today' } : read;
  }

  #note(label: string, read: ReadDay): void {
    if ('problem' in read)
      this.#warn(`The file’s own date (${label}) ${read.problem}, and was ignored.`);
    else if (read.day !== null && (this.#day === null || read.day > this.#day))
      this.#day = read.day;
  }
}
