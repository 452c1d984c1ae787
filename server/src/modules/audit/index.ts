export { exportAudit, extendAuditChain, verifyAudit } from './chain.ts';
export { registerAuditRoutes } from './routes.ts';
export { isSamePerson } from './rules.ts';
export {
  createSecurityEvents,
  type SecurityEvent,
  type SecurityEventKind,
  type SecurityEvents,
} from './security-events.ts';
export {
  type Actor,
  type AuditEntry,
  insertAudit,
  listAudit,
  type OfficeAuditFilter,
  pageOfficeAudit,
  type RecordedAuditEntry,
  recordAudit,
  recordFindings,
} from './store.ts';
export { isHead } from './verify-export.ts';
