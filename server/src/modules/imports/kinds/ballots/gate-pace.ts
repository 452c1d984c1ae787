import type { RecentChange } from '../kind.ts';
import {
  type BallotFacts,
  countOf,
  type ElectionNews,
  type Finding,
  type StatusChange,
  sum,
} from './election-news.ts';
import { judgeElection } from './gate-rules.ts';
import { judgeVolume, type Span, spans } from './gate-volume.ts';

const noFaults = { 'in-future': 0, 'out-of-season': 0, 'out-of-order': 0, 'late-too-soon': 0 };

/**
 * Many files may not do what one may not: the day's are judged as one file, and those of a week by three such days. What a second
 * person approved is not counted again.
 *
 * @param recent of the week, without this file
 * @param found what is odd of this file alone
 */
export function judgePace(
  news: ElectionNews,
  facts: BallotFacts,
  recent: readonly RecentChange[],
  found: readonly Finding[],
): Finding[] {
  const ofWeek = recent.filter(({ election }) => election === news.number);
  const ofToday = ofWeek.filter(({ day }) => day === facts.today);
  if (ofWeek.length === 0) return [];
  const known = sum(Object.values(news.before));
  const judgeTogether = (earlier: readonly RecentChange[], more: BallotFacts, span: Span) =>
    judgeVolume(news, moved(withEarlier(news, earlier)), known, more, span);
  // What an office's larger files taught would let the pace of a week grow with itself.
  const byWeek = judgeTogether(ofWeek, { ...facts, earlier: [] }, spans.week);
  const byDay =
    ofToday.length > 0
      ? [...judgeTogether(ofToday, facts, spans.day), ...judgeSteps(news, ofToday, facts)]
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

/** What is odd of steps, such as those back, however few ballots take them. */
function judgeSteps(
  news: ElectionNews,
  earlier: readonly RecentChange[],
  facts: BallotFacts,
): Finding[] {
  return judgeElection(withEarlier(news, earlier), facts)
    .filter(({ code }) => code !== 'volume' && code !== 'first-status')
    .map((one) => ({
      ...one,
      detail: `${one.detail} Earlier files of today are counted with this one.`,
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
