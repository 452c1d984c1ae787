import type { Kind } from '../kind.ts';
import { judgeScans } from './gate-store.ts';
import { mergeScans, type ScanSize } from './merge-store.ts';
import { createScanReader } from './rows.ts';
import { stageScans } from './stage-store.ts';

/** What the Postal Service saw of envelopes. */
export const scans: Kind<ScanSize> = {
  changesBallots: true,
  judgesStatuses: false,
  rowsStandAlone: true,
  createReader: createScanReader,
  stage: stageScans,
  merge: mergeScans,
  judge: judgeScans,
};
