export { type BallotCode, drawMissingCodes, readCodes } from './codes-store.ts';
export { drawQrPng, drawQrSvg } from './draw-qr.ts';
export { readBallotProgress, readNoBallotStatus } from './read-progress.ts';
export { registerBallotRoutes } from './routes.ts';
export {
  type BallotEvent,
  buildStatusHistory,
  type DerivedStatus,
  deriveBallotStatus,
  type HistoryStep,
} from './rules.ts';
