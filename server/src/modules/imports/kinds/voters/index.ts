import type { Kind } from '../kind.ts';
import { explainLoss, type RollSize } from './hold.ts';
import { mergeVoters } from './merge-store.ts';
import { createVoterReader } from './rows.ts';
import { stageVoters } from './stage-store.ts';

/** Voters of the roll. Only rows that say something new are staged and merged. */
export const voters: Kind<RollSize | null> = {
  changesBallots: false,
  keepsGoodRows: false,
  createReader: createVoterReader,
  stage: stageVoters,
  merge: mergeVoters,
  hold: ({ size }, limits) => size && explainLoss(size, limits),
};
