import { formatDay } from '../../../../platform/clock.ts';
import type { Tx } from '../../../../platform/postgres.ts';
import type { Day } from '../../read/dates.ts';
import { findFileDay } from '../../run/file-day.ts';
import { findNewest } from '../../run/old-file.ts';
import { readRecentChanges } from '../../run/recent-store.ts';
import { ofSameElections } from '../../run/same-elections.ts';
import { daysBetween, formatCount } from '../gate-words.ts';
import type {
  Applied,
  Counts,
  EarlierFile,
  GateReason,
  Judgment,
  KindTask,
  Learned,
} from '../kind.ts';
import { readSaidCounts } from './days-store.ts';
import { type BallotFacts, type ElectionNews, sum } from './election-news.ts';
import { readUnknownStatuses } from './examples-store.ts';
import { readDeadlines } from './fix-deadlines.ts';
import { judgePace } from './gate-pace.ts';
import {
  countBack,
  countFirst,
  countMoved,
  countNews,
  goesMostlyBack,
  judgeElection,
  listChanges,
} from './gate-rules.ts';
import {
  countActiveVoters,
  countsOf,
  readElectionNews,
  readExamples,
  readListedElections,
  readMissing,
  readNewestDay,
} from './gate-store.ts';
import { judgeDays } from './judge-days.ts';
import { judgeTwice } from './judge-twice.ts';
import { judgeUnlikeness } from './judge-unlikeness.ts';
import { leavingStatuses } from './leavers-store.ts';
import { type BallotFileSize, explainShortList } from './list-size.ts';
import { judgeMissing } from './missing-ballots.ts';
import { compareWithOwn } from './own-records-store.ts';
import { countListedRecords, leaveOut, saidParts } from './plan-store.ts';
import { canRefuse, listsApplications } from './status-rules.ts';

/** Judges what a file of ballots would change, before a voter can see it. */
export async function judgeBallots(
  tx: Tx,
  task: KindTask,
  ofAllSorts: Applied<BallotFileSize>,
  earlier: readonly EarlierFile[],
): Promise<Judgment> {
  const { account, format, today } = task;
  const { accountId } = account;
  const leaving = leavingStatuses(format);
  const before = ofOneSort(ofAllSorts.before, listsApplications(format));
  const applied = { ...ofAllSorts, before };
  const news = await readElectionNews(tx, accountId, today, before);
  await countListedRecords(tx);
  const listed = await readListedElections(tx, accountId);
  const facts: BallotFacts = {
    ...{ today, earlier, firstStatuses: [...format.first_statuses, ...leaving] },
    isOfOpenCases: leaving.length > 0,
    opensRefused: leaving.length > 0 && !canRefuse(format),
    isOneElection: listed.length === 1,
    fixableUntil: await readDeadlines(tx, task, news),
    gone: countGone(task, applied.size),
    voters:
      leaving.length > 0 || format.first_statuses.length > 0
        ? await countActiveVoters(tx, accountId)
        : 0,
  };
  const ofSame = ofSameElections(
    earlier,
    listed.map(({ number }) => number),
  );
  const shortList = explainShortList(
    applied.size,
    ofSame,
    account.settings.import_limits,
    countOver(task, applied, listed),
  );
  const coverage =
    leaving.length > 0 ? null : await judgeMissing(tx, task, applied, ofSame, listed);
  const missing = coverage?.reasons ?? [];
  // A list that is too short is said once, with the ballots that it lacks.
  const lacks = missing.find(({ code }) => code === 'ballots-missing');
  const reasons: GateReason[] =
    shortList === null
      ? []
      : [
          {
            ...(lacks ?? (leaving.length > 0 ? {} : await readLacking(tx, task, listed))),
            code: 'file-shrank',
            detail: shortList,
          },
        ];
  const recent = await readRecentChanges(tx, account, {
    today,
    before: task.importId,
  });
  const newestDay = await readNewestDay(tx, today);
  const fileDay = findFileDay(task) ?? newestDay;
  const findings = news.flatMap((one) => {
    const found = judgeElection(one, facts);
    return [...found, ...judgePace(one, { ...facts, fileDay }, recent, found)];
  });
  for (const finding of findings) {
    const { code, detail, rows } = finding;
    const examples = await readExamples(tx, accountId, today, finding);
    reasons.push({ code, detail, rows, examples });
  }
  if (!reasons.some(({ code }) => code === 'dates-off')) await warnOfFutureDates(tx, task, news);
  const days = await readSaidCounts(tx);
  await leaveOut(tx, listNeverSaid(days, earlier));
  await compareWithOwn(tx, { accountId, importId: task.importId }, format.name);
  reasons.push(
    ...missing.filter((one) => shortList === null || one !== lacks),
    ...(await judgeUnknownStatuses(tx, task, facts)),
    ...judgeOtherElection(task, { applied, news }, earlier, listed),
    ...(await judgeUnlikeness(tx, task, applied)),
    ...(await judgeDays(tx, task, applied, ofSame, days)),
    ...(await judgeTwice(tx, applied)),
  );
  reasons.push(...judgeNewestDay(newestDay, today, { earlier, ofSame }, news));
  const learned: Learned = {
    news: countNews(news),
    changes: listChanges(news),
    listed: coverage?.listed ?? null,
    leaving: learnLeaving(applied.size),
    elections: listed.map(({ number }) => number),
    newestDay,
    days,
  };
  return { reasons, learned };
}

/** What no row of this file says, nor of the format's files before it. */
function listNeverSaid(said: Counts, earlier: readonly EarlierFile[]) {
  const files = [said, ...earlier.map(({ learned }) => learned?.days ?? {})];
  // A report of an earlier version does not say it.
  const isUnclear = (part: string) => earlier[0] && earlier[0].learned?.days?.[part] === undefined;
  return saidParts.filter(
    (part) => !isUnclear(part) && files.every((file) => (file[part] ?? 0) === 0),
  );
}

function countGone({ elections }: KindTask, { leaving }: BallotFileSize): Map<string, number> {
  const gone = Map.groupBy(leaving?.gone ?? [], ({ election }) => election);
  return new Map(
    elections.map(({ electionId, number }) => [number, gone.get(electionId)?.length ?? 0]),
  );
}

function learnLeaving({ leaving }: BallotFileSize): NonNullable<Learned['leaving']> | null {
  if (!leaving) return null;
  const { listed, left, gone, waited } = leaving;
  return { listed, left, gone, waited };
}

/** So few do not stop a file: a clerk mistypes a year. But the page shows it. */
async function warnOfFutureDates(
  tx: Tx,
  { account: { accountId }, today, findings }: KindTask,
  news: readonly ElectionNews[],
): Promise<void> {
  for (const { number, changes } of news) {
    const rows = sum(changes.map(({ faults }) => faults['in-future']));
    if (rows === 0) continue;
    const where = { election: number, faults: ['in-future'] } as const;
    const examples = await readExamples(tx, accountId, today, { where });
    const voters = examples.map(({ voter }) => voter).join(', ');
    findings.warnings.add(
      `a date after today (voters ${voters}), which these voters see. Ask the office to correct it.`,
      rows,
    );
  }
}

/** Applications have files of their own: what is usual of them says nothing of ballots, and the other way round. */
function ofOneSort(counts: Counts, isOfApplications: boolean): Counts {
  return Object.fromEntries(
    Object.entries(counts).filter(([name]) => / application-/.test(name) === isOfApplications),
  );
}

/** The ballots that a short list lacks. */
async function readLacking(
  tx: Tx,
  task: KindTask,
  listed: readonly { readonly electionId: number }[],
): Promise<Pick<GateReason, 'rows' | 'examples'>> {
  const ids = listed.map(({ electionId }) => electionId);
  const { count, examples } = await readMissing(tx, task, ids, null);
  return count > 0 ? { rows: count, examples } : {};
}

/** Known ballots of each election that is over and that the file does not list. */
function countOver(
  { elections, today }: KindTask,
  { before }: Applied,
  listed: readonly { readonly number: string }[],
): Map<string, number> {
  const over = elections.filter(
    ({ number, electionDate }) =>
      electionDate < today && !listed.some((one) => one.number === number),
  );
  return new Map(over.map(({ number }) => [number, sum(Object.values(countsOf(before, number)))]));
}

/** A file whose rows end so many days before those of another is of another season. */
const daysOfSeason = 60;

/** Its rows end earlier than those of a file that is loaded: it is older. */
function judgeNewestDay(
  day: Day | null,
  today: Day,
  { earlier, ofSame }: Readonly<Record<'earlier' | 'ofSame', readonly EarlierFile[]>>,
  news: readonly ElectionNews[],
): GateReason[] {
  const newestOf = (files: readonly EarlierFile[]) =>
    findNewest(files, ({ learned }) => learned?.newestDay ?? null);
  const newestOfAll = newestOf(earlier);
  if (day === null || newestOfAll === null || day >= newestOfAll.day) return [];
  // The days of another election say nothing of what goes back in this one.
  const own = newestOf(ofSame);
  const goesBack = own !== null && day < own.day && goesMostlyBack(news);
  const newest = goesBack ? own : newestOfAll;
  const isOfOtherSeason = daysBetween(day, newest.day) > daysOfSeason && countMoved(news) > 5;
  if (!goesBack && !isOfOtherSeason) return [];
  const undone = goesBack ? ', and most changes would undo it' : '';
  const detail = `The newest date in this file is ${formatDay(day, today)}. A file with dates up to ${formatDay(newest.day, today)} is already in (import ${newest.importId})${undone}.`;
  return [{ code: 'old-file', detail }];
}

/** More statuses without a meaning than before: columns have moved, or the office has changed its words. */
async function judgeUnknownStatuses(
  tx: Tx,
  { findings }: KindTask,
  { earlier, isOfOpenCases }: BallotFacts,
): Promise<GateReason[]> {
  const unknown = findings.unknownStatuses.list('value');
  const rows = unknown.reduce((sum, { count }) => sum + count, 0);
  const [last] = earlier;
  const lastShare = last ? last.unknownStatuses / Math.max(1, last.rows) : 0;
  // Of a short file, most rows must be so, and none of the file before it.
  const isNew = last !== undefined && lastShare === 0;
  // A list of open cases says one thing of all its ballots.
  const atLeast = isOfOpenCases ? 1 : 3;
  const isFew = rows < 10 && (rows < atLeast || rows * 2 <= findings.read || !isNew);
  if (isFew || rows / findings.read <= lastShare + 0.2) return [];
  const values = unknown.slice(0, 3).map(({ value }) => JSON.stringify(value));
  const detail = `${formatCount(rows)} of ${formatCount(findings.read)} rows have a status that the format does not know, such as ${values.join(', ')}. Did columns change places?`;
  return [{ code: 'unknown-statuses', detail, rows, examples: await readUnknownStatuses(tx) }];
}

/** So long after an election its files may still come. */
const daysOfCounting = 45;

/** The files were of an election that is not over, or was lately, and now are of another that no file has listed. */
function judgeOtherElection(
  { elections, today }: KindTask,
  { applied, news }: { readonly applied: Applied; readonly news: readonly ElectionNews[] },
  earlier: readonly EarlierFile[],
  listed: readonly { readonly number: string; readonly date: string }[],
): GateReason[] {
  const { before } = applied;
  const first = countFirst(news);
  const numbers =
    earlier.find(({ learned }) => (learned?.elections.length ?? 0) > 0)?.learned?.elections ?? [];
  const isNew = listed.every(({ number }) => Object.keys(countsOf(before, number)).length === 0);
  const left = elections.find(
    ({ number, electionDate, isActive }) =>
      isActive && numbers.includes(number) && daysBetween(today, electionDate) >= -daysOfCounting,
  );
  if (!isNew || first < 10 || !left) return [];
  if (listed.some(({ number }) => numbers.includes(number))) return [];
  const isOver = left.electionDate < today;
  const back = countBack(news);
  // The first file of the next election lists ballots that are not back yet.
  if (isOver && back < Math.max(10, first * 0.1)) return [];
  const names = listed.map(({ number }) => number).join(', ');
  const already = isOver ? `, and ${formatCount(back)} of them are back or decided already` : '';
  const detail = `This file is of election ${names}, which you have no ballots of${already}. Your last file was of election ${left.number}, which ${isOver ? 'was' : 'is'} on ${formatDay(left.electionDate, today)}.`;
  return [{ code: 'other-election', detail }];
}
