import type { ImportId } from '../../platform/ids.ts';
import type { Account } from '../accounts/index.ts';
import { describeReport, type ImportOutcome, type ImportReport } from '../imports/index.ts';

/** The result of one file. */
export type FileResult =
  | { readonly kind: 'imported'; readonly outcome: ImportOutcome }
  /** It could not be imported; the reason in words for the clerk. */
  | { readonly kind: 'unusable'; readonly message: string };

/** The report of one file, for people: it lies beside the file and is printed by the command. */
export function describeResult(
  account: Account,
  name: string,
  result: FileResult,
  rejectsFile: string | null,
  now: Date,
): string {
  const when = new Intl.DateTimeFormat('en-US', {
    dateStyle: 'long',
    timeStyle: 'long',
    timeZone: account.timeZone,
  }).format(now);
  const head = `${account.name} (${account.subdomain}), ${when}`;
  const again = 'Fix the file or export it again, and drop it into the folder once more.';
  if (result.kind === 'unusable') {
    return [head, `${name} was refused; nothing changed.`, `  ${result.message}`, again].join('\n');
  }
  const { importId, state, report } = result.outcome;
  const lines = [`${head}, import ${importId}, format ${report.format}`];
  if (state === 'file-held' || state === 'messages-held')
    lines.push(describeWaiting(importId, state === 'file-held', report.holds));
  lines.push(describeReport({ ...report, rejectsFile }, name));
  if (state === 'refused') lines.push(again);
  return lines.join('\n');
}

function describeWaiting(
  importId: ImportId | null,
  isWholeFile: boolean,
  kind: ImportReport['holds'],
): string {
  // A later file of scans takes no earlier one's place.
  const joint = kind === 'scans' ? 'and' : 'or';
  const what = isWholeFile
    ? `Nothing in the file was loaded: voters see what they saw before. If the file is wrong, put the right file into the folder, ${joint}: beacon discard ${importId} --by NAME --reason TEXT`
    : `The ballots were loaded, but no messages are sent. If the file is wrong: beacon correct ${importId} --by NAME`;
  return `Waiting for approval. If the file is right, a second person must approve it: beacon release ${importId} --by THEIR_NAME. ${what}`;
}
