import type { Layout } from './layout.ts';
import { cureList } from './write-cures.ts';
import { gaAbsentee, ncAbsentee, ncVoters, paBallots } from './write-east.ts';
import { applications, mailPieces } from './write-mail.ts';
import { beaconBallots, beaconVoters, voterFocusBallots, voterFocusVoters } from './write-own.ts';
import { scanRecords, uspsScans } from './write-scans.ts';
import { coCe068, flRequests, meAbsentee, nvClark, waBallots } from './write-west.ts';

/** Every built-in format except those of scans, and an office's own list of open cases. */
export const layouts: readonly Layout[] = [
  beaconBallots,
  voterFocusBallots,
  ncAbsentee,
  gaAbsentee,
  paBallots,
  meAbsentee,
  flRequests,
  waBallots,
  coCe068,
  nvClark,
  applications,
  mailPieces,
  cureList,
  beaconVoters,
  voterFocusVoters,
  ncVoters,
];

/** Of USPS: what it saw is true in any order and part, so of the accidents few wait, and `scans-order.test.ts` has their orders. */
export const scanLayouts: readonly Layout[] = [uspsScans, scanRecords];
