export {
  type BallotEvent,
  buildStatusHistory,
  type DerivedStatus,
  deriveBallotStatus,
  type HistoryStep,
} from './rules.ts';
