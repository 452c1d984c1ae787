import type { Kind } from '../kind.ts';
import { mergeScans } from './merge-store.ts';
import { createScanReader } from './rows.ts';
import { stageScans } from './stage-store.ts';

/** What the Postal Service saw of envelopes. */
export const scans: Kind<null> = {
  changesBallots: true,
  keepsGoodRows: true,
  createReader: createScanReader,
  stage: stageScans,
  merge: mergeScans,
};
