import type { UploadPreview } from '@ballot-beacon/contract/office/uploads';
import { type ImportOutcome, type SampleChange, viewReport } from '../imports/index.ts';
import { type AnnouncedFinish, type PreviewedMessage, viewFinish } from '../notifications/index.ts';
import { inClerksWords } from './rules.ts';

/** Different reasons and messages that are shown; a file has few, and a wrong one may have thousands. */
const mostShown = 50;

/** What a check found, as the person reads it. */
export function describePreview(found: {
  /** Of a dry run. */
  readonly outcome: ImportOutcome;
  readonly samples: readonly SampleChange[];
  readonly messages: readonly PreviewedMessage[];
  /** Of the messages; undefined when there are none. */
  readonly finish: AnnouncedFinish | undefined;
  readonly refusedRows: UploadPreview['refused_rows'];
  readonly checkedAt: Date;
}): UploadPreview {
  const { outcome, samples, messages, refusedRows, checkedAt } = found;
  const finish = found.finish ? viewFinish(found.finish) : null;
  const { report, state } = outcome;
  const { rows, counts, warnings } = viewReport(report);
  const reasons = (report.gate ?? []).map(({ detail }) => inClerksWords(detail));
  const waits = state === 'file-held';
  return {
    checked_at: checkedAt.toISOString(),
    outcome: outcomeOf(state),
    format: report.format,
    holds: report.holds,
    rows: { read: report.rows.read, ...rows },
    counts,
    reasons: waits ? reasons : [],
    message_reasons: waits ? [] : reasons,
    refused_because: report.refusedBecause === null ? null : inClerksWords(report.refusedBecause),
    refusals: report.refusals
      .slice(0, mostShown)
      .map(({ reason, count, line }) => ({ reason: inClerksWords(reason), count, line })),
    refused_rows: refusedRows.map((row) => ({ ...row, reason: inClerksWords(row.reason) })),
    warnings,
    unknown_statuses: report.unknownStatuses.slice(0, mostShown),
    unknown_columns: [...report.unknownColumns],
    samples: samples.map(({ changes, ...voter }) => ({ ...voter, changes: [...changes] })),
    messages: messages
      .slice(0, mostShown)
      .map(({ about, language, channel, count, subject, text }) => ({
        ...{ about, language, channel, count, subject, text },
      })),
    last_message_at: finish?.latest_at ?? null,
    finish,
  };
}

function outcomeOf(state: ImportOutcome['state']): UploadPreview['outcome'] {
  if (state === 'file-held') return 'waits';
  if (state === 'refused' || state === 'nothing-new') return state;
  return 'ready';
}
