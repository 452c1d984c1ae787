import type { RecentChange } from '../kind.ts';
import { fullDays } from '../pace.ts';
import {
  type BallotFacts,
  countOf,
  type ElectionNews,
  type Finding,
  type StatusChange,
  sum,
} from './election-news.ts';
import { judgeElection } from './gate-rules.ts';
import { judgeVolume, ofDay, ofWeek, type Span } from './gate-volume.ts';

const noFaults = { 'in-future': 0, 'out-of-season': 0, 'out-of-order': 0, 'late-too-soon': 0 };

/**
 * Many files may not do what one may not: the day's are judged as one file, and those of a week by three such days. An office that
 * catches up sends the files of several days in one, which may change as much as three days may. What a second person approved is not
 * counted again.
 *
 * @param facts with the day that this file is of, as far as anything in it says so
 * @param recent of the week, without this file
 * @param found what is odd of this file alone
 */
export function judgePace(
  news: ElectionNews,
  facts: BallotFacts & { readonly fileDay: string | null },
  recent: readonly RecentChange[],
  found: readonly Finding[],
): Finding[] {
  const earlier = recent.filter(({ election }) => election === news.number);
  const ofToday = earlier.filter(({ day }) => day === facts.today);
  if (earlier.length === 0) return [];
  const judgeTogether = (files: readonly RecentChange[], more: BallotFacts, span: Span) =>
    judgeVolume(news, moved(withEarlier(news, files)), countKnown(news, files), more, span);
  // What an office's larger files taught would let the pace of a week grow with itself.
  const byWeek = [
    ...judgeTogether(earlier, { ...facts, earlier: [] }, ofWeek),
    ...judgeSteps(news, earlier, facts, { times: fullDays, when: 'this week' }),
  ];
  const days = new Set([facts.fileDay, ...ofToday.map(({ fileDay }) => fileDay)]);
  const times = Math.min(days.size, fullDays);
  const byDay =
    ofToday.length > 0
      ? [
          ...judgeTogether(ofToday, facts, ofDay(times)),
          ...judgeSteps(news, ofToday, facts, { times, when: 'today' }),
        ]
      : [];
  const odd: Finding[] = [];
  for (const one of [...byDay, ...byWeek]) {
    const rows = countOf(moved(news).filter((change) => isAbout(one, change)));
    const isSaid = found.concat(odd).some((other) => isSame(one, other));
    if (rows > 0 && !isSaid) odd.push({ ...one, rows });
  }
  return odd;
}

const moved = ({ changes }: ElectionNews) => changes.filter(({ from, to }) => from !== to);

/** Ballots that were listed before any of these files. */
function countKnown({ before }: ElectionNews, files: readonly RecentChange[]): number {
  return (
    sum(Object.values(before)) -
    sum(files.filter(({ from }) => from === null).map(({ count }) => count))
  );
}

/** What is odd of steps, such as those back, however few ballots take them. @param times as many days may have taken them */
function judgeSteps(
  news: ElectionNews,
  earlier: readonly RecentChange[],
  facts: BallotFacts,
  { times, when }: { readonly times: number; readonly when: string },
): Finding[] {
  const all = withEarlier(news, earlier);
  const changes = all.changes.map((one) => ({ ...one, count: one.count / times }));
  const ofOneDay = judgeElection({ ...all, changes }, facts);
  const span = when === 'today' ? `For the files of ${times} days` : 'For a week';
  const more = times === 1 ? '' : ` ${span}, up to ${times} times as many is usual.`;
  return judgeElection(all, facts)
    .filter((one) => one.code !== 'volume' && one.code !== 'first-status')
    .filter((one) => ofOneDay.some((other) => isSame(one, other)))
    .map((one) => ({
      ...one,
      detail: `${one.detail} This includes earlier files of ${when}.${more}`,
    }));
}

/** The changes of the file and of the earlier ones, and the ballots that had each status before any of them. */
function withEarlier(news: ElectionNews, earlier: readonly RecentChange[]): ElectionNews {
  const before: Record<string, number> = { ...news.before };
  for (const { from, count } of earlier)
    if (from !== null) before[from] = (before[from] ?? 0) + count;
  const changes = earlier.map(({ from, to, count }) => ({ from, to, count, faults: noFaults }));
  return { ...news, before, changes: [...news.changes, ...changes] };
}

function isAbout({ where: { from, to } }: Finding, change: StatusChange): boolean {
  return (from?.includes(change.from) ?? true) && (to?.includes(change.to) ?? true);
}

function isSame(one: Finding, other: Finding): boolean {
  return (
    one.code === other.code &&
    one.where.election === other.where.election &&
    (other.where.to?.some((status) => one.where.to?.includes(status) ?? true) ?? true)
  );
}
