import { formatCount } from '../gate-words.ts';

/** What a file of scans, or a push, would show of envelopes, counted in what it brings that was not known. */
export interface ScanNews {
  /** New scans of known envelopes: of many, those that were looked at. */
  readonly scans: number;
  /** Those on days on which the envelope was not in the mail by the office's own records. */
  readonly offDays: number;
  /** Those of which the same machine's reading is known at the same second of another day. */
  readonly redated: number;
  /** Envelopes with new scans. */
  readonly envelopes: number;
  /** Those that were near their end before they were near their beginning. */
  readonly backwards: number;
  /** Known scans whose mail phase the file names too. */
  readonly repeated: number;
  /** Those whose mail phase would be another one. */
  readonly rephased: number;
  /** The day, by election, on which the most ballots were first seen on their way back. */
  readonly busiest: BusyDay | null;
}

export interface BusyDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The office's number. */
  readonly election: string;
  readonly ballots: number;
  /** Of the election, counted as far as it takes to see that they are many. */
  readonly known: number;
}

export type ScanFault =
  | 'scans-off-days'
  | 'scans-redated'
  | 'scans-backwards'
  | 'scans-rephased'
  | 'returns-at-once';

/** As many odd scans are in ordinary files: an envelope is sent the wrong way, a machine's clock is wrong. */
export const fewScans = 5;

/** Fewer ballots than these may come back to a small county on one day. */
export const fewReturns = 20;

/** No more than one of so many ballots comes back on one day. */
export const returningShare = 3;

/** Judges what USPS is said to have seen. No finding: it is loaded. */
export function judgeScanNews(news: ScanNews): { code: ScanFault; detail: string; rows: number }[] {
  const { scans, offDays, redated, envelopes, backwards, repeated, rephased, busiest } = news;
  const found: { code: ScanFault; detail: string; rows: number }[] = [];
  const check = (code: ScanFault, rows: number, whole: number, share: number, detail: string) => {
    if (rows > fewScans && rows > whole * share) found.push({ code, rows, detail });
  };
  check(
    'scans-off-days',
    offDays,
    scans,
    0.05,
    `${formatCount(offDays)} of ${formatCount(scans)} new scans are from days when their envelopes were not in the mail: before the office mailed them, or after it had them back. Is it the file of another election, or was a column sorted without the others?`,
  );
  check(
    'scans-redated',
    redated,
    scans,
    0.05,
    `${formatCount(redated)} of ${formatCount(scans)} new scans are known already, at the same second of another day. Did a column move, or change places with another?`,
  );
  check(
    'scans-backwards',
    backwards,
    envelopes,
    0.1,
    `${formatCount(backwards)} of ${formatCount(envelopes)} envelopes would have been near the end of their way before they were near its beginning. Did the rows of a column move?`,
  );
  check(
    'scans-rephased',
    rephased,
    repeated,
    0.05,
    `${formatCount(rephased)} of ${formatCount(repeated)} scans that are known already have another mail phase in this file. Did the rows of a column move?`,
  );
  if (busiest && busiest.ballots >= fewReturns && busiest.ballots * returningShare > busiest.known)
    found.push({
      code: 'returns-at-once',
      rows: busiest.ballots,
      detail: `${formatCount(busiest.ballots)} ballots of election ${busiest.election}, which has ${formatCount(busiest.known)}, would be on their way back since one day. On an ordinary day it is fewer than one in ${returningShare}.`,
    });
  return found;
}
