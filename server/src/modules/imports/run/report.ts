import type { Format } from '../formats/format.ts';

/** What an import did, as the clerk reads it and as `imports.report` keeps it. Never holds a voter's data. */
export interface ImportReport {
  readonly format: string;
  readonly holds: 'voters' | 'ballots' | 'mailpieces' | 'scans';
  /** Identifies format definition and options, so that the same bytes read otherwise are not taken for the same. */
  readonly reading: string;
  /** True: the very bytes of the last import; nothing was looked at further. */
  readonly isRepeat: boolean;
  readonly rows: {
    readonly read: number;
    readonly added: number;
    readonly changed: number;
    readonly unchanged: number;
    readonly refused: number;
    /** None of ours: early votes, totals, older rows of the same ballot. */
    readonly passedOver: number;
  };
  /** Voters active and inactive, ballots per election and status, or mail pieces per election and direction. */
  readonly before: Counts;
  readonly after: Counts;
  readonly refusals: readonly {
    readonly reason: string;
    readonly count: number;
    readonly line: number;
  }[];
  readonly warnings: readonly { readonly message: string; readonly count: number }[];
  /** Status values no rule knows. */
  readonly unknownStatuses: readonly { readonly value: string; readonly count: number }[];
  readonly unknownColumns: readonly string[];
  /** Lines that were no UTF-8 and taken for the format's own encoding. */
  readonly redecodedLines: number;
  readonly events: number;
  readonly rejectsFile: string | null;
  /** Why a file was refused as a whole. */
  readonly refusedBecause: string | null;
  readonly isDryRun: boolean;
  /** Of the file. */
  readonly bytes: number;
  readonly seconds: number;
  /** Of a held file of which nothing is in: how to read it once it is released. */
  readonly heldFile?: HeldFile;
  /** Who let a held file in. */
  readonly releasedBy?: string;
  /** Why the file, or the voters' messages alone, are held. */
  readonly gate?: readonly { readonly code: string; readonly detail: string }[];
}

export interface HeldFile {
  readonly format: Format;
  readonly election: string | null;
  readonly isFull: boolean;
}

export type Counts = Readonly<Record<string, number>>;

const shownRefusals = 10;
const nouns = {
  voters: 'voters',
  ballots: 'ballots',
  mailpieces: 'mail pieces',
  scans: 'scans',
} as const;

/** The report in plain words, for a terminal. */
export function describeReport(report: ImportReport, fileName: string): string {
  const lines: string[] = [];
  const { rows } = report;
  if (report.refusedBecause !== null) {
    lines.push(`${fileName} was refused; nothing was changed.`, `  ${report.refusedBecause}`);
  } else if (report.heldFile) {
    const held = report.isDryRun ? 'would be held (a dry run)' : 'is held';
    lines.push(`${fileName} ${held}; nothing of it was taken in.`);
  } else if (report.isRepeat) {
    lines.push(`${fileName} holds the very bytes of the last import: nothing to do.`);
  } else {
    lines.push(
      `${fileName}: ${count(rows.read, 'row')} read in ${report.seconds.toFixed(1)} s${report.isDryRun ? '. A dry run: nothing was changed' : ''}.`,
      `  ${nouns[report.holds]} new ${group(rows.added)}, changed ${group(rows.changed)}, unchanged ${group(rows.unchanged)}; rows refused ${group(rows.refused)}` +
        `${rows.passedOver > 0 ? `, passed over ${group(rows.passedOver)}` : ''}`,
    );
  }
  if (report.refusedBecause === null && !report.isRepeat && !report.heldFile)
    lines.push(...describeCounts(report));
  if (report.refusals.length > 0) {
    lines.push('', `  Refused rows by reason (${count(rows.refused, 'row')}):`);
    for (const { reason, count: refused, line } of report.refusals.slice(0, shownRefusals)) {
      lines.push(`    ${group(refused).padStart(9)}  ${reason} (first on line ${line})`);
    }
    const more = report.refusals.length - shownRefusals;
    if (more > 0) lines.push(`    and ${count(more, 'more reason')}`);
  }
  if (report.rejectsFile !== null) {
    lines.push(`  Every refused row with its line and reason: ${report.rejectsFile}`);
  }
  for (const { value, count: found } of report.unknownStatuses) {
    lines.push(
      `  Unknown status ${JSON.stringify(value)} on ${count(found, 'row')}: voters go on seeing the last known status. Tell us what it means, or add it to the format.`,
    );
  }
  for (const { message, count: found } of report.warnings) {
    lines.push(`  ${count(found, 'row')}: ${message}`);
  }
  if (report.unknownColumns.length > 0) {
    lines.push(`  Columns passed over: ${report.unknownColumns.join(', ')}`);
  }
  if (report.redecodedLines > 0) {
    lines.push(
      `  ${count(report.redecodedLines, 'line')} not in UTF-8; read in the format's own encoding.`,
    );
  }
  for (const { detail } of report.gate ?? []) lines.push(`  Held: ${detail}`);
  return lines.join('\n');
}

function describeCounts({ before, after }: ImportReport): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  if (names.length === 0) return [];
  const width = Math.max(...names.map((name) => name.length));
  const rows = names.map((name) => {
    const [was, is] = [before[name] ?? 0, after[name] ?? 0];
    const change = is === was ? '' : `  (${is > was ? '+' : '−'}${group(Math.abs(is - was))})`;
    return `    ${name.padEnd(width)}  ${group(was).padStart(9)}  ${group(is).padStart(9)}${change}`;
  });
  return ['', `    ${''.padEnd(width)}  ${'before'.padStart(9)}  ${'after'.padStart(9)}`, ...rows];
}

function count(number: number, noun: string): string {
  return `${group(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
