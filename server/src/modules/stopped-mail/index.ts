export { readMailDays } from './mail-days.ts';
export {
  adviseStop,
  findStop,
  foreseeStop,
  groupStops,
  type MailDays,
  type Stop,
  type StopIncident,
  type StoppedEnvelope,
} from './rules.ts';
export { type MailClass, mailClassOf } from './thresholds.ts';
export { type MailTrace, readScansUntil, readTraces } from './trace-store.ts';
