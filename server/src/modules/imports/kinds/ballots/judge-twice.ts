import type { Tx } from '../../../../platform/postgres.ts';
import { formatCount } from '../gate-words.ts';
import type { Applied, GateReason } from '../kind.ts';
import { readContradictions } from './twice-store.ts';

/** A clerk may have written one verdict beside the other, without another day. */
const few = 3;
/** Of the ballots that a file decides. Files with a row for each step have both verdicts of an envelope that was fixed. */
const mostShare = 0.25;

/**
 * Of a ballot's rows with the same days, acceptance counts. In a file of two tables, or a file that a join has doubled, many of the day's verdicts
 * have their opposite beside them, and nobody can say which is right.
 */
export async function judgeTwice(tx: Tx, { superseded }: Applied): Promise<GateReason[]> {
  if (superseded < few) return [];
  const found = await readContradictions(tx);
  return found
    .filter(
      ({ contradicted, decided }) => contradicted >= few && contradicted > decided * mostShare,
    )
    .map(({ number, contradicted, decided, examples }) => ({
      code: 'contradictory-rows',
      detail: `Election ${number}: ${formatCount(contradicted)} of ${formatCount(decided)} ballots that this file decides are in it as accepted and as rejected, with the same days. Were two tables joined?`,
      rows: contradicted,
      examples,
    }));
}
