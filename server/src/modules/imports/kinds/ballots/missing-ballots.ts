import type { Tx } from '../../../../platform/postgres.ts';
import { formatCount } from '../gate-words.ts';
import type { Applied, EarlierFile, GateReason, KindTask, Learned } from '../kind.ts';
import { finalStatuses, sum } from './election-news.ts';
import { countsOf, readMissing } from './gate-store.ts';
import { type BallotFileSize, isKnownPart } from './list-size.ts';

/** Of known ballots, a file with fewer is a list of changes: what it does not list says nothing. */
const wholeShare = 0.9;
/** A list of fewer ballots may come in parts, of which none shows that the others are missing. */
const fewBallots = 20;

interface Coverage {
  readonly listed: Learned['listed'];
  readonly reasons: readonly GateReason[];
}

interface ListedElection {
  readonly electionId: number;
  readonly number: string;
}

/** What a complete list no longer has: a ballot that is accepted stays on it, and most others do. */
export async function judgeMissing(
  tx: Tx,
  task: KindTask,
  { before, changed, unchanged, size }: Applied<BallotFileSize>,
  earlier: readonly EarlierFile[],
  ofFile: readonly ListedElection[],
): Promise<Coverage> {
  const { account, findings } = task;
  const elections = [...ofFile, ...findDropped(task, earlier, ofFile)];
  const known = sum(elections.flatMap(({ number }) => Object.values(countsOf(before, number))));
  const found = changed + unchanged;
  const last = earlier[0]?.learned?.listed;
  const none = { listed: { known, found, accepted: 0 }, reasons: [] };
  const limits = account.settings.import_limits;
  if (found >= known || !isWholeList({ known, found, unchanged }, earlier)) return none;
  if (isKnownPart(size.rows, earlier, limits)) return none;
  const ids = elections.map(({ electionId }) => electionId);
  const { shrink_percent: shrinkPercent } = limits;
  if (known >= fewBallots && known - found > (known * shrinkPercent) / 100) {
    const { examples } = await readMissing(tx, task, ids, null);
    const rows = known - found;
    const detail = `This file lists ${formatCount(found)} of the ${formatCount(known)} ballots that you have: ${formatCount(rows)} are missing. Voters would still see them as before. Is a part of the file gone?`;
    return { ...none, reasons: [{ code: 'ballots-missing', detail, rows, examples }] };
  }
  const missing = await readMissing(tx, task, ids, finalStatuses);
  const rows = missing.count - (last?.accepted ?? 0);
  const listed = { known, found, accepted: missing.count };
  if (rows <= Math.floor(known / 1000)) {
    if (rows > 0) findings.warnings.add(explainFewMissing(missing, findings.refusals.total), rows);
    return { listed, reasons: [] };
  }
  const [are, kind] = [rows === 1 ? 'is' : 'are', kindOf(missing)];
  const ballots = `${kind === 'accepted' ? 'accepted ' : ''}${rows === 1 ? 'ballot' : 'ballots'}`;
  const those = kind === 'accepted' ? '' : ` that ${are} ${kind}`;
  const detail = `${formatCount(rows)} ${ballots}${those} ${are} missing from this file. Voters would still see ${rows === 1 ? 'it' : 'them'} as ${kind}. ${explainGone(findings.refusals.total)}`;
  const { examples } = missing;
  return { listed, reasons: [{ code: 'accepted-missing', detail, rows, examples }] };
}

/** Elections of the last file that this one has no row of, though they are not over: it lacks all of their ballots. */
function findDropped(
  { elections, today }: KindTask,
  [last]: readonly EarlierFile[],
  listed: readonly ListedElection[],
): ListedElection[] {
  const before = last?.learned?.elections ?? [];
  return elections.filter(
    ({ number, electionDate, isActive }) =>
      isActive &&
      electionDate >= today &&
      before.includes(number) &&
      !listed.some((one) => one.number === number),
  );
}

/**
 * As the last file was, which shows it best, unless some earlier ones were lists of changes and this one looks like them: an office may send
 * all of its ballots once a week. Before there is one: a file with nearly all ballots that are known, or with a good part of them of which
 * most are unchanged, for a list of changes has no such rows.
 */
function isWholeList(
  { known, found, unchanged }: { known: number; found: number; unchanged: number },
  earlier: readonly EarlierFile[],
): boolean {
  const last = earlier[0]?.learned?.listed;
  const saysNews = unchanged * 2 <= found;
  if (last && last.known >= 5)
    return last.found >= last.known * wholeShare && !(saysNews && earlier.some(listsChanges));
  if (found >= known * wholeShare) return true;
  return known >= fewBallots && !saysNews && found * 4 >= known;
}

/** Half of a list is a mistake that somebody approved. */
function listsChanges({ learned }: EarlierFile): boolean {
  const listed = learned?.listed;
  return !!listed && listed.known >= fewBallots && listed.found * 2 < listed.known;
}

/** A vote in person is as final as an accepted envelope, and not the same. */
function kindOf({
  count,
  inPerson,
}: {
  readonly count: number;
  readonly inPerson: number;
}): string {
  if (inPerson === 0) return 'accepted';
  return inPerson < count ? 'accepted or voted in person' : 'voted in person';
}

/** So few do not stop a file; a clerk may ask about them. */
function explainFewMissing(
  missing: Awaited<ReturnType<typeof readMissing>>,
  refused: number,
): string {
  const voters = missing.examples.map(({ voter }) => voter).join(', ');
  const kind = kindOf(missing);
  return `${kind}, and missing from this file (voters ${voters}). Voters still see these ballots as ${kind}. ${explainGone(refused)}`;
}

/** A row that was refused is in the file, but its ballot counts as missing. */
function explainGone(refused: number): string {
  if (refused === 0) return 'Ask the office why the rows are gone.';
  const rows = refused === 1 ? '1 row was' : `${formatCount(refused)} rows were`;
  return `${rows} refused, perhaps theirs: correct what was refused, or ask the office why the rows are gone.`;
}
