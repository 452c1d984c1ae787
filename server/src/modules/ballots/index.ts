export { readBallotProgress, readNoBallotStatus } from './read-progress.ts';
export { registerBallotRoutes } from './routes.ts';
export {
  type BallotEvent,
  buildStatusHistory,
  type DerivedStatus,
  deriveBallotStatus,
  type HistoryStep,
} from './rules.ts';
