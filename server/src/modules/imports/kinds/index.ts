import type { Format } from '../formats/format.ts';
import { ballots } from './ballots/index.ts';
import type { Kind } from './kind.ts';
import { mailPieces } from './mail-pieces/index.ts';
import { scans } from './scans/index.ts';
import { voters } from './voters/index.ts';

/** The kind that each format's files are of, under the word of format files and stored reports. */
export const kinds: Readonly<Record<Format['holds'], Kind>> = {
  voters,
  ballots,
  mailpieces: mailPieces,
  scans,
};
