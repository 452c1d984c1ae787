import { foldValue } from '../formats/fold.ts';
import type { Format } from '../formats/format.ts';
import type { HeaderMatch } from '../formats/header.ts';
import { columnsOf, type Source } from '../formats/source.ts';
import { type DayRange, isoDate, type ReadDay, readDay, rewriteDay } from './dates.ts';

export type Cells = readonly string[];
export type ReadCell = (cells: Cells) => string;

/** A row of the staging table, in the order of its columns; null where there is no value. */
export type StagedRow = (string | null)[];

/** Reads a record into a row for staging, or says why the row is refused; `skip` passes it over. */
export type ReadRow = (cells: Cells) => StagedRow | { readonly problem: string } | 'skip';

/** Reads the columns of one file by one format. Every value comes out without the space around it. */
export class RowReader {
  readonly format: Format;
  readonly match: HeaderMatch;

  constructor(format: Format, match: HeaderMatch) {
    this.format = format;
    this.match = match;
  }

  /** Whether any column that the field draws on is in the file. */
  has(field: string): boolean {
    const source = this.format.fields[field];
    if (source === undefined) return false;
    if (typeof source === 'object' && 'constant' in source) return true;
    return columnsOf(source).some((column) => this.match.places.has(column));
  }

  /** The name by which the report speaks of a field: the office's own column. */
  label(field: string): string {
    const source = this.format.fields[field];
    return (source === undefined ? undefined : columnsOf(source)[0]) ?? field;
  }

  column(name: string): ReadCell {
    const place = this.match.places.get(name);
    if (place === undefined) return () => '';
    if (this.#namesPerson(name)) return (cells) => (cells[place] ?? '').trim();
    return (cells) => {
      const text = (cells[place] ?? '').trim();
      return isDatabaseNull(text) ? '' : text;
    };
  }

  /** Null is a surname. */
  #namesPerson(column: string): boolean {
    return ['firstname', 'lastname'].some((field) => {
      const source = this.format.fields[field];
      return source !== undefined && columnsOf(source).includes(column);
    });
  }

  /** The field's value in a row, '' when the file has none. */
  field(field: string): ReadCell {
    const [first, ...more] = this.candidates(field);
    if (!first) return () => '';
    if (more.length === 0) return first;
    return (cells) => first(cells) || (more.find((read) => read(cells) !== '')?.(cells) ?? '');
  }

  /** The field's possible values, the office's first choice first. */
  candidates(field: string): ReadCell[] {
    const source = this.format.fields[field];
    if (source === undefined || !this.has(field)) return [];
    if (typeof source === 'object' && 'latest' in source) {
      return source.latest.filter((one) => this.#isThere(one)).map((one) => this.#read(one));
    }
    if (typeof source === 'object' && 'first' in source) {
      return source.first.filter((one) => this.#isThere(one)).map((one) => this.#read(one));
    }
    return [this.#read(source)];
  }

  /** Reads a field of dates. Files repeat few days, so each is judged once. */
  day(field: string, range: DayRange): (cells: Cells) => ReadDay {
    const judge = (text: string): ReadDay => readOfficeDay(this.format, text, range);
    const source = this.format.fields[field];
    const [first, ...more] = this.candidates(field).map((read) => remember(read, judge));
    if (!first) return () => ({ day: null });
    if (typeof source === 'object' && 'latest' in source)
      return (cells) => latestDay([first, ...more].map((read) => read(cells)));
    if (more.length === 0) return first;
    // A text that stands for no date is none.
    const hasNone = (read: ReadDay) => 'day' in read && read.day === null;
    return (cells) => {
      const days = [first, ...more].map((read) => read(cells));
      return days.find((read) => !hasNone(read)) ?? { day: null };
    };
  }

  #isThere(source: Source): boolean {
    return columnsOf(source).some((column) => this.match.places.has(column));
  }

  #read(source: Source): ReadCell {
    if (typeof source === 'string') return this.column(source);
    if ('constant' in source) return () => source.constant;
    if ('column' in source) {
      const read = this.column(source.column);
      const values = new Map(
        Object.entries(source.values).map(([from, to]) => [foldValue(from), to]),
      );
      return (cells) => {
        const text = read(cells);
        return values.get(foldValue(text)) ?? text;
      };
    }
    if ('first' in source) throw new Error('A source of several is read as several.');
    if ('latest' in source) throw new Error('The latest of several columns is a day.');
    const columns = source.join.map((name) => this.#joined(name));
    return (cells) =>
      columns
        .map((read) => read(cells))
        .filter((value) => value !== '')
        .join(source.with);
  }

  /** The date within a ballot's number is one text for each day, or the ballot would be another one. */
  #joined(name: string): ReadCell {
    const read = this.column(name);
    if (!this.format.filled_later.includes(name)) return read;
    return remember(read, (text) => rewriteDay(text, datesOf(this.format)));
  }
}

/** The patterns of an office's dates. */
export const datesOf = ({ dates }: Format): string[] => [...new Set([...dates, isoDate])];

/** Reads a day as an office writes it; a text that stands for no date is none. */
export function readOfficeDay(format: Format, text: string, range: DayRange): ReadDay {
  return format.no_dates.includes(text) ? { day: null } : readDay(text, datesOf(format), range);
}

/** The latest of several days; a day that cannot be read refuses them all. */
function latestDay(days: readonly ReadDay[]): ReadDay {
  let latest: ReadDay = { day: null };
  for (const read of days) {
    if ('problem' in read) return read;
    if (read.day !== null && (latest.day === null || read.day > latest.day)) latest = read;
  }
  return latest;
}

const mostRemembered = 100_000;

/** Judges each distinct text once; discards all judgements when there are too many. */
export function remember<Judgement>(
  read: ReadCell,
  judge: (text: string) => Judgement,
): (cells: Cells) => Judgement {
  const known = new Map<string, Judgement>();
  let last: { text: string; judgement: Judgement } | undefined;
  return (cells) => {
    const text = read(cells);
    if (last?.text === text) return last.judgement;
    let judgement = known.get(text);
    if (judgement === undefined) {
      judgement = judge(text);
      if (known.size >= mostRemembered) known.clear();
      // A slice would keep the whole chunk of the file in memory that it was cut from.
      known.set(Buffer.from(text).toString(), judgement);
    }
    last = { text, judgement };
    return judgement;
  };
}

/** What databases write where there is no value. */
function isDatabaseNull(text: string): boolean {
  // Of every cell this is asked, and nearly all have another length.
  switch (text.length) {
    case 2:
      return text === '\\N';
    case 4:
      return text === 'NULL';
    case 6:
      return text === '(null)';
    default:
      return false;
  }
}

/** Excel's short form of a long number: 1.04E+08. */
const shortened = /^\d(\.\d+)?E\+\d+$/i;

/** What a spreadsheet program shows where it cannot compute. */
const computingError = /^#(REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!)/;

/** Whether a cell has such an error in place of a value. */
export function isComputingError(text: string): boolean {
  return text.startsWith('#') && computingError.test(text);
}

/** Why an ID is refused; null for an ID that may be right. @param label the office's column */
export function explainId(id: string, label: string): string | null {
  if (id === '') return `${label} is empty`;
  // Nearly every ID is of letters and digits alone.
  if (!/[^A-Za-z0-9]/.test(id)) return null;
  const found = spoilt(id);
  return found === null ? null : `${label} ${found}. Import the file as it was exported`;
}

function spoilt(id: string): string | null {
  if (shortened.test(id))
    return 'is a number that Excel has shortened, such as 1.04E+08: its digits are lost';
  if (/^\d+\.0+$/.test(id))
    return 'has decimals, such as 1203.0: a program took the ID for a number';
  if (isComputingError(id)) return 'is an error of a spreadsheet, such as #N/A';
  if (/^\d{1,3}(,\d{3})+$/.test(id))
    return 'has commas, such as 1,203: a program took the ID for a number';
  if (/^-\d/.test(id)) return 'has a minus sign, such as -1203: a program took the ID for a number';
  if (/^[\u201c\u201d\u201e\u2018\u2019]/.test(id))
    return 'is in curly quotation marks: the file was saved by a word processor';
  if (/\p{Cf}/u.test(id)) return 'has an invisible character in it';
  if (/^[=']/.test(id)) return "starts with = or ', as a spreadsheet program marks text";
  return null;
}
