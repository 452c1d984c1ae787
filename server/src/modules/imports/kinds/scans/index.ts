import type { Kind } from '../kind.ts';
import { mergeScans, type ScanNews } from './merge-store.ts';
import { createScanReader } from './rows.ts';
import { stageScans } from './stage-store.ts';

/** What the Postal Service saw of envelopes. */
export const scans: Kind<ScanNews> = {
  changesBallots: true,
  judgesStatuses: false,
  keepsGoodRows: true,
  createReader: createScanReader,
  stage: stageScans,
  merge: mergeScans,
  learn: ({ newestDay }) => ({ news: {}, listed: null, elections: [], newestDay }),
};
