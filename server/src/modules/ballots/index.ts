export { announceChanges, ballotChanges } from './changes-store.ts';
export { type BallotCode, countCodes, drawMissingCodes, readCodes } from './codes-store.ts';
export { drawQrPng, drawQrSvg, layOutQr } from './draw-qr.ts';
export type { BallotEvent } from './event-order.ts';
export {
  becameBallot,
  type EventSource,
  isApplication,
  isBallot,
  isJoined,
  isStanding,
  isWithdrawn,
  stands,
} from './event-store.ts';
export { arrivingMark } from './events-of-ballot-store.ts';
export { findFirstDeadline } from './first-deadline.ts';
export { type FollowedFix, followFixes } from './followed-fixes.ts';
export { type BallotInMail, readBallotsInMail } from './mailed-store.ts';
export { listOpenFixes, type OpenFix } from './open-fixes.ts';
export { type PutBackBallots, putBackBallots, withdrawEvents } from './put-back-store.ts';
export { readBallotProgress, readNoBallotStatus } from './read-progress.ts';
export {
  type FullBallotRecord,
  type RecordedEvent,
  readFullRecords,
} from './record-store.ts';
export { registerBallotRoutes } from './routes.ts';
export {
  buildStatusHistory,
  type DerivedStatus,
  deriveBallotStatus,
  type HistoryStep,
} from './rules.ts';
export {
  changedBallots,
  derivedStatuses,
  deriveStatuses,
  expectedDeliveries,
  isEnded,
  touchedBallots,
} from './status-store.ts';
export { findStoppedMail, planStop, type StopPlan, type StoppedMail } from './stopped.ts';
export { readLastImport } from './store.ts';
export {
  addBallots,
  addEvents,
  nextBallotId,
  nextEventId,
  ofNoScan,
  renumberBallots,
  updateBallots,
} from './write-store.ts';
