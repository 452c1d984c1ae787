export { noClosures, parseClosures } from './calendar.ts';
export { type CureCase, findDeadline } from './find-deadline.ts';
export {
  type Anchor,
  type CureRule,
  type Defect,
  defects,
  type ElectionKind,
  electionKinds,
} from './rule.ts';
export type { AnchorDays, Deadline } from './rules.ts';
export { listStates } from './states.ts';
