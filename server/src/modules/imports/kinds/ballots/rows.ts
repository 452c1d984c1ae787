import type { BallotStatus } from '@ballot-beacon/contract/statuses';
import { defineTempTable } from '../../../../platform/temp-tables.ts';
import type { BallotField } from '../../formats/format.ts';
import { ballotRange, type Day, type ReadDay } from '../../read/dates.ts';
import { decodeEntities } from '../../read/entities.ts';
import {
  type Cells,
  explainId,
  isComputingError,
  type ReadCell,
  type ReadRow,
  RowReader,
  remember,
} from '../../read/row-reader.ts';
import { createNumberReader } from '../ballot-numbers.ts';
import { createElectionReader } from '../elections.ts';
import type { FileReader, Reading } from '../kind.ts';
import {
  isFilled,
  type Judgement,
  judgeStatus,
  presenceOnlyColumns,
  statusColumns,
} from './status-rules.ts';

const dayFields = [
  'requested_on',
  'printed_on',
  'sent_on',
  'returned_on',
  'status_on',
  'expected_on',
] as const satisfies readonly BallotField[];

/** What an office says of a ballot. */
interface BallotRecord extends Readonly<Record<(typeof dayFields)[number], Day | null>> {
  /** Null: shown as the last status known. */
  readonly status: BallotStatus | null;
  readonly raw: string;
  readonly reason_code: string;
  readonly reason: string;
}

export const recordParts = [
  ...([
    'status',
    'raw',
    'requested_on',
    'printed_on',
    'sent_on',
    'returned_on',
    'status_on',
  ] as const),
  ...(['reason_code', 'reason'] as const),
  // Absent where it is empty: records of earlier versions end before it.
  'expected_on',
] as const;
/** The days of a ballot's way, in their order. */
export const milestones = ['requested_on', 'printed_on', 'sent_on', 'returned_on'] as const;
type RecordPart = (typeof recordParts)[number];
/** ASCII's unit separator, which no office types. */
const separator = '\x1f';

export const stagedBallots = defineTempTable('staged_ballots', {
  line: 'bigint',
  registration_id: 'text',
  election_id: 'bigint',
  ballot_number: 'text',
  /** The day of mailing as the office wrote it, also where it is a plan: it decides which row of a ballot is the later one. */
  sent_on: 'date',
  record_id: 'integer',
  /**
   * What the office says of the ballot, as one text: a file repeats few of them, so each is staged with the first row that has
   * it, and the others bring its number.
   */
  record: 'text',
  /** The number of a ballot as it was before its date was known; null where no date is filled in later. */
  undated_number: 'text',
});

/** SQL of one part of a record, null where it is empty. */
export function partOfRecord(record: string, part: RecordPart): string {
  return `nullif(split_part(${record}, E'\\x1f', ${recordParts.indexOf(part) + 1}), '')`;
}

/** SQL of a record. @param parts SQL of those that are not empty */
export function recordOf(parts: Partial<Record<RecordPart, string>>): string {
  const { expected_on: expected = 'null', ...others } = parts;
  const texts = recordParts
    .filter((part) => part !== 'expected_on')
    .map((part) => `coalesce(${others[part] ?? "''"}, '')`);
  return `${texts.join(` || E'\\x1f' || `)} || coalesce(E'\\x1f' || ${expected}, '')`;
}

/** Of rows with one day of mailing and one of return: what is decided last, and acceptance over any other verdict. */
const decisiveness: readonly BallotStatus[] = [
  ...(['application-received', 'application-incomplete', 'application-approved'] as const),
  ...(['application-refused', 'requested', 'printed', 'sent', 'undeliverable'] as const),
  ...(['returned', 'rejected-curable', 'rejected', 'cancelled', 'reprinted', 'in-person'] as const),
  ...(['accepted', 'not-counted', 'counted'] as const),
];

/**
 * SQL of the order of a ballot's rows, without regard to the order of lines, which offices' exports change from day to day: by
 * day of mailing, then by the later of return and verdict. The text of the record only makes the order complete.
 */
export const orderOfRows = [
  'sent_on nulls first',
  `greatest(${partOfRecord('record', 'returned_on')}, ${partOfRecord('record', 'status_on')}) nulls first`,
  `coalesce(array_position('{${decisiveness.join()}}'::text[], ${partOfRecord('record', 'status')}), 0)`,
  'record',
].join(', ');

/** How this file's rows become what the office says of ballots. */
export function createBallotReader(reading: Reading): FileReader {
  const { reader, today } = reading;
  const range = ballotRange(today);
  const readId = reader.field('registration_id');
  const idLabel = reader.label('registration_id');
  const readElection = createElectionReader(reading);
  const readNumber = createNumberReader(reader);
  const readUndated = createUndatedReader(reader);
  const readStatus = createStatusReader(reader);
  const numberLabel = reader.label('ballot_number');
  const readReasonCode = withoutErrors(reader.field('reason_code'));
  const readReason = withoutErrors(reader.field('reason'));
  const numberRecord = createRecordNumbers();
  const days = dayFields.map((field) => ({
    label: reader.label(field),
    read: reader.has(field) ? reader.day(field, range) : (): ReadDay => ({ day: null }),
  }));

  const readRow: ReadRow = (cells) => {
    const judged = readStatus(cells);
    if (judged.isSkipped) return 'skip';
    const id = readId(cells);
    const badId = explainId(id, idLabel);
    if (badId !== null) return { problem: badId };
    const election = readElection(cells);
    if (typeof election === 'object') return election;
    const number = readNumber(cells);
    if (number.length > 60) return { problem: 'the ballot number is longer than 60 characters' };
    if (number.includes('#') && number.split(' ').some(isComputingError))
      return { problem: `${numberLabel} is an error of a spreadsheet, such as #N/A` };
    const found: (Day | null)[] = [];
    for (const { label, read } of days) {
      const day = read(cells);
      if ('problem' in day) return { problem: `${label} ${day.problem}` };
      found.push(day.day);
    }
    const [
      requested_on = null,
      printed_on = null,
      sent_on = null,
      returned_on = null,
      status_on = null,
      expected_on = null,
    ] = found;
    if (judged.isUnknown) reading.noteUnknownStatus(judged.raw);
    const stated = {
      status: judged.status,
      raw: judged.raw,
      requested_on,
      printed_on,
      sent_on,
      returned_on,
      status_on,
      expected_on,
      reason_code: readReasonCode(cells).slice(0, 40),
      reason: readReason(cells).slice(0, 500),
    };
    const row = [id, String(election), number, sent_on, ...numberRecord(stated)];
    return readUndated ? [...row, readUndated(cells, number)] : row;
  };
  const { line: _, undated_number: __, ...always } = stagedBallots.columns;
  const columns = Object.keys(always);
  return { columns: readUndated ? [...columns, 'undated_number'] : columns, readRow };
}

/** What a formula could not find is no reason: voters read what stands there. */
function withoutErrors(read: ReadCell): ReadCell {
  return (cells) => {
    const text = read(cells);
    return isComputingError(text) ? '' : decodeEntities(text);
  };
}

/** Of the longest texts some 20 MB. One that was discarded gets another number. */
const mostRecords = 20_000;

/** @returns numbers a record, and gives its text the first time */
function createRecordNumbers(): (
  stated: BallotRecord,
) => readonly [recordId: string, record: string | null] {
  const numbers = new Map<string, string>();
  let count = 0;
  return (stated) => {
    const key = textOf(stated);
    const known = numbers.get(key);
    if (known !== undefined) return [known, null];
    count += 1;
    if (numbers.size >= mostRecords) numbers.clear();
    // A slice would keep the whole chunk of the file in memory that it was cut from.
    numbers.set(Buffer.from(key).toString(), String(count));
    return [String(count), textOf(allowDays(stated))];
  };
}

/** Statuses of an envelope that the office has. */
const haveReturned: readonly BallotStatus[] = [
  ...(['returned', 'accepted', 'counted', 'rejected', 'not-counted'] as const),
  ...(['rejected-curable', 'reprinted'] as const),
];

function textOf(record: BallotRecord): string {
  const { expected_on: expected } = record;
  const parts = recordParts.filter((part) => part !== 'expected_on' || expected !== null);
  return parts.map((part) => record[part] ?? '').join(separator);
}

/**
 * A status allows only the days that come before it: a day of mailing on a ballot merely requested is a plan, and a
 * day of return on an undeliverable one is the post office's. An envelope that came back is `returned`, whatever the
 * column of statuses still says of its way out.
 */
function allowDays(stated: BallotRecord): BallotRecord {
  const isOnItsWay = ['requested', 'printed', 'sent'].includes(stated.status ?? '');
  const status = isOnItsWay && stated.returned_on !== null ? 'returned' : stated.status;
  const excludes = (statuses: readonly BallotStatus[]) =>
    status !== null && statuses.includes(status);
  const { requested_on, printed_on, sent_on, returned_on, expected_on } = stated;
  return {
    ...stated,
    status,
    printed_on: excludes(['requested']) ? null : printed_on,
    sent_on: excludes(['requested', 'printed']) ? null : sent_on,
    expected_on: excludes(['requested', 'printed']) ? null : expected_on,
    returned_on: status === null || haveReturned.includes(status) ? returned_on : null,
    status_on: status === null ? null : (stated.status_on ?? dayOf(status)),
  };

  function dayOf(known: BallotStatus): Day | null {
    if (known === 'requested') return requested_on;
    if (known === 'printed') return printed_on;
    if (known === 'sent') return sent_on;
    return known === 'reprinted' || known === 'cancelled' ? null : returned_on;
  }
}

function createStatusReader(reader: RowReader): (cells: Cells) => Judgement {
  const presenceOnly = presenceOnlyColumns(reader.format);
  const names = statusColumns(reader.format);
  const reads = names.map((name) => {
    const read = reader.column(name);
    return presenceOnly.has(name)
      ? (cells: Cells) => (isFilled(reader.format, read(cells)) ? 'x' : '')
      : read;
  });
  const [only] = reads;
  const readKey =
    reads.length === 1 && only
      ? only
      : (cells: Cells) => reads.map((read) => read(cells)).join(separator);
  return remember(readKey, (key) => {
    const values = key.split(separator);
    return judgeStatus(
      reader.format,
      Object.fromEntries(names.map((name, place) => [name, values[place] ?? ''])),
    );
  });
}

function createUndatedReader(
  reader: RowReader,
): ((cells: Cells, number: string) => string | null) | null {
  const { format, match } = reader;
  const { filled_later } = format;
  if (filled_later.length === 0) return null;
  const places = [...match.places].filter(([column]) => !filled_later.includes(column));
  const undated = new RowReader(format, { ...match, places: new Map(places) });
  const read = createNumberReader(undated);
  return (cells, number) => {
    const before = read(cells);
    return before === number ? null : before;
  };
}
