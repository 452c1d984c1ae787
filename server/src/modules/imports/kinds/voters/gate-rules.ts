import { formatCount } from '../gate-words.ts';
import type { Counts } from '../kind.ts';
import { fullDays } from '../pace.ts';

/** What a file would change of the roll, counted in voters. */
export interface RollNews {
  /** Voters on the roll before the file. */
  readonly known: number;
  /** The file's rows. */
  readonly rows: number;
  readonly added: number;
  /** New IDs that are known ones but for leading zeros. */
  readonly lostZeros: number;
  /** New IDs with fewer characters than nearly all known ones have, and without those that only lost zeros; `usual` is how many those have. */
  readonly shortIds: { readonly rows: number; readonly usual: number };
  readonly swappedNames: number;
  /** First and last name, or last name and birth date, are others. */
  readonly otherPeople: number;
  /** Another first or last name, and neither of the above. */
  readonly otherNames: number;
  /** A first or last name in which another encoding has left no letter, or two, in place of one. */
  readonly damagedNames: number;
  /** Another one, or none where one was known. */
  readonly otherBirthdates: number;
  readonly otherZipcodes: number;
  /** Another one where one was known. */
  readonly otherAddresses: number;
  /** Another phone number or email address where one was known. */
  readonly otherContacts: number;
  /** Active voters of the file whom it makes inactive. */
  readonly madeInactive: number;
  /** Active voters whom a whole roll lacks, where that is not odd by itself. */
  readonly missing: number;
  /** Inactive voters before the file. */
  readonly inactive: number;
  /** Of those, voters of the file whom it makes active. */
  readonly madeActive: number;
  /** Voters whose record is protected by law, before the file. */
  readonly confidential: number;
  readonly losesProtection: number;
  readonly gainsProtection: number;
  readonly otherCounty: { readonly rows: number; readonly name: string };
  readonly otherState: { readonly rows: number; readonly name: string };
}

export type RollFault = (typeof rollFaults)[number];
export const rollFaults = [
  'lost-zeros',
  'ids-shortened',
  'names-swapped',
  'other-people',
  'names-changed',
  'names-damaged',
  'birthdates-changed',
  'zipcodes-changed',
  'addresses-changed',
  'contacts-changed',
  'made-inactive',
  'made-active',
  'protection-lost',
  'protection-added',
  'other-county',
  'other-state',
  'new-voters',
] as const;

/** A clerk corrects one voter at a time; so many may be most of a small roll or file. */
const fewest = 3;
/** Below this, an election office has just begun. */
const establishedRoll = 50;

/** How many voters each fault is about, with which the later files of the day and the week are judged too. */
export function countRollNews(news: RollNews): Readonly<Record<RollFault, number>> {
  return {
    'lost-zeros': news.lostZeros,
    'ids-shortened': news.shortIds.rows,
    'names-swapped': news.swappedNames,
    'other-people': news.otherPeople,
    'names-changed': news.otherNames,
    'names-damaged': news.damagedNames,
    'birthdates-changed': news.otherBirthdates,
    'zipcodes-changed': news.otherZipcodes,
    'addresses-changed': news.otherAddresses,
    'contacts-changed': news.otherContacts,
    'made-inactive': news.madeInactive + news.missing,
    'made-active': news.madeActive,
    'protection-lost': news.losesProtection,
    'protection-added': news.gainsProtection,
    'other-county': news.otherCounty.rows,
    'other-state': news.otherState.rows,
    'new-voters': news.added,
  };
}

/**
 * Judges what a roll would change. No finding: it is what an ordinary day brings.
 * @param earlier what files of today and of a week changed, by fault, that no second person approved: many files may not do what one may not
 */
export function judgeRollNews(
  news: RollNews,
  own: { readonly county: string; readonly state: string },
  inactivePercent: number,
  earlier: { readonly day: Counts; readonly week: Counts } = { day: {}, week: {} },
): { code: RollFault; detail: string; rows: number }[] {
  const { known, rows, added } = news;
  const counts = countRollNews(news);
  const knownRows = Math.max(0, rows - added);
  // A first roll of a few voters is a trial.
  const ofFile = known > 0 ? rows : Number.POSITIVE_INFINITY;
  const found: { code: RollFault; rows: number; detail: string }[] = [];
  /** @param all of which most are too many, however few they are */
  const check = (
    code: RollFault,
    allowed: number,
    detail: string,
    all = Number.POSITIVE_INFINITY,
  ) => {
    const count = counts[code];
    const areMost = count >= fewest && count * 2 > all;
    const isOdd = count > allowed || areMost;
    if (isOdd) found.push({ code, rows: count, detail });
    // New voters come by the thousand before a deadline.
    if (isOdd || count === 0 || code === 'new-voters') return;
    const [day, week] = [count + (earlier.day[code] ?? 0), count + (earlier.week[code] ?? 0)];
    const say = (sum: number, when: string, most: number) =>
      found.push({
        ...{ code, rows: count },
        detail: `${detail} With earlier files of ${when} it is ${formatCount(sum)}; up to ${formatCount(Math.floor(most))} would be usual.`,
      });
    if (day > allowed) say(day, 'today', allowed);
    else if (week > fullDays * allowed) say(week, 'this week', fullDays * allowed);
  };
  check(
    'lost-zeros',
    Math.max(3, known * 0.001),
    `${formatCount(news.lostZeros)} voter IDs are new, but match known IDs except for zeros at the start. Did Excel drop the leading zeros? These voters would be on the roll twice.`,
  );
  check(
    'ids-shortened',
    Math.max(3, known * 0.001),
    `${formatCount(news.shortIds.rows)} voter IDs are new, and shorter than the ${news.shortIds.usual} characters of the known ones. Did the export cut them off? These voters would be on the roll twice.`,
  );
  check(
    'names-swapped',
    Math.max(3, knownRows * 0.005),
    `The first and last names of ${formatCount(news.swappedNames)} voters would change places. Are two columns swapped?`,
    knownRows,
  );
  check(
    'other-people',
    Math.max(9, knownRows * 0.005),
    `${formatCount(news.otherPeople)} voters would become other people: the IDs are known, but names or birth dates are different. Is this the roll of another office?`,
    known,
  );
  check(
    'names-changed',
    Math.max(9, knownRows * 0.02),
    `${formatCount(news.otherNames)} voters would get another first or last name, or none, and could no longer sign in with their own. Is a column empty or in another place?`,
    known,
  );
  check(
    'names-damaged',
    2,
    `In the names of ${formatCount(news.damagedNames)} voters, letters with accents would be lost. A program has saved the file in another encoding. These voters could no longer sign in. Import the file as it was exported.`,
  );
  check(
    'birthdates-changed',
    Math.max(9, knownRows * 0.02),
    `${formatCount(news.otherBirthdates)} voters would get another birth date, or none, and could no longer sign in with their own. Are month and day swapped, or is the column empty?`,
    known,
  );
  check(
    'zipcodes-changed',
    Math.max(9, knownRows * 0.05),
    `${formatCount(news.otherZipcodes)} voters would get another ZIP code, or none, and could no longer sign in with their own. Is the ZIP code in another column, or the column empty?`,
    known,
  );
  check(
    'addresses-changed',
    Math.max(9, knownRows * 0.05),
    `${formatCount(news.otherAddresses)} voters would get another address, and see it on their page. Was one column sorted or moved without the others?`,
    known,
  );
  check(
    'contacts-changed',
    Math.max(9, knownRows * 0.05),
    `${formatCount(news.otherContacts)} voters would get another phone number or email address. Was one column sorted or moved without the others? Other people would be written to.`,
    known,
  );
  check(
    'made-inactive',
    Math.max(9, (known * inactivePercent) / 100),
    `${formatCount(counts['made-inactive'])} active voters would become inactive, and could no longer sign in. Your limit is ${inactivePercent}% of the roll. Is the status in another column?`,
  );
  check(
    'made-active',
    Math.max(9, Math.min(news.inactive * 0.5, (known * inactivePercent) / 100)),
    `${formatCount(news.madeActive)} of ${formatCount(news.inactive)} inactive voters would become active, and could sign in. Is the status empty or in another column?`,
  );
  check(
    'protection-lost',
    // The few that a roll has are protected for their safety.
    Math.max(1, news.confidential * 0.1),
    `${formatCount(news.losesProtection)} voters would lose the protection of their record. Is the column empty or in another place?`,
  );
  check(
    'protection-added',
    Math.max(9, known * 0.01),
    `${formatCount(news.gainsProtection)} voters would get a protected record, and could no longer sign in. Is the status in another column?`,
  );
  check(
    'other-county',
    Math.max(9, rows * 0.1),
    `${formatCount(news.otherCounty.rows)} rows are of another county, such as ${news.otherCounty.name}. This account is for ${own.county}.`,
    ofFile,
  );
  check(
    'other-state',
    Math.max(9, rows * 0.1),
    `${formatCount(news.otherState.rows)} rows are of another state, such as ${news.otherState.name}. This account is in ${own.state}.`,
    ofFile,
  );
  if (known >= establishedRoll)
    check(
      'new-voters',
      Math.max(25, known * 0.1),
      `${formatCount(added)} voters would be new on a roll of ${formatCount(known)}. Up to ${formatCount(Math.max(25, Math.floor(known * 0.1)))} in one file is usual.`,
    );
  return found;
}
