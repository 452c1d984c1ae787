/** A file that takes too much away to be believed unseen. Rolls everything back; somebody else may release it. */
export class FileHeld extends Error {
  override readonly name = 'FileHeld';
}

/** A file that was taken in. */
export interface TakenSize {
  readonly rows: number;
  /** Somebody said that it is right to be so short. */
  readonly isReleased: boolean;
}

export interface FileSize {
  /** Rows of the file that are the office's, refused ones included. */
  readonly rows: number;
  /** Of those, rows that say nothing new. */
  readonly unchanged: number;
  /** A list that ballots leave by succeeding: a short one may well lose most of them in a day. */
  readonly isOfOpenCases: boolean;
  /** This format's last files, newest first. */
  readonly before: readonly TakenSize[];
  /** From the account's import limits. */
  readonly shrinkPercent: number;
}

/** Of fewer rows, some more or less are no news, whatever their share. */
const fewRows = 20;
/** So many of a few are. */
const manyOfFew = 5;
/** A list of changes has a smaller part of the rows of the whole. */
const wholeShare = 0.2;

/**
 * Why a file of ballots is held: it is the list that was taken in last, with more rows missing than the account
 * allows. A list of the day's changes is short as well, but it is shorter still, and what it says is new.
 */
export function explainShrinking(size: FileSize): string | null {
  const { rows, unchanged, before, shrinkPercent, isOfOpenCases } = size;
  const rowsBefore = findWholeList(before);
  if (rowsBefore < fewRows) return isOfOpenCases ? null : explainSmall(rows, unchanged, rowsBefore);
  if (rows >= rowsBefore * (1 - shrinkPercent / 100)) return null;
  const isWholeList = rows >= rowsBefore * wholeShare || unchanged > rows / 2;
  if (!isWholeList) return null;
  return `It has ${group(rows)} rows; the one before it had ${group(rowsBefore)}, and the account's limit is ${shrinkPercent} % fewer.`;
}

/** Of a small county: the list that was taken in last, with more than half of its rows missing. */
function explainSmall(rows: number, unchanged: number, rowsBefore: number): string | null {
  const missing = rowsBefore - rows;
  if (missing < manyOfFew || missing * 2 <= rowsBefore || unchanged * 2 < rows) return null;
  return `It has ${rows} ${rows === 1 ? 'row' : 'rows'}; the one before it had ${rowsBefore}, so more than half are missing.`;
}

/** @returns the rows of the last file that was no list of the day's changes; 0 when there is none */
function findWholeList(before: readonly TakenSize[]): number {
  const released = before.findIndex(({ isReleased }) => isReleased);
  const sizes = (released < 0 ? before : before.slice(0, released + 1)).map(({ rows }) => rows);
  const longest = Math.max(0, ...sizes);
  return sizes.find((rows) => rows >= longest * wholeShare) ?? 0;
}

export interface RollSize {
  readonly rows: number;
  /** Active voters before. */
  readonly active: number;
  /** Active voters whom the file lacks. */
  readonly missing: number;
  readonly limits: { readonly shrink_percent: number; readonly inactive_percent: number };
}

/** Why a list of open cases is held: more of them than the account allows would count as accepted. */
export function explainLeaving(of: {
  readonly listed: number;
  readonly left: number;
  readonly shrinkPercent: number;
}): string | null {
  const { listed, left, shrinkPercent } = of;
  // A short list ends some day; one that ends all at once is more likely a file of another election.
  if (
    listed < fewRows ? left < Math.max(listed, manyOfFew) : left <= (listed * shrinkPercent) / 100
  )
    return null;
  const limit = listed < fewRows ? '' : `, more than the account's limit of ${shrinkPercent} %`;
  return `${group(left)} of ${group(listed)} ballots are no longer on the list${limit}; each would count as accepted.`;
}

/** Why a whole roll is held: it lacks more voters than one file may make inactive, or is far smaller than the roll. */
export function explainLoss({ rows, active, missing, limits }: RollSize): string | null {
  const { inactive_percent, shrink_percent } = limits;
  if (missing > (active * inactive_percent) / 100) {
    return `It lacks ${group(missing)} voters of the roll, more than the account's limit of ${inactive_percent} % that one file may make inactive.`;
  }
  if (rows < active * (1 - shrink_percent / 100)) {
    return `It has ${group(rows)} rows; the roll has ${group(active)} active voters, and the account's limit is ${shrink_percent} % fewer.`;
  }
  return null;
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
