import type { Tx } from '../../../../platform/postgres.ts';
import { findFirstDeadline } from '../../../ballots/index.ts';
import type { KindTask } from '../kind.ts';
import type { ElectionNews, StatusChange } from './election-news.ts';
import { unfixed } from './gate-rules.ts';

/** The day of the first deadline to fix an envelope, by the number of each election of which open cases would be rejected. */
export async function readDeadlines(
  tx: Tx,
  { account, elections }: KindTask,
  news: readonly ElectionNews[],
): Promise<Map<string, string>> {
  const refusals: readonly string[] = unfixed.to;
  const deadlines = new Map<string, string>();
  for (const { number, changes } of news) {
    const election = elections.find((one) => one.number === number);
    const isRefused = ({ from, to }: StatusChange) =>
      from === unfixed.from && refusals.includes(to);
    if (!election || !changes.some(isRefused)) continue;
    const deadline = await findFirstDeadline(tx, account, election);
    if (deadline !== null) deadlines.set(number, deadline);
  }
  return deadlines;
}
