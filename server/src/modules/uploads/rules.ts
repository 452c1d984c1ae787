/** Of each piece; the last one has the rest. */
export interface Pieces {
  readonly size: number;
  readonly pieceSize: number;
}

/** How many bytes a piece has; 0 for a piece beyond its end. */
export function bytesOfPiece({ size, pieceSize }: Pieces, piece: number): number {
  return Math.max(0, Math.min(pieceSize, size - piece * pieceSize));
}

/** Files of an office that wait for a decision. */
export const mostWaiting = 20;
/** All of them together. */
export const mostWaitingBytes = 8 * 1024 ** 3;
/** For so many days an undecided file stays, and the bytes of a decided file. */
export const keptDays = 7;
/** A process that renews its lease no longer has died; another one goes on with its work. */
export const leaseSeconds = 30;
/** Work that ended its process so often is not tried again by itself. */
export const mostAttempts = 3;

const atTheConsole: readonly (readonly [RegExp, string])[] = [
  [
    /Choose a format with --format \(beacon format list shows them\), or describe your own: \S+\.md\.?/,
    'Choose the format yourself, or ask your operator to describe your own.',
  ],
  [/Say which with --format\./, 'Choose which.'],
  [/ and the right --format\?/, ' and the right format?'],
  [/, or list their starts in a format file \("preamble"\)/, ''],
  [/, or name its sheet in a format file \("sheet"\)/, ''],
  [/ Correct "sheet" in the format file\./, ' Ask your operator to correct the format.'],
  [/ If it is wrong: beacon correct \S+ --by NAME/, ' If it is wrong, correct it.'],
  [/: beacon correct \S+ --by NAME/, ''],
  [/: beacon imports shows which/, ': the list of files shows which'],
  [/then run the same command again\./, 'then try again.'],
  [/Run the same command again\./, 'Try again.'],
  [/Run this as that user, or set BEACON_DATA to \S+ \S+ of your own\./, 'Ask your operator.'],
  [/: beacon election set\b/, ': ask your operator to set it up'],
  [/: give --election\b/, ': choose the election'],
  [/Import the file as it was exported/, 'Upload the file as it was exported'],
  [/Import each file by itself\./, 'Upload each file by itself.'],
  [/Unpack it, and import each by itself\./, 'Unpack it, and upload each by itself.'],
];

/** What the engine says of a file, for somebody who has no command line. */
export function inClerksWords(text: string): string {
  return atTheConsole.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
}
