import type { LastList } from '../../run/import-store.ts';
import type { EarlierFile, ImportLimits, Learned } from '../kind.ts';
import type { ListedCases } from './leavers-store.ts';

/** Of a file of ballots, how much it lists. */
export interface BallotFileSize {
  /** Rows of the file that are the office's, refused ones included, and each ballot once. */
  readonly rows: number;
  /** Of those, rows that say nothing new. */
  readonly unchanged: number;
  /** None of its ballots was known: it is another part of a list that comes in parts, and no shorter list. */
  readonly areAllNew: boolean;
  /** Ballots whose number has another day than before, and which count as the same. */
  readonly corrected: number;
  /** A list of open cases, which ballots leave by being accepted: a short one may well lose most of them in a day. */
  readonly isOfOpenCases: boolean;
  /** Why a list of open cases may be another office's; null where it is this one's. */
  readonly otherList: string | null;
  /** The ballots that left a list of open cases, of all that it had; null where the file is no such list, or nobody can say. */
  readonly leaving:
    | (Required<NonNullable<Learned['leaving']>> & {
        /** Why a person must look first; null where as many leave on an ordinary day. */
        readonly tooMany: string | null;
      })
    | null;
}

/** With fewer rows than these, a few more or less mean nothing, whatever their share. */
const fewRows = 20;
/** Of a few rows, these are many. */
const manyOfFew = 5;
/** A list of changes has a smaller part of the rows of the whole. */
const wholeShare = 0.2;

/**
 * Whether the office's list comes as several files, such as one of each precinct, and this is one of them: a file about as long had
 * less than half of the known ballots, too.
 * @param before of the same elections
 */
export function isKnownPart(
  rows: number,
  before: readonly EarlierFile[],
  { shrink_percent: shrinkPercent }: ImportLimits,
): boolean {
  const least = 1 - shrinkPercent / 100;
  return before.some(({ rows: others, learned }) => {
    const { known = 0, found = 0 } = learned?.listed ?? {};
    return found * 2 < known && rows >= others * least && others >= rows * least;
  });
}

/**
 * Why a file of ballots is too short: too many have left a list of open cases, or rows are missing; null where it is not.
 * @param over known ballots of elections that are over and that the file does not list, by the election's number: files
 * leave them out all at once
 */
export function explainShortList(
  size: BallotFileSize,
  before: readonly EarlierFile[],
  limits: ImportLimits,
  over: ReadonlyMap<string, number>,
): string | null {
  return size.leaving?.tooMany ?? size.otherList ?? explainShrinking(size, before, limits, over);
}

/**
 * The file is the list that was imported last, with more rows missing than the account allows. A list of the day's
 * changes is short as well, but it is shorter still, and what it says is new.
 */
function explainShrinking(
  { rows, unchanged, areAllNew, isOfOpenCases }: BallotFileSize,
  before: readonly EarlierFile[],
  limits: ImportLimits,
  over: ReadonlyMap<string, number>,
): string | null {
  if (areAllNew || isKnownPart(rows, before, limits)) return null;
  const last = findWholeList(before.slice(0, 10));
  const left = (last?.learned?.elections ?? []).map((number) => over.get(number) ?? 0);
  const { shrink_percent: shrinkPercent } = limits;
  const rowsOver = left.reduce((sum, count) => sum + count, 0);
  const rowsBefore = Math.max(0, (last?.rows ?? 0) - rowsOver);
  if (rowsBefore < fewRows) return isOfOpenCases ? null : explainSmall(rows, unchanged, rowsBefore);
  if (rows >= rowsBefore * (1 - shrinkPercent / 100)) return null;
  // A state's list with rows of other counties alone has none.
  const isWholeList = rows === 0 || rows >= rowsBefore * wholeShare || unchanged > rows / 2;
  if (!isWholeList) return null;
  const had = `${group(rowsBefore)}${rowsOver > 0 ? ' without elections that are over' : ''}`;
  return `It has ${group(rows)} rows; the one before it had ${had}, and your limit is ${shrinkPercent}% fewer.`;
}

/** Of a small county: the list that was imported last, with more than half of its rows missing. */
function explainSmall(rows: number, unchanged: number, rowsBefore: number): string | null {
  const missing = rowsBefore - rows;
  if (missing < manyOfFew || missing * 2 <= rowsBefore || unchanged * 2 < rows) return null;
  return `It has ${rows} ${rows === 1 ? 'row' : 'rows'}; the one before it had ${rowsBefore}, so more than half are missing.`;
}

/** @returns the last complete file, not a list of the day's changes */
function findWholeList(before: readonly EarlierFile[]): EarlierFile | undefined {
  const released = before.findIndex(({ isReleased }) => isReleased);
  const files = released < 0 ? before : before.slice(0, released + 1);
  const longest = Math.max(0, ...files.map(({ rows }) => rows));
  return files.find(({ rows }) => rows >= longest * wholeShare);
}

/** A list of open cases before a file, and what it says of them. */
interface LeavingCounts extends ListedCases {
  /** Of the file. */
  readonly rows: number;
  readonly listed: number;
  readonly left: number;
  /** Of these, ballots that another list refuses. */
  readonly refused?: number;
}

/** What becomes of the ballots that left the list. @param all what they are called where all become the same */
function describeEnd({ left, refused = 0 }: LeavingCounts, all = 'each'): string {
  if (refused === 0) return `${all} would count as accepted`;
  const some = `${group(left - refused)} would count as accepted, and ${group(refused)}`;
  return `${refused === left ? `${all} would count` : some} as refused, as on another list`;
}

/** Why so many ballots that leave a list of open cases at once are looked at first; null where they are not. */
export function explainLeavers(
  counts: LeavingCounts,
  earlier: readonly EarlierFile[],
  limits: ImportLimits,
): string | null {
  return explainEmpty(counts) ?? explainLeaving(counts, earlier, limits);
}

interface Before {
  readonly last: LastList | null;
  /** Files of the format, newest first, without those that had no rows. */
  readonly earlier: readonly EarlierFile[];
}

/** Why a list of open cases may be another office's; null where its cases show that it is this one's. */
export function explainOtherList(counts: LeavingCounts, before: Before): string | null {
  return explainReplaced(counts, before) ?? explainStale(counts, before);
}

/** Open cases seldom all close on one day, and an export that fails looks the same. The last one has to close some day. */
function explainEmpty(counts: LeavingCounts): string | null {
  const { rows, left, refused = 0 } = counts;
  if (rows > 0 || left < 2) return null;
  const closed = refused > 0 ? `be closed: ${describeEnd(counts)}` : 'count as accepted';
  return `It has no rows, so all ${group(left)} open cases would ${closed}. Did the export fail?`;
}

/**
 * From one day to the next a case stays, or the list is empty: a list of other cases alone may be another county's. A single case
 * may make room for others, if their envelopes came back lately.
 */
function explainReplaced(counts: LeavingCounts, before: Before): string | null {
  const { rows, listed, left, known, waited, elections } = counts;
  const { last } = before;
  const isOfSame = last?.elections.some((number) => elections.includes(number)) ?? false;
  const cases = Math.max(listed, isOfSame ? (last?.rows ?? 0) : 0);
  if (rows === 0 || cases === 0 || known > 0) return null;
  const areFresh = waited.length === rows && findStale(counts, before) === null;
  if (cases === 1 && areFresh) return null;
  const none =
    cases === 1
      ? 'The case of your last list is not on this one, only others'
      : `None of the ${group(cases)} cases of your last list is on this one, only others`;
  const some = cases === 1 ? 'it' : left === cases ? 'each' : `${group(left)} of them`;
  const end = left > 0 ? `; ${describeEnd(counts, some)}` : '';
  return `${none}${end}. Is it the list of another county or election?`;
}

/**
 * Offices look at an envelope within so many days of its return, unless their earlier lists show that they take longer. Several
 * that begin a list together all came back in the last days, and hardly ever took as long each.
 */
const [mostWaited, mostWaitedTogether] = [8, 4];

/** Of the new cases, envelopes that have been back for longer than is usual, if they are most; null where they are not. */
function findStale(
  { known, waited }: LeavingCounts,
  { earlier }: Before,
): { readonly stale: number; readonly usual: number } | null {
  const most = known === 0 && waited.length > 1 ? mostWaitedTogether : mostWaited;
  const usual = Math.max(most, ...earlier.map(({ learned }) => learned?.leaving?.waited ?? 0));
  const stale = waited.filter((days) => days > usual).length;
  return stale * 2 > waited.length ? { stale, usual } : null;
}

/**
 * Most new cases are of envelopes that have been back for long: the lists before would have had them. After election day, boards
 * look at all of them once more.
 */
function explainStale(counts: LeavingCounts, before: Before): string | null {
  const { known, waited, isOver } = counts;
  // A first list has all cases of the weeks before.
  if (before.last === null || isOver) return null;
  const found = findStale(counts, before);
  if (found === null || (known > 0 && found.stale < 2)) return null;
  const { stale, usual } = found;
  const came =
    waited.length === 1 ? 'The new case' : `${group(stale)} of ${group(waited.length)} new cases`;
  return `${came} came back more than ${usual} days before, and none of your lists since had ${stale === 1 ? 'it' : 'them'}. Is it the list of another county or election?`;
}

/** However many cases an office closes in a day, more than these of a hundred are looked at. */
const mostLeavingPercent = 40;

/** More open cases than the account allows, or than a day usually closes, would count as accepted. */
function explainLeaving(
  counts: LeavingCounts,
  before: readonly EarlierFile[],
  { shrink_percent: shrinkPercent }: ImportLimits,
): string | null {
  const { listed, left } = counts;
  const cases = `${group(left)} of ${group(listed)} ballots are no longer on the list`;
  if (listed < fewRows) {
    // A short list ends some day; a list that ends all at once is more likely a file of another election.
    if (left < Math.max(listed, manyOfFew)) return null;
    return `${cases}; ${describeEnd(counts)}.`;
  }
  const usual = Math.min(mostLeavingPercent, findUsualLeaving(before));
  if (left <= Math.max(manyOfFew, (listed * Math.max(shrinkPercent, usual)) / 100)) return null;
  const limit =
    usual > shrinkPercent
      ? `the ${Math.round(usual)}% that are usual`
      : `your limit of ${shrinkPercent}%`;
  return `${cases}, more than ${limit}; ${describeEnd(counts)}.`;
}

/** In percent: twice the second largest share that has left in one file, so that no single file raises the limit. */
function findUsualLeaving(before: readonly EarlierFile[]): number {
  const shares = before.flatMap(({ learned }) => {
    const leaving = learned?.leaving;
    return leaving && leaving.listed >= fewRows ? [(leaving.left / leaving.listed) * 100] : [];
  });
  return 2 * (shares.sort((a, b) => b - a)[1] ?? 0);
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
