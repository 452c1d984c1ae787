import type { ImportReport } from './report.ts';

/** A report's rows by what became of them, and what is on record before and after, as the console shows both. */
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
  };
}
