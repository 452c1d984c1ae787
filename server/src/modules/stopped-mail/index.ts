export { readMailDays } from './mail-days.ts';
export { adviseStop, findStop, type Stop, type StopReason } from './rules.ts';
export { mailClassOf } from './thresholds.ts';
export { type MailTrace, readScansUntil, readTraces } from './trace-store.ts';
