import { writeCsvRow } from '../../platform/csv-row.ts';
import type { BallotCode } from '../ballots/index.ts';
import type { LetterCode } from '../sessions/index.ts';

/** What is written of codes that are `Code`, by commands and at the console. */
export interface QrSheet<Code> {
  readonly columns: readonly string[];
  cellsOf(code: Code): readonly string[];
  urlOf(code: Code): string;
  /** The name of a drawing: of its file without the ending, and below it on paper. */
  nameOf(code: Code): readonly string[];
}

/** Codes on ballots. @param origin of the office's page */
export function sheetOfBallots(origin: string): QrSheet<BallotCode> {
  const urlOf = ({ guid }: BallotCode) => `${origin}/voter/qr-login?guid=${guid}`;
  return {
    columns: ['VoterID', 'BallotNumber', 'BallotGuid', 'Url'],
    cellsOf: (one) => [one.registration_id, one.ballot_number, one.guid, urlOf(one)],
    urlOf,
    nameOf: (one) => [one.registration_id, one.ballot_number, String(one.ballot_id)],
  };
}

/** Codes in letters to confidential voters. @param lastDay on which they work, `YYYY-MM-DD` */
export function sheetOfLetters(origin: string, lastDay: string): QrSheet<LetterCode> {
  const urlOf = ({ code }: LetterCode) => `${origin}/voter/qr-login?guid=${code}`;
  return {
    columns: ['VoterID', 'Code', 'Url', 'LastDay'],
    cellsOf: (one) => [one.registration_id, one.code, urlOf(one), lastDay],
    urlOf,
    nameOf: (one) => [one.registration_id, 'letter'],
  };
}

/** The lines of a table for a print shop. */
export async function* writeCodeTable<Code>(
  codes: AsyncIterable<Code> | Iterable<Code>,
  { columns, cellsOf }: Pick<QrSheet<Code>, 'columns' | 'cellsOf'>,
): AsyncGenerator<string> {
  yield writeCsvRow(columns, 'windows');
  for await (const code of codes) yield writeCsvRow(cellsOf(code), 'windows');
}
