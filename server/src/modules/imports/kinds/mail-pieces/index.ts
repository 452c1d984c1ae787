import { stids } from '../../../mail-pieces/index.ts';
import { stageFile } from '../../run/stage-store.ts';
import type { Kind } from '../kind.ts';
import { judgeMailPieces, readFirstChanges } from './gate-store.ts';
import { mergeMailPieces } from './merge-store.ts';
import { createMailPieceReader, stagedPieces } from './rows.ts';

/** Which barcodes are on the envelopes of which ballots. */
export const mailPieces: Kind<null> = {
  changesBallots: true,
  judgesStatuses: false,
  rowsStandAlone: false,
  createReader: createMailPieceReader,
  listReadingOptions: ({ account }) => ({ mail: account.settings.mail, stids: [...stids] }),
  stage: (tx, task) => stageFile(tx, mailPieces, stagedPieces, task),
  merge: mergeMailPieces,
  judge: judgeMailPieces,
  readChanges: readFirstChanges,
};
