import type { Format } from '../formats/format.ts';
import { looksLikeStatus } from '../formats/header.ts';
import type { Applied, Counts, GateReason, Learned } from '../kinds/kind.ts';
import type { Day } from '../read/dates.ts';
import type { Findings } from './findings.ts';
import type { RejectsList } from './rejects.ts';
import { warnOfSignIn } from './sign-in-warning.ts';

/**
 * What an import did, as the clerk reads it and as `imports.report` keeps it. Of a voter's data it contains nothing but the
 * IDs of example rows.
 */
export interface ImportReport {
  readonly format: string;
  /** What the file contains. Stored reports and format files use this word. */
  readonly holds: 'voters' | 'ballots' | 'mailpieces' | 'scans';
  /** Identifies format definition and options: the same bytes read in another way are not the same file. */
  readonly reading: string;
  /** True: the same bytes as the last import; nothing else was looked at. */
  readonly isRepeat: boolean;
  readonly rows: {
    readonly read: number;
    readonly added: number;
    readonly changed: number;
    readonly unchanged: number;
    readonly refused: number;
    /** Skipped: early votes, totals, older rows of the same ballot. */
    readonly passedOver: number;
  };
  /**
   * Voters active and inactive, ballots per election and status, or mail pieces per election and direction. Of scans, only the ballots whose
   * status they changed.
   */
  readonly before: Counts;
  readonly after: Counts;
  /** Of a file that waits: the counts after its approval. */
  readonly ifApproved?: Counts;
  readonly refusals: readonly {
    readonly reason: string;
    readonly count: number;
    readonly line: number;
  }[];
  readonly warnings: readonly { readonly message: string; readonly count: number }[];
  /** Status values no rule knows. */
  readonly unknownStatuses: readonly { readonly value: string; readonly count: number }[];
  readonly unknownColumns: readonly string[];
  /** Lines that are not UTF-8 and were read in the format's own encoding. */
  readonly redecodedLines: number;
  readonly events: number;
  readonly rejectsFile: string | null;
  /** Why a file was refused as a whole. */
  readonly refusedBecause: string | null;
  /** Why a file that waited is never loaded. */
  readonly discardedBecause?: string;
  readonly isDryRun: boolean;
  /** Of the file. */
  readonly bytes: number;
  readonly seconds: number;
  /** Of a file that waits, of which nothing is loaded: how to read it after its approval. */
  readonly heldFile?: WaitingFile;
  /** The second person, who approved the file. */
  readonly releasedBy?: string;
  /** Why the file, or only its messages, wait for approval. */
  readonly gate?: readonly GateReason[];
  /** The day that the file is of, by its own date or its name. */
  readonly fileDay?: Day | null;
  /** The file ends in the middle of a line. */
  readonly endsInLine?: boolean;
  /** What later files of the format are compared with. */
  readonly learned?: Learned;
}

export interface WaitingFile {
  readonly format: Format;
  readonly election: string | null;
  readonly isFull: boolean;
}

const shownRefusals = 10;
const nouns = {
  voters: 'voters',
  ballots: 'ballots',
  mailpieces: 'mail pieces',
  scans: 'scans',
} as const;

/** What an attempt to import a file found and did, so far. */
export interface Attempt {
  readonly findings: Findings;
  applied?: Applied | undefined;
  /** The file is the last imported file again. */
  isRepeat: boolean;
  fileDay?: Day | null;
  learned?: Learned | undefined;
  rejectsFile?: RejectsList;
  /** Why the gate stops the file. */
  reasons?: readonly GateReason[];
}

/** The report of an attempt, finished or not. */
export function buildReport(
  format: Format,
  { findings, applied, isRepeat, rejectsFile, fileDay, learned }: Attempt,
  facts: Pick<ImportReport, 'reading' | 'isDryRun' | 'bytes' | 'seconds'>,
): ImportReport {
  return {
    ...facts,
    format: format.name,
    holds: format.holds,
    isRepeat,
    rows: {
      read: findings.read,
      added: applied?.added ?? 0,
      changed: applied?.changed ?? 0,
      unchanged: applied?.unchanged ?? 0,
      refused: findings.refusals.total,
      passedOver: findings.skipped + (applied?.superseded ?? 0),
    },
    before: applied?.before ?? {},
    after: applied?.after ?? {},
    refusals: findings.refusals.list().slice(0, mostReasons),
    warnings: findings.warnings.list('message'),
    unknownStatuses: findings.unknownStatuses.list('value'),
    unknownColumns: findings.unknownColumns,
    redecodedLines: findings.redecodedLines,
    events: applied?.events ?? 0,
    rejectsFile: rejectsFile?.path ?? null,
    refusedBecause: null,
    ...(fileDay ? { fileDay } : {}),
    ...(applied ? { endsInLine: findings.endsInLine } : {}),
    ...(learned ? { learned } : {}),
  };
}

const mostReasons = 1000;

/**
 * The report in plain words, for a terminal.
 *
 * @param firstValues of an `ImportOutcome`, where only the person who imports the file reads it
 */
export function describeReport(
  report: ImportReport,
  fileName: string,
  firstValues: ReadonlyMap<string, string> = new Map(),
): string {
  const lines: string[] = [];
  const { rows } = report;
  if (report.refusedBecause !== null) {
    lines.push(
      `${fileName} was refused; nothing was changed.`,
      `  ${report.refusedBecause}`,
      ...describeReasons(report),
    );
  } else if (report.heldFile) {
    const waits = report.isDryRun
      ? 'would wait for approval (a dry run)'
      : 'is waiting for approval';
    lines.push(
      `${fileName} ${waits}. Nothing in it was loaded: voters see what they saw before, and no messages are sent.`,
      ...describeReasons(report),
      ...describeCounts(report, report.ifApproved ?? report.after, ['now', 'if approved']),
    );
  } else if (report.isRepeat) {
    lines.push(`${fileName} is the same file as last time. Nothing changed.`);
  } else {
    lines.push(
      `${fileName}: ${count(rows.read, 'row')} read in ${report.seconds.toFixed(1)} s${report.isDryRun ? '. A dry run: nothing was changed' : ''}.`,
      `  ${nouns[report.holds]} new ${group(rows.added)}, changed ${group(rows.changed)}, unchanged ${group(rows.unchanged)}; rows refused ${group(rows.refused)}` +
        `${rows.passedOver > 0 ? `, skipped ${group(rows.passedOver)}` : ''}`,
    );
  }
  if (report.refusedBecause === null && !report.isRepeat && !report.heldFile)
    lines.push(...describeCounts(report, report.after, ['before', 'after']));
  if (report.refusals.length > 0) {
    lines.push('', `  Refused rows by reason (${count(rows.refused, 'row')}):`);
    for (const { reason, count: refused, line } of report.refusals.slice(0, shownRefusals)) {
      const value = firstValues.get(reason);
      const written = value === undefined ? '' : `: ${JSON.stringify(value)}`;
      lines.push(`    ${group(refused).padStart(9)}  ${reason} (first on line ${line}${written})`);
    }
    const more = report.refusals.length - shownRefusals;
    if (more > 0) lines.push(`    and ${count(more, 'more reason')}`);
  }
  if (report.rejectsFile !== null) {
    lines.push(`  Every refused row with its line and reason: ${report.rejectsFile}`);
  }
  for (const { value, count: found } of report.unknownStatuses) {
    lines.push(
      `  Unknown status ${JSON.stringify(value)} on ${count(found, 'row')}: voters still see the previous status. Ask your administrator to add it to the format.`,
    );
  }
  if (report.heldFile && report.warnings.length > 0) lines.push('', '  If it is approved:');
  for (const { message, count: found } of report.warnings) {
    lines.push(`  ${count(found, 'row')}: ${message}`);
  }
  for (const { message } of warnOfSignIn(report)) lines.push(`  ATTENTION: ${message}`);
  for (const column of report.unknownColumns.filter(looksLikeStatus)) {
    lines.push(
      `  ATTENTION: the column ${column} looks like a status, and format ${report.format} does not read it. Voters may see an old status. Check with beacon format check, and add the column to the format.`,
    );
  }
  if (report.unknownColumns.length > 0) {
    lines.push(`  Columns not used: ${report.unknownColumns.join(', ')}`);
  }
  if (report.redecodedLines > 0) {
    lines.push(
      `  ${count(report.redecodedLines, 'line')} not in UTF-8; read in the format's own encoding.`,
    );
  }
  if (report.refusedBecause === null && !report.heldFile && report.gate && report.gate.length > 0)
    lines.push('', '  Its messages are waiting for approval:', ...describeReasons(report));
  return lines.join('\n');
}

/** What to do about a waiting file that is wrong: another takes its place, where each row does not stand for itself. */
export function adviseOnWrongFile(kind: ImportReport['holds']): string {
  return `Import the right file${kind === 'scans' ? '' : ', and this file will be discarded'}`;
}

/** Each reason with its first rows. */
function describeReasons(report: ImportReport): string[] {
  const { gate = [] } = report;
  const noun = report.holds === 'scans' ? 'barcode' : 'voter';
  return gate.flatMap(({ detail, examples = [] }) => [
    `  - ${detail}`,
    ...examples.map(
      ({ voter, from, to, line }) =>
        `      ${noun} ${voter}: ${from} → ${to}${line === null ? '' : ` (line ${group(line)})`}`,
    ),
  ]);
}

function describeCounts(
  report: Pick<ImportReport, 'before' | 'holds'>,
  after: Counts,
  [first, second]: readonly [string, string],
): string[] {
  const { before } = report;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (names.length === 0)
    return report.holds === 'scans' ? ['', '    no ballot gets another status'] : [];
  const title = report.holds === 'scans' ? 'ballots that moved' : '';
  const width = Math.max(title.length, ...names.map((name) => name.length));
  const column = (text: string) => text.padStart(13);
  const rows = names.map((name) => {
    const [was, is] = [before[name] ?? 0, after[name] ?? 0];
    const change = is === was ? '' : `  (${is > was ? '+' : '−'}${group(Math.abs(is - was))})`;
    return `    ${name.padEnd(width)}${column(group(was))}${column(group(is))}${change}`;
  });
  return ['', `    ${title.padEnd(width)}${column(first)}${column(second)}`, ...rows];
}

function count(number: number, noun: string): string {
  return `${group(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
