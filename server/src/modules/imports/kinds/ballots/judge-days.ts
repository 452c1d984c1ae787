import type { Tx } from '../../../../platform/postgres.ts';
import { formatCount } from '../gate-words.ts';
import type { Applied, Counts, EarlierFile, GateReason, KindTask } from '../kind.ts';
import { readLostDays, readReturnDays, readUndatedExamples } from './days-store.ts';
import { explainUndated, lackDays } from './gate-acceptances.ts';
import { countsOf } from './gate-store.ts';
import { milestones } from './rows.ts';

const namesOfDays = {
  requested_on: 'request',
  printed_on: 'printing',
  sent_on: 'mailing',
  returned_on: 'return',
} as const satisfies Record<(typeof milestones)[number], string>;

/** Fewer than these may be a clerk's corrections. */
const few = 3;

/**
 * By days that the file should have. Another format may know less of the same ballots, so only the last file of this one says
 * which days there were.
 * @param days of the file, how many rows have each
 */
export async function judgeDays(
  tx: Tx,
  { account: { accountId } }: KindTask,
  { before, added, changed }: Applied,
  [last]: readonly EarlierFile[],
  days: Counts,
): Promise<GateReason[]> {
  // What a first file lists has nothing to lose, and nothing to be compared with.
  if (added + changed === 0 || Object.keys(before).length === 0) return [];
  const reasons: GateReason[] = [];
  for (const day of milestones) {
    const had = last?.learned?.days?.[day] ?? 0;
    if (had === 0 || (days[day] ?? 0) > 0) continue;
    const { count, examples } = await readLostDays(tx, day);
    if (count < few) continue;
    const detail = `No row of this file has a day of ${namesOfDays[day]}; ${formatCount(had)} rows of the file before had one. ${formatCount(count)} ballots would lose theirs. Is the column empty, missing or in another place?`;
    reasons.push({ code: 'days-missing', detail, rows: count, examples });
  }
  for (const one of await readReturnDays(tx, accountId)) {
    const isFirstFile = Object.keys(countsOf(before, one.number)).length === 0;
    if (isFirstFile || !lackDays(one)) continue;
    const examples = await readUndatedExamples(tx, accountId, one);
    const [detail, rows] = [explainUndated(one), one.undated];
    reasons.push({ code: `${one.status}-undated`, detail, rows, examples });
  }
  return reasons;
}
