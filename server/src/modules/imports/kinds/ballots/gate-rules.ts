import { formatDay } from '../../../../platform/clock.ts';
import { formatCount } from '../gate-words.ts';
import type { LearnedChange } from '../kind.ts';
import {
  type BallotFacts,
  countOf,
  describeCounts,
  type ElectionNews,
  endsOf,
  type Finding,
  finalStatuses,
  isOneOf,
  type StatusChange,
  sum,
} from './election-news.ts';
import { judgeRevived } from './gate-acceptances.ts';
import { judgeDates, judgeTime } from './gate-dates.ts';
import { afterMailing, judgeFirstFile, judgeVolume, oneFile } from './gate-volume.ts';

const isBehind: Readonly<Record<string, readonly string[]>> = {
  // Ballots are cancelled that never came back, and whose ballot is back does not vote in person.
  returned: ['requested', 'printed', 'sent', 'cancelled', 'in-person'],
  'rejected-curable': ['requested', 'printed', 'sent'],
  rejected: ['requested', 'printed', 'sent'],
  'not-counted': ['requested', 'printed', 'sent'],
  counted: ['accepted'],
  'application-approved': ['application-received', 'application-incomplete', 'application-refused'],
  sent: ['requested', 'printed'],
  printed: ['requested'],
};

/** Judges the changes of one election. No finding: they are what an ordinary day brings. */
export function judgeElection(news: ElectionNews, facts: BallotFacts): Finding[] {
  const known = sum(Object.values(news.before));
  const moved = news.changes.filter(({ from, to }) => from !== to);
  return [
    ...judgeTakenBack(news, moved),
    ...judgeWentBack(news, moved, known),
    ...judgeRevived(news, moved, facts),
    ...judgeOpenCases(news, moved, facts),
    ...(known === 0
      ? judgeFirstFile(news, moved, facts)
      : judgeVolume(news, moved, known, facts, oneFile)),
    ...judgeDates(news),
    ...judgeTime(news, moved, facts),
  ];
}

/** A clerk or a court takes back a few acceptances; a wrong file takes back all of them. */
function judgeTakenBack(
  { number, before }: ElectionNews,
  moved: readonly StatusChange[],
): Finding[] {
  const from: readonly string[] = finalStatuses;
  const back = moved.filter((one) => isOneOf(from, one.from) && !from.includes(one.to));
  const final = sum(finalStatuses.map((status) => before[status] ?? 0));
  const allowed = Math.min(50, Math.max(3, Math.floor(final / 1000)));
  const rows = countOf(back);
  const concerned = from.filter((status) => back.some((one) => one.from === status));
  const most = sum(concerned.map((status) => before[status] ?? 0));
  if (rows <= allowed && !isMostOf(rows, most, 2)) return [];
  const to = [...new Set(back.map((one) => one.to))];
  const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(final)} ballots that are accepted or voted in person would become ${describeCounts(back)}. ${describeUsual(rows, allowed, most)}`;
  return [{ code: 'taken-back', detail, rows, where: { election: number, from, to } }];
}

/** Of a few ballots, most: no number is small then. */
function isMostOf(rows: number, all: number, atLeast = 3): boolean {
  return rows >= atLeast && rows * 2 > all;
}

/** Why so many are too many, also where a larger election may have as many. */
function describeUsual(rows: number, allowed: number, all: number): string {
  if (rows > allowed) return `Up to ${formatCount(allowed)} in one file is usual.`;
  return `That is ${rows === all ? 'all' : 'most'} of the ballots that have come that far.`;
}

/** A tray that is printed or mailed anew is larger in a large county; what an office does to an envelope that is back, it does by hand. */
const inTrays: readonly string[] = ['sent', 'printed'];

function judgeWentBack(
  news: ElectionNews,
  moved: readonly StatusChange[],
  known: number,
): Finding[] {
  const back = moved.filter(({ from, to }) => from !== null && isBehind[from]?.includes(to));
  const byHand = back.filter(({ from }) => !isOneOf(inTrays, from));
  const ofTray = Math.max(5, Math.ceil(known * 0.005));
  const found = judgeBack(news, byHand, Math.min(50, ofTray));
  return found.length > 0 ? found : judgeBack(news, back, ofTray);
}

function judgeBack(
  { number, before }: ElectionNews,
  back: readonly StatusChange[],
  allowed: number,
): Finding[] {
  const rows = countOf(back);
  const ahead = sum(
    [...new Set(back.map(({ from }) => from))].map((from) => before[from ?? ''] ?? 0),
  );
  if (rows <= allowed && !isMostOf(rows, ahead)) return [];
  const where = { election: number, ...endsOf(back) };
  const ifTo = (end: string, words: string) => (back.some(({ to }) => to === end) ? words : '');
  const cancels = ifTo('cancelled', ' or be cancelled after their return');
  const votes = ifTo('in-person', ' or be voted in person after their return');
  const columns = ifTo('in-person', ', or did two columns change places');
  const detail = `Election ${number}: ${formatCount(rows)} ballots would go back to an earlier step${cancels}${votes}: ${describeCounts(back)}. ${describeUsual(rows, allowed, ahead)} Is this an old file${columns}?`;
  return [{ code: 'went-back', detail, rows, where }];
}

/** What becomes of an envelope that its voter has not fixed in time. */
export const unfixed = { from: 'rejected-curable', to: ['rejected', 'not-counted'] } as const;

/**
 * Voters can fix their envelopes at least until election day is over, and until the deadline where it is known: a clerk rejects one of them
 * before, and seldom most. Of a list of open cases, even the only one: nothing else in the file could show that its status is wrong.
 */
function judgeOpenCases(
  { number, date, before }: ElectionNews,
  moved: readonly StatusChange[],
  { today, isOfOpenCases, fixableUntil, gone }: BallotFacts,
): Finding[] {
  const { from, to } = unfixed;
  const closed = countOf(moved.filter((one) => one.from === from && one.to === 'accepted'));
  // Of a list, those that are on it: the others have left it, and may be fixed.
  const left = isOfOpenCases ? (gone.get(number) ?? 0) + closed : 0;
  // So is what it shows for the first time. From election day on, envelopes that come too late begin as refused.
  const begin = isOfOpenCases && today < date ? moved.filter((one) => one.from === null) : [];
  const open = (before[from] ?? 0) - left + countOf(begin);
  const refused = [...moved.filter((one) => one.from === from), ...begin].filter((one) =>
    isOneOf(to, one.to),
  );
  const rows = countOf(refused);
  const deadline = fixableUntil.get(number) ?? date;
  const isOver = today > date && today > deadline;
  // Several may begin as refused beside others. A status that is wrong in every row refuses them all.
  const isKnown = refused.some((one) => one.from === from);
  const areMost = isKnown ? isMostOf(rows, open, isOfOpenCases ? 1 : 2) : rows > 1 && rows === open;
  if (isOver || !areMost) return [];
  const [who, what] =
    rows === 1 ? ['this voter', 'the envelope'] : ['these voters', 'their envelopes'];
  const until =
    today > date ? `the deadline is ${formatDay(deadline, today)}` : 'election day is not over';
  const detail = `Election ${number}: ${formatCount(rows)} of ${formatCount(open)} open cases would be rejected, and ${until}: ${who} can still fix ${what}. Is the status right?`;
  const where = { election: number, ...endsOf(refused) };
  return [{ code: 'rejected-too-soon', detail, rows, where }];
}

const steps = [
  ...['application-received', 'application-incomplete', 'application-approved', 'requested'],
  ...['printed', 'sent', 'returned'],
];

/** How far a ballot has come: a verdict follows the envelope's return, and nothing follows the end. */
function stepOf(status: string): number {
  if (isOneOf(finalStatuses, status)) return steps.length + 1;
  const step = steps.indexOf(status);
  return step < 0 ? steps.length : step;
}

/** Whether most ballots that would move would go back, as an older file has them. */
export function goesMostlyBack(elections: readonly ElectionNews[]): boolean {
  const moved = elections.flatMap(({ changes }) =>
    changes.filter(({ from, to }) => from !== null && from !== to),
  );
  const back = moved.filter(({ from, to }) => stepOf(to) < stepOf(from ?? ''));
  return countOf(back) * 2 > countOf(moved);
}

/** Ballots whose status becomes another. */
export function countMoved(elections: readonly ElectionNews[]): number {
  return sum(
    elections.map(({ changes }) => countOf(changes.filter(({ from, to }) => from !== to))),
  );
}

/** Ballots that no file listed before, or only a corrected one. */
export function countFirst(elections: readonly ElectionNews[]): number {
  return sum(elections.map(({ changes }) => countOf(changes.filter(({ from }) => from === null))));
}

/** Ballots that are back or decided when they are first listed. */
export function countBack(elections: readonly ElectionNews[]): number {
  const back: readonly string[] = [...afterMailing, 'in-person'];
  const isBack = ({ from, to }: StatusChange) =>
    from === null && to !== 'undeliverable' && back.includes(to);
  return sum(elections.map(({ changes }) => countOf(changes.filter(isBack))));
}

/** What later files are compared with: of elections that had ballots before. */
export function countNews(elections: readonly ElectionNews[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { before, changes } of elections) {
    if (Object.keys(before).length === 0) continue;
    for (const { from, to, count } of changes) {
      if (from === to) continue;
      counts[to] = (counts[to] ?? 0) + count;
      if (from === null) counts[`new ${to}`] = (counts[`new ${to}`] ?? 0) + count;
    }
  }
  return counts;
}

/** What the later files of the day and the week are counted with: of elections that had ballots before. */
export function listChanges(elections: readonly ElectionNews[]): LearnedChange[] {
  return elections
    .filter(({ before }) => Object.keys(before).length > 0)
    .flatMap(({ number: election, changes }) =>
      changes.flatMap(({ from, to, count }) =>
        from === to ? [] : [{ election, from, to, count }],
      ),
    );
}
