import { formatCount } from '../gate-words.ts';
import { areScattered } from '../scattered.ts';

/** How the file's ballots of an election compare with those known of the same voters. */
export interface Resemblance {
  /** Of the election. */
  readonly number: string;
  /** Known ballots that would get another day of request, printing, mailing or return in place of the one known. */
  readonly redated: number;
  /** Known ballots that keep their status and would get another such day or lose one, or another day before their return with another status, and in how many ways: a corrected batch has one or two. */
  readonly scattered: number;
  readonly ways: number;
  /**
   * Of those, ballots that would get the record that another of them had, and ballots that would be back since the day of another ballot, which would
   * be back no more; in how many ways, or since how many such days.
   */
  readonly exchanged: number;
  readonly waysExchanged: number;
  /** Known ballots of which one day would be in the place of another, and both places change. */
  readonly movedDays: number;
  /** Known ballots that keep their status and would lose its reason, the words of it, or the code. */
  readonly unexplained: number;
  readonly wordless: number;
  readonly codeless: number;
  /** Of those and of others with the same status, ballots that need a reason and would have another or none. */
  readonly misexplained: number;
  /** Known ballots that need no reason, had none and would get one, with the same status. */
  readonly overexplained: number;
  /** Rows with a reason, with words, and with a code. */
  readonly explained: number;
  readonly inWords: number;
  readonly coded: number;
  /** Known ballots that had an office's own word for their status, and would have none. */
  readonly emptied: number;
  /** Rows with such a word. */
  readonly worded: number;
  /** Known ballots that the office had accepted, or as voted in person, and of which its word would now leave the status as it was. */
  readonly undecided: number;
  /** Ballots that were accepted or voted in person, and would get another day of return, or be so no more. */
  readonly otherReturn: number;
  readonly takenBack: number;
  /** Known ballots that would get another day of request or mailing. */
  readonly sentOtherwise: number;
  /** Of those, ballots that would come back or be decided as well, or be accepted no more. */
  readonly mixed: number;
  /** Known ballots that would lose their day of mailing or return, go back to an earlier step, and keep every other day. */
  readonly reverted: number;
  /** Known ballots whose words would have characters that were lost, and had none. */
  readonly damaged: number;
  /** Ballots that no file listed before. */
  readonly added: number;
  /** Of those, ballots of voters of whom another ballot of this election is known, which the file does not list. */
  readonly replacing: number;
  /** Of those, ballots with the days of a ballot in another election, which the file does not list. */
  readonly moved: number;
  /** Of those, ballots that came back on the same day as the other, with no other day that differs. */
  readonly movedAndReturned: number;
}

/** What a file does to ballots by which it is not the next file of the same list. */
export interface Unlikeness {
  readonly code:
    | 'other-dates'
    | 'scattered-dates'
    | 'exchanged-rows'
    | 'moved-days'
    | 'reasons-missing'
    | 'reasons-moved'
    | 'empty-statuses'
    | 'accepted-undecided'
    | 'accepted-changed'
    | 'mixed-rows'
    | 'old-rows'
    | 'damaged-text'
    | 'other-ballots'
    | 'moved-election';
  readonly what:
    | 'redated'
    | 'corrected'
    | 'scattered'
    | 'exchanged'
    | 'moved-days'
    | 'unexplained'
    | 'misexplained'
    | 'emptied'
    | 'undecided'
    | 'unsettled'
    | 'mixed'
    | 'reverted'
    | 'damaged'
    | 'replacing'
    | 'moved';
  readonly detail: string;
  readonly rows: number;
}

/** Fewer than these may be a clerk's corrections. */
const few = 3;

/** So many accepted ballots may get a word in one file that says nothing of them. */
export function isFewUndecided(rows: number, known: number): boolean {
  return rows <= Math.min(50, Math.max(few, Math.floor(known / 1000)));
}

/**
 * From one day to the next, a list says the same of most of its ballots. These rules need no history, only the file before.
 * @param listed known ballots of the election that the file lists
 * @param known ballots of the election before the file
 * @param corrected ballots of the file whose number has another day than before
 */
export function judgeResemblance(
  one: Resemblance,
  {
    listed,
    known,
    corrected,
  }: { readonly listed: number; readonly known: number; readonly corrected: number },
): Unlikeness[] {
  const { number, redated, emptied, worded, undecided, added } = one;
  const { replacing, moved, movedAndReturned } = one;
  const [some, all] = [formatCount, formatCount(added)];
  const otherDays = Math.max(redated, Math.min(corrected, listed));
  const found: Unlikeness[] = [];
  if (otherDays >= few && otherDays * 3 > listed)
    found.push({
      ...{ code: 'other-dates', rows: otherDays },
      what: redated < otherDays ? 'corrected' : 'redated',
      detail: `Election ${number}: ${some(otherDays)} of ${some(listed)} known ballots in this file would get another day of request, printing, mailing or return. Is it the file of another county or election, or has the office changed how it writes dates?`,
    });
  const { scattered, ways, misexplained, overexplained } = one;
  if (found.length === 0 && areScattered(scattered, ways, listed))
    found.push({
      ...{ code: 'scattered-dates', what: 'scattered', rows: scattered },
      detail: `Election ${number}: ${some(scattered)} of ${some(listed)} known ballots in this file would get another day of request, printing, mailing or return, or lose one, in ${some(ways)} different ways. Was one column sorted or moved without the others?`,
    });
  // Two trays that are corrected, of which one gets the days that the other had, are two ways.
  const { exchanged, waysExchanged } = one;
  if (found.length === 0 && exchanged >= few && exchanged > known / 1000 && waysExchanged >= few)
    found.push({
      ...{ code: 'exchanged-rows', what: 'exchanged', rows: exchanged },
      detail: `Election ${number}: ${some(exchanged)} known ballots would get exactly the days that another ballot had before. Were cells moved from voter to voter?`,
    });
  if (found.length === 0 && one.movedDays >= few && one.movedDays > known / 1000)
    found.push({
      ...{ code: 'moved-days', what: 'moved-days', rows: one.movedDays },
      detail: `Election ${number}: ${some(one.movedDays)} known ballots would have a day in another column than before, such as the day of mailing as the day of return. Was a cell inserted or deleted in these rows?`,
    });
  // What voters read may depend on the words or on the code.
  const lacking = [
    { lost: one.unexplained, left: one.explained, name: 'reason' },
    { lost: one.wordless, left: one.inWords, name: 'reason' },
    { lost: one.codeless, left: one.coded, name: 'reason code' },
  ].find(({ lost, left }) => lost >= few && lost > left);
  if (lacking)
    found.push({
      ...{ code: 'reasons-missing', what: 'unexplained', rows: lacking.lost },
      detail: `Election ${number}: ${some(lacking.lost)} known ballots would have no ${lacking.name} any more. Voters read there what is wrong. Is the column of reasons empty or in another place?`,
    });
  // Each alone is an office that says more, or writes its reasons otherwise.
  else if (
    Math.min(misexplained, overexplained) >= few &&
    misexplained + overexplained > known / 1000
  )
    found.push({
      ...{ code: 'reasons-moved', what: 'misexplained', rows: misexplained },
      detail: `Election ${number}: ${some(misexplained)} known ballots would have another reason or none, and ${some(overexplained)} that need none would get one. Voters read there what is wrong. Did the column of reasons move, or was one copied down?`,
    });
  if (emptied > worded && (emptied >= few || worded === 0))
    found.push({
      ...{ code: 'empty-statuses', what: 'emptied', rows: emptied },
      detail: `Election ${number}: ${some(emptied)} known ${emptied === 1 ? 'ballot' : 'ballots'} would have no status any more. Is the status column empty or in another place?`,
    });
  if (!isFewUndecided(undecided, known))
    found.push({
      ...{ code: 'accepted-undecided', what: 'undecided', rows: undecided },
      detail: `Election ${number}: ${some(undecided)} ballots that are accepted or voted in person would have a status that does not say whether they count. Voters would still see what they see now. Ask the office what it means.`,
    });
  const unsettled = one.otherReturn + one.takenBack;
  // Who corrects the day of a batch takes none of it back.
  const isMixed = one.otherReturn >= few && one.takenBack > 0;
  if (isMixed && unsettled > Math.max(5, Math.floor(known / 200)))
    found.push({
      ...{ code: 'accepted-changed', what: 'unsettled', rows: unsettled },
      detail: `Election ${number}: ${some(unsettled)} ballots that are accepted or voted in person would get another day of return (${some(one.otherReturn)}) or another status (${some(one.takenBack)}). Such a ballot hardly ever changes. Do some rows have the values of another voter?`,
    });
  // A corrected day moves no ballot, and a replacement is listed before it comes back.
  const { mixed, sentOtherwise } = one;
  if (mixed >= few && mixed > known / 1000 && mixed * 3 > sentOtherwise)
    found.push({
      ...{ code: 'mixed-rows', what: 'mixed', rows: mixed },
      detail: `Election ${number}: ${some(mixed)} known ballots would get another day of request or mailing and another status at once. Do some rows have the values of another voter?`,
    });
  if (one.reverted >= few && one.reverted > known / 1000)
    found.push({
      ...{ code: 'old-rows', what: 'reverted', rows: one.reverted },
      detail: `Election ${number}: ${some(one.reverted)} known ballots would lose their day of mailing or return and be what they were before. Are some rows of an older file?`,
    });
  if (one.damaged >= few)
    found.push({
      ...{ code: 'damaged-text', what: 'damaged', rows: one.damaged },
      detail: `Election ${number}: ${some(one.damaged)} known ballots would get words in which characters are lost, shown as \ufffd. A program has saved the file in another encoding. Import it as it was exported.`,
    });
  if (replacing * 2 > added && (replacing >= few || (replacing > 1 && replacing === known)))
    found.push({
      ...{ code: 'other-ballots', what: 'replacing', rows: replacing },
      detail: `Election ${number}: ${some(replacing)} of ${all} new ballots are of voters whose known ballot this file no longer lists. A replacement stands beside the ballot that it replaces. Is it an old file, or one of another county or election?`,
    });
  // Nobody returns one envelope in two elections. Ballots that an election already has may hide a few that a clerk moved there.
  const isFirstMoved = known === 0 && movedAndReturned > 0;
  if (isFirstMoved || (moved * 2 >= added && (moved >= few || movedAndReturned > 0)))
    found.push({
      ...{ code: 'moved-election', what: 'moved', rows: moved },
      detail: `Election ${number}: ${some(moved)} of ${all} new ballots ${moved === 1 ? 'has' : 'have'} the days of a ballot that the same voter has in another election, and that this file no longer lists. Did the election change by mistake?`,
    });
  return found;
}
