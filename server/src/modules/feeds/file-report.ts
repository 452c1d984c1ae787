import type { Account } from '../accounts/index.ts';
import { describeReport, type ImportOutcome } from '../imports/index.ts';

/** What becomes of one file. */
export type Taken =
  | { readonly kind: 'imported'; readonly outcome: ImportOutcome }
  /** It could not be imported; the reason in words for the clerk. */
  | { readonly kind: 'unusable'; readonly message: string };

/** The report of one file, for people: it lies beside the file and is printed by the command. */
export function describeTaken(
  account: Account,
  name: string,
  taken: Taken,
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
  if (taken.kind === 'unusable') {
    return [head, `${name} was refused; nothing was changed.`, `  ${taken.message}`, again].join(
      '\n',
    );
  }
  const { importId, state, report } = taken.outcome;
  const lines = [`${head}, import ${importId}, format ${report.format}`];
  if (state === 'held') lines.push(describeHeld(importId, report.heldFile !== undefined));
  lines.push(describeReport({ ...report, rejectsFile }, name));
  if (state === 'refused') lines.push(again);
  return lines.join('\n');
}

function describeHeld(importId: number | null, isWholeFile: boolean): string {
  const what = isWholeFile
    ? 'Nothing of the file is in: it takes too much away to be believed unseen. When it is wrong, drop the right one into the folder.'
    : `The ballots are in, but no voter is told of them. When the file is wrong: beacon correct ${importId} --by NAME.`;
  return `Held: run beacon release ${importId} --by NAME, by somebody else than who runs this, when the file is right. ${what}`;
}
