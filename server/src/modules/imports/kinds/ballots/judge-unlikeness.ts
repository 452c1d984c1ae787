import type { AccountId } from '../../../../platform/ids.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import type { Applied, ExampleRow, GateReason, KindTask } from '../kind.ts';
import { sum } from './election-news.ts';
import { isFewUndecided, judgeResemblance, type Unlikeness } from './gate-resemblance.ts';
import { countsOf } from './gate-store.ts';
import type { BallotFileSize } from './list-size.ts';
import { readChangedExamples, readResemblance, readUnlikeExamples } from './resemblance-store.ts';

/** By what the file says otherwise of ballots and voters that are known. */
export async function judgeUnlikeness(
  tx: Tx,
  { account: { accountId }, findings }: KindTask,
  { before, added, changed, unchanged, size }: Applied<BallotFileSize>,
): Promise<GateReason[]> {
  if (Object.keys(before).length === 0 || added + changed === 0) return [];
  const reasons: GateReason[] = [];
  const unknown = findings.unknownStatuses.list('value').map(({ value }) => value);
  for (const one of await readResemblance(tx, accountId, unknown)) {
    const known = sum(Object.values(countsOf(before, one.number)));
    const listed = Math.min(known, changed + unchanged);
    for (const { what, ...reason } of judgeResemblance(one, {
      listed,
      known,
      corrected: size.corrected,
    })) {
      const examples = await readUnlikeness(tx, accountId, one.number, { what, unknown });
      reasons.push({ ...reason, examples });
    }
    if (one.undecided > 0 && isFewUndecided(one.undecided, known)) {
      const how = { what: 'undecided', unknown } as const;
      const examples = await readUnlikeness(tx, accountId, one.number, how);
      findings.warnings.add(explainFewUndecided(examples), one.undecided);
    }
  }
  return reasons;
}

function readUnlikeness(
  tx: Tx,
  accountId: AccountId,
  election: string,
  { what, unknown }: { readonly what: Unlikeness['what']; readonly unknown: readonly string[] },
): Promise<ExampleRow[]> {
  return what === 'replacing' || what === 'moved'
    ? readUnlikeExamples(tx, accountId, election, what)
    : readChangedExamples(tx, accountId, election, what, unknown);
}

/** So few do not stop a file; a clerk may ask about them. */
function explainFewUndecided(examples: readonly ExampleRow[]): string {
  const voters = examples.map(({ voter }) => voter).join(', ');
  return `accepted before, and now listed with a status that does not say whether they count (voters ${voters}). Voters still see these ballots as accepted. Ask the office what it means.`;
}
