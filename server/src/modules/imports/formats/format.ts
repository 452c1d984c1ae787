import { type BallotStatus, ballotStatuses } from '@ballot-beacon/contract/statuses';
import * as z from 'zod/mini';
import { isDatePattern } from '../read/dates.ts';
import { Condition, column, columnsOf, Source } from './source.ts';

/** What a voter file may say of a voter. */
export const voterFields = [
  'registration_id',
  'firstname',
  'middlename',
  'lastname',
  'suffix',
  'birthdate',
  'birthyear',
  'address',
  'city',
  'state',
  'zipcode',
  'county',
  'precinct',
  'phone',
  'email',
  'language_preference',
  'is_active',
  'is_confidential',
  'security_token',
] as const;
export type VoterField = (typeof voterFields)[number];

/** What a ballot file may say of a ballot. `election` is the office's number, `election_date` stands in for it. */
export const ballotFields = [
  'registration_id',
  'election',
  'election_date',
  'ballot_number',
  'requested_on',
  'printed_on',
  'sent_on',
  'returned_on',
  'status_on',
  'expected_on',
  'reason_code',
  'reason',
] as const;
export type BallotField = (typeof ballotFields)[number];

/** What a mail-piece file may say of the envelopes of a ballot. */
export const mailPieceFields = [
  'registration_id',
  'election',
  'election_date',
  'ballot_number',
  'printed_on',
  'mailed_on',
  'outbound_imb',
  'inbound_imb',
  'imb',
  'direction',
] as const;
export type MailPieceField = (typeof mailPieceFields)[number];

/** What a file of the post office may say of a scan. The time stands with the day, or in a column of its own. */
const scanFields = [
  'imb',
  'routing_code',
  'scanned_at',
  'scan_time',
  'event_type',
  'op_code',
  'mail_phase',
  'facility_city',
  'facility_state',
  'facility_zip',
  'expected_delivery_date',
] as const;

const fieldsOf = {
  voters: voterFields,
  ballots: ballotFields,
  mailpieces: mailPieceFields,
  scans: scanFields,
} as const;

/** All conditions must hold. */
const When = z.record(z.string(), Condition);

/**
 * What a row becomes: a status; `keep`, the value is stored and the voter goes on seeing the last known status; `skip`,
 * the row is none of ours (an early vote, a total) and is passed over.
 */
const becomes = z.enum(['keep', 'skip', ...ballotStatuses] as readonly [
  'keep',
  'skip',
  ...BallotStatus[],
]);

const Delimiter = z.enum([',', '\t', '|', ';']);

/** A file format as data: everything the one engine has to know to read it. An office can write its own. */
export const FormatFile = z.strictObject({
  name: z.string().check(z.regex(/^[a-z0-9-]+$/, 'must be lower-case letters, digits and hyphens')),
  title: z.string(),
  /** Where the layout is described. */
  source: z.string(),
  /** What the file contains. The key keeps this name because offices have format files of their own. */
  holds: z.enum(['voters', 'ballots', 'mailpieces', 'scans']),
  /** Whether files of it may also be JSON, whose members are named as the columns. */
  json: z._default(z.boolean(), false),
  /** Of several, the delimiter that splits the header line best. */
  delimiter: z._default(z.union([Delimiter, z.array(Delimiter).check(z.minLength(1))]), ','),
  quote: z._default(z.nullable(z.literal('"')), '"'),
  /** What bytes that are no UTF-8 are taken for. */
  encoding: z._default(z.enum(['windows-1252', 'cp437']), 'windows-1252'),
  /** False: the columns stand in the order listed. */
  header: z._default(z.boolean(), true),
  /** Empty fields each row has after those of the header. */
  trailing_fields: z._default(z.int(), 0),
  /** Columns that must be there. Those that `fields` and `status` name besides are optional. */
  required: z.array(column),
  /** Of a column that must be there, the message for a file without it. */
  if_missing: z._default(z.record(column, z.string().check(z.minLength(1))), {}),
  /** Columns of which at least one must be there. */
  required_one_of: z._default(z.array(column), []),
  /** Every column in order, where there is no header line. */
  columns: z.optional(z.array(column)),
  /** Of fixed-width files, how many characters each of `columns` has; nothing stands between them. */
  widths: z.optional(z.array(z.int().check(z.positive()))),
  /** Other spellings of a column, beyond case, spaces and underscores. */
  aliases: z._default(z.record(z.string(), z.array(z.string())), {}),
  /** Columns known and read past, so that the report need not name them. */
  ignored: z._default(z.array(column), []),
  dates: z._default(
    z.array(
      z
        .string()
        .check(
          z.refine(
            isDatePattern,
            'must be made of YYYY or YY, MM or MON, and DD, as in MM/DD/YYYY',
          ),
        ),
    ),
    ['MM/DD/YYYY', 'YYYY-MM-DD'],
  ),
  /** The column that names a row's county, in files of a whole state: other counties' rows are passed over. */
  county: z.optional(column),
  /** Columns of the ballot's number that the office fills in later: a ballot known without them is the same. */
  filled_later: z._default(z.array(column), []),
  /** Dates that stand for none. */
  no_dates: z._default(z.array(z.string()), []),
  fields: z.record(z.string(), Source),
  /** Lines before the column names that start so, as an exporter's title, are passed over. */
  preamble: z._default(z.array(z.string().check(z.minLength(1))), []),
  /** Where a file names its own day: the latest date of a column, or the date after a text in the preamble. */
  file_date: z.optional(
    z.union([
      z.strictObject({ column }),
      z.strictObject({ after: z.string().check(z.minLength(1)) }),
    ]),
  ),
  /** Of an Excel workbook, the sheet's name, or its number from 1; else the first. */
  sheet: z.optional(z.union([z.string().check(z.minLength(1)), z.int().check(z.positive())])),
  /** A line that starts so ends the records: it and other text below it, such as totals, are passed over, and a row below it is refused. */
  trailer: z._default(z.array(z.string().check(z.minLength(1))), []),
  /** How a file without a header line is recognized: a column's value in its first row. */
  recognized_by: z.optional(z.record(z.string(), z.string())),
  status: z.optional(
    z.strictObject({
      /** Kept as the office's own word for the status. */
      columns: z.array(column).check(z.minLength(1)),
      /** The first that fits counts. */
      rules: z.array(z.strictObject({ when: When, becomes, why: z._default(z.string(), '') })),
    }),
  ),
  /** What a row of a mail-piece file says of its ballot beside its barcodes: that the envelope exists. */
  row_means: z.optional(z.literal('printed')),
  /**
   * What it says of a ballot that a file no longer has it: `nothing`; or `succeeded`, where files list open cases and
   * a ballot leaves by being accepted. Limited by status: `{ "succeeded": ["rejected-curable"] }`.
   */
  missing_rows: z._default(
    z.union([
      z.enum(['nothing', 'succeeded']),
      z.strictObject({
        succeeded: z
          .array(z.enum(['returned', 'rejected-curable', 'rejected']))
          .check(z.minLength(1)),
      }),
    ]),
    'nothing',
  ),
  /** Statuses that a ballot may rightly have when a file first lists it, where files do not list every ballot from the start. */
  first_statuses: z._default(
    z.array(z.enum(ballotStatuses as readonly [BallotStatus, ...BallotStatus[]])),
    [],
  ),
});
export type Format = z.infer<typeof FormatFile>;

/** One thing wrong with a format file. */
export interface FormatProblem {
  readonly at: string;
  readonly message: string;
}

export function readFormat(
  value: unknown,
): { ok: true; format: Format } | { ok: false; problems: FormatProblem[] } {
  const parsed = FormatFile.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      at: issue.path.join('.'),
      message:
        issue.code === 'unrecognized_keys' ? `has no ${issue.keys.join(', ')}` : issue.message,
    }));
    return { ok: false, problems };
  }
  const problems = findContradictions(parsed.data);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, format: parsed.data };
}

const neededFields: Readonly<Record<Format['holds'], readonly string[]>> = {
  voters: ['registration_id', 'lastname'],
  ballots: ['registration_id'],
  mailpieces: ['registration_id'],
  scans: ['imb', 'scanned_at'],
};

function findContradictions(format: Format): FormatProblem[] {
  const problems: FormatProblem[] = [];
  const known: readonly string[] = fieldsOf[format.holds];
  for (const field of Object.keys(format.fields)) {
    if (!known.includes(field)) {
      const message = `is not a field of ${format.holds}; the fields are ${known.join(', ')}`;
      problems.push({ at: `fields.${field}`, message });
    }
  }
  for (const field of neededFields[format.holds]) {
    if (!format.fields[field]) problems.push({ at: `fields.${field}`, message: 'is missing' });
  }
  const codes: readonly MailPieceField[] = ['outbound_imb', 'inbound_imb', 'imb'];
  if (format.holds === 'mailpieces' && !codes.some((field) => format.fields[field])) {
    problems.push({ at: 'fields', message: `have none of ${codes.join(', ')}` });
  }
  const number = format.fields.ballot_number;
  for (const name of format.filled_later) {
    if (format.holds === 'ballots' && number && columnsOf(number).includes(name)) continue;
    problems.push({ at: 'filled_later', message: `${name} is no column of a ballot's number` });
  }
  if (format.holds === 'ballots' && !format.status) {
    problems.push({ at: 'status', message: 'is missing' });
  }
  if (format.holds !== 'ballots' && format.missing_rows !== 'nothing') {
    problems.push({ at: 'missing_rows', message: 'is for ballots alone' });
  }
  if (format.holds !== 'ballots' && format.first_statuses.length > 0) {
    problems.push({ at: 'first_statuses', message: 'is for ballots alone' });
  }
  if (format.holds !== 'mailpieces' && format.row_means !== undefined) {
    problems.push({ at: 'row_means', message: 'is for mail pieces alone' });
  }
  if (format.widths && (format.header || format.widths.length !== format.columns?.length)) {
    const message = 'need "header": false, and as many numbers as there are columns';
    problems.push({ at: 'widths', message });
  }
  if (format.preamble.length > 0 && !format.header) {
    problems.push({ at: 'preamble', message: 'needs a line of column names after it' });
  }
  if (format.file_date && 'after' in format.file_date && format.preamble.length === 0) {
    const message = 'needs "preamble": the starts of the lines before the column names';
    problems.push({ at: 'file_date.after', message });
  }
  for (const [field, source] of Object.entries(format.fields)) {
    if (typeof source !== 'object' || !('latest' in source) || isDateField(field)) continue;
    problems.push({ at: `fields.${field}`, message: 'is not a date: "latest" compares dates' });
  }
  if (!format.header && !format.columns) {
    problems.push({ at: 'columns', message: 'must list every column, as there is no header line' });
  }
  return problems;
}

/** The fields whose values are days. */
export function isDateField(field: string): boolean {
  return field === 'birthdate' || field.endsWith('_on');
}
