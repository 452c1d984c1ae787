export { type Imb, type ReadImb, readImb, toBars } from './imb.ts';
export { findPiece, type KnownPiece, type TiedBallot } from './piece-store.ts';
export {
  arrivingBefore,
  meaningOf,
  normalizeEventType,
  normalizeOpCode,
  type ScanMeaning,
  zoneOfFacility,
} from './scan-meaning.ts';
export { type Direction, directionOf, type Stid, stids } from './stids.ts';
export {
  addPieces,
  addScans,
  analyzeScans,
  openScanCopy,
  putBackPieces,
  scanDetails,
  scanKey,
  supplementScans,
  updatePieces,
} from './write-store.ts';
