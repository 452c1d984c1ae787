import { defineTempTable } from '../../../../platform/temp-tables.ts';
import { normalizeEventType, normalizeOpCode, readImb } from '../../../mail-pieces/index.ts';
import { ballotRange, type Day, type DayRange, type ReadDay, readDay } from '../../read/dates.ts';
import { type ReadRow, type RowReader, remember } from '../../read/row-reader.ts';
import type { FileReader, Reading } from '../kind.ts';

/** As `mail_scans` names its columns. */
export const stagedScans = defineTempTable('staged_scans', {
  line: 'bigint',
  tracking_code: 'text',
  routing_code: 'text',
  scanned_at: 'timestamp',
  event_type: 'text',
  op_code: 'text',
  mail_phase: 'text',
  facility_city: 'text',
  facility_state: 'text',
  facility_zip: 'text',
  expected_delivery_date: 'date',
});

/** Values by which a scan is known again: the longest, and how all reports have them. Others are cut. */
const marks = [
  { field: 'event_type', most: 20, normalize: normalizeEventType },
  { field: 'op_code', most: 10, normalize: normalizeOpCode },
  { field: 'mail_phase', most: 60, normalize: (text: string) => text },
] as const;
const mostText = 60;

/** How this file's rows become scans. A wrong expected day costs a scan that day alone. */
export function createScanReader({ reader, today, warn }: Reading): FileReader {
  const range = scanRange(today);
  const readCode = createCodeReader(reader);
  const readMoment = createMomentReader(reader, range);
  const readRouting = reader.field('routing_code');
  const readMarks = marks.map(({ field, most, normalize }) => {
    const label = reader.label(field);
    return remember(reader.field(field), (text) =>
      text.length > most
        ? { problem: `${label} is longer than ${most} characters` }
        : normalize(text),
    );
  });
  const readCity = reader.field('facility_city');
  const readState = reader.field('facility_state');
  const readZip = reader.field('facility_zip');
  const readExpected = reader.has('expected_delivery_date')
    ? reader.day('expected_delivery_date', ballotRange(today))
    : (): ReadDay => ({ day: null });
  const expectedLabel = reader.label('expected_delivery_date');

  const readRow: ReadRow = (cells) => {
    const code = readCode(cells);
    if (code === null) return cells.every((cell) => cell === '') ? 'skip' : noCode(reader);
    if ('problem' in code) return code;
    const moment = readMoment(cells);
    if (typeof moment === 'object') return moment;
    const known: string[] = [];
    for (const read of readMarks) {
      const mark = read(cells);
      if (typeof mark === 'object') return mark;
      known.push(mark);
    }
    const expected = readExpected(cells);
    if ('problem' in expected) warn(`${expectedLabel} ${expected.problem}: left out`);
    const state = readState(cells).toUpperCase();
    return [
      code.trackingCode,
      code.routing || digitsOf(readRouting(cells)),
      moment,
      ...known,
      readCity(cells).slice(0, mostText),
      /^[A-Z]{2}$/.test(state) ? state : '',
      digitsOf(readZip(cells)),
      'day' in expected ? expected.day : null,
    ];
  };
  const { line: _, ...columns } = stagedScans.columns;
  return { columns: Object.keys(columns), readRow };
}

interface FoundCode {
  readonly trackingCode: string;
  readonly routing: string;
}

function noCode(reader: RowReader): { problem: string } {
  return { problem: `${reader.label('imb')} is empty` };
}

/** Null where the row names no barcode. */
function createCodeReader(
  reader: RowReader,
): (cells: readonly string[]) => FoundCode | { problem: string } | null {
  const read = reader.field('imb');
  const label = reader.label('imb');
  return (cells) => {
    const text = read(cells);
    if (text === '') return null;
    const found = readImb(text);
    if (!found.ok) return { problem: `${label} ${found.problem}` };
    return { trackingCode: found.imb.trackingCode, routing: found.imb.routing };
  };
}

/**
 * Days on which a scan can have been made: until tomorrow, because a facility may be west of the date line from the
 * office, and its clock may be fast.
 */
function scanRange(today: Day): DayRange {
  const tomorrow = new Date(Date.parse(`${today}T12:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { first: ballotRange(today).first, last: tomorrow };
}

/** Reads `YYYY-MM-DD HH:MM:SS` by the facility's clock; an offset is read past, because the post office means none. */
function createMomentReader(
  reader: RowReader,
  range: DayRange,
): (cells: readonly string[]) => string | { problem: string } {
  const readText = reader.field('scanned_at');
  const readTimeText = reader.has('scan_time') ? reader.field('scan_time') : null;
  const label = reader.label('scanned_at');
  const { dates } = reader.format;
  const readKnownDay = remember(
    (cells) => dayPart(readText(cells)),
    (text): ReadDay => readDay(text, dates, range),
  );
  return (cells) => {
    const read = readKnownDay(cells);
    if ('problem' in read) return { problem: `${label} ${read.problem}` };
    if (read.day === null) return { problem: `${label} is empty` };
    const text = readText(cells);
    const time = readTime(readTimeText ? readTimeText(cells) : text.slice(dayPart(text).length));
    return time === null ? { problem: `${label} has no time of the day` } : `${read.day} ${time}`;
  };
}

function dayPart(text: string): string {
  const end = text.search(/[T ]/);
  return end < 0 ? text : text.slice(0, end);
}

const timePattern =
  /^[T ]*(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AaPp])?[Mm]?\s*(?:Z|[+-]\d\d:?\d\d)?$/;

/** `HH:MM:SS`; null when it is no time. */
function readTime(text: string): string | null {
  const parts = timePattern.exec(text);
  if (!parts) return null;
  const [, hourText, minute = '', second = '00', half] = parts;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return null;
    hour = (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  }
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return `${String(hour).padStart(2, '0')}:${minute}:${second}`;
}

/** A ZIP code, with or without what follows its hyphen; '' for anything else. */
function digitsOf(text: string): string {
  const digits = text.replace('-', '');
  return /^(\d{5}|\d{9}|\d{11})$/.test(digits) ? digits : '';
}
