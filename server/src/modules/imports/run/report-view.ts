import { looksLikeStatus } from '../formats/header.ts';
import type { ImportReport } from './report.ts';
import { warnOfSignIn } from './sign-in-warning.ts';

/** A report's rows by what became of them, what is on record before and after, and the warnings, as the console shows them. */
export function viewReport(report: ImportReport) {
  const { added, changed, unchanged, refused, passedOver } = report.rows;
  const after = report.ifApproved ?? report.after;
  const names = [...new Set([...Object.keys(report.before), ...Object.keys(after)])].sort();
  return {
    rows: { added, changed, unchanged, refused, passed_over: passedOver },
    counts: names.map((name) => ({
      name,
      before: report.before[name] ?? 0,
      after: after[name] ?? 0,
    })),
    warnings: [...report.warnings, ...warnOfSignIn(report), ...warnOfStatusColumns(report)],
  };
}

/** A column that may decide what voters see, and that nobody reads. */
function warnOfStatusColumns({ unknownColumns, format, rows }: ImportReport) {
  return unknownColumns.filter(looksLikeStatus).map((column) => ({
    message: `The column ${column} looks like a status, and the format ${format} does not read it. Voters may see an old status. Ask your operator to add the column to the format.`,
    count: rows.read,
  }));
}
