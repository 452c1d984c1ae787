import { formatCount } from '../gate-words.ts';
import type { Counts } from '../kind.ts';
import { fullDays } from '../pace.ts';
import { areScattered } from '../scattered.ts';

/** What a mail house's file would change, counted in its rows. */
export interface PieceNews {
  /** Rows that change a barcode or report a print. */
  readonly changed: number;
  /** Barcodes of the file that are known on the same ballot. */
  readonly known: number;
  /** Barcodes that are new. */
  readonly added: number;
  /** Printed after today, mailed long after it, or either in another season. */
  readonly datesOff: number;
  /** Another day of printing or mailing in place of the one known. */
  readonly redated: number;
  /** In how many ways, from one day to another: a tray that is corrected has one. */
  readonly ways: number;
  /** New barcodes of ballots whose known barcode the file no longer lists. */
  readonly otherBarcodes: number;
  /** Barcodes that are on another ballot, and not yet free to be used again. */
  readonly moved: number;
}

export const pieceFaults = [
  'dates-off',
  'other-dates',
  'other-barcodes',
  'barcodes-moved',
] as const;
export type PieceFault = (typeof pieceFaults)[number];

/** What the later files of the day and the week are judged with, too. */
export function countPieceNews({ ways: _, ...counts }: PieceNews): Counts {
  return counts;
}

/** Fewer than these may be a mail house's corrections. */
const few = 3;

/**
 * Judges a mail house's file. Whatever it prints and mails in a day is ordinary; what is known of envelopes hardly ever changes. No
 * finding: the file is loaded.
 * @param earlier what files of today and of a week changed that no second person approved: many files may not do what one may not
 */
export function judgePieceNews(
  news: PieceNews,
  earlier: { readonly day: Counts; readonly week: Counts } = { day: {}, week: {} },
): { code: PieceFault; detail: string; rows: number }[] {
  const { known, added, datesOff, redated, ways, otherBarcodes, moved } = news;
  const counts = countPieceNews(news);
  const found: { code: PieceFault; detail: string; rows: number }[] = [];
  const check = (
    code: PieceFault,
    part: keyof PieceNews,
    whole: keyof PieceNews,
    share: number,
    detail: string,
  ) => {
    const rows = news[part];
    if (rows >= few && rows > news[whole] * share) found.push({ code, rows, detail });
    // An envelope that was printed anew has another barcode, and may be listed alone.
    else if (rows > 0 && code !== 'other-barcodes') {
      const sum = (name: string, of: Counts) => (counts[name] ?? 0) + (of[name] ?? 0);
      const isOdd = (of: Counts, fewest: number) =>
        sum(part, of) >= fewest && sum(part, of) > sum(whole, of) * share;
      const say = (of: Counts, when: string) =>
        found.push({
          ...{ code, rows },
          detail: `${detail} With earlier files of ${when} it is ${formatCount(sum(part, of))}.`,
        });
      if (isOdd(earlier.day, few)) say(earlier.day, 'today');
      else if (isOdd(earlier.week, few * fullDays)) say(earlier.week, 'this week');
    }
  };
  check(
    'dates-off',
    'datesOff',
    'changed',
    0.02,
    `${formatCount(datesOff)} envelopes would be printed or mailed after today, or long before or after the election.`,
  );
  check(
    'other-dates',
    'redated',
    'known',
    areScattered(redated, ways, known) ? 0 : 1 / 3,
    `${formatCount(redated)} of ${formatCount(known)} known envelopes in this file would get another day of printing or mailing. Did two columns change places, or was one sorted without the others?`,
  );
  check(
    'other-barcodes',
    'otherBarcodes',
    'added',
    0.5,
    `${formatCount(otherBarcodes)} of ${formatCount(added)} new barcodes are for ballots whose known barcode this file no longer lists. Is it the file of another office or election?`,
  );
  check(
    'barcodes-moved',
    'moved',
    'changed',
    0.02,
    `${formatCount(moved)} barcodes are on the envelopes of other ballots, and voters would see where somebody else’s envelope is. Did the rows of a column move?`,
  );
  return found;
}
