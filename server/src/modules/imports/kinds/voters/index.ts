import type { Kind } from '../kind.ts';
import { readFirstChanges } from './examples-store.ts';
import { judgeRoll } from './gate-store.ts';
import { mergeVoters } from './merge-store.ts';
import type { RollSize } from './roll-size.ts';
import { createVoterReader } from './rows.ts';
import { stageVoters } from './stage-store.ts';

/** Voters of the roll. Only rows that say something new are staged and merged. */
export const voters: Kind<RollSize> = {
  changesBallots: false,
  judgesStatuses: false,
  rowsStandAlone: false,
  createReader: createVoterReader,
  // Under another key the same tokens are stored anew.
  listReadingOptions: ({ tokenKeys }) => ({ tokenKey: tokenKeys?.newest }),
  stage: stageVoters,
  merge: mergeVoters,
  judge: judgeRoll,
  readChanges: readFirstChanges,
};
