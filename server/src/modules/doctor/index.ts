export type { TxtResolver } from './dns.ts';
export { type Examination, examineInstallation } from './examine.ts';
export type { Finding } from './findings.ts';
export { askClockOffset } from './network-time.ts';
export { refuseUnsafeStart } from './settings.ts';
