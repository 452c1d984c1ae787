export {
  type Closures,
  createMailCalendar,
  noClosures,
  parseClosures,
  readClosures,
} from './calendar.ts';
export {
  changeOfficeDeadlines,
  type DeadlineChange,
  type ElectionDeadline,
  findStrayDeadline,
  readElectionDeadlines,
} from './election-deadlines.ts';
export { type CureCase, findDeadline, listClocks } from './find-deadline.ts';
export {
  type FixCase,
  type FixDeadline,
  type FixElection,
  findFixDeadline,
  type OfficeDeadline,
} from './fix-deadline.ts';
export {
  listOfficeDeadlines,
  type SetDeadline,
  setOfficeDeadline,
} from './office-deadline-store.ts';
export { readDefect } from './reasons.ts';
export {
  type Anchor,
  type CureRule,
  type Defect,
  defects,
  type ElectionKind,
  electionKinds,
} from './rule.ts';
export {
  type AnchorDays,
  countFrom,
  type Deadline,
  findUnlikelyDay,
  isLikelyFixDay,
  isLikelyReturnDay,
  isNearElection,
} from './rules.ts';
export { isState, listStates } from './states.ts';
export { listWays, type OfficeWays } from './ways.ts';
