export { isSamePerson } from './rules.ts';
export {
  type Actor,
  type AuditEntry,
  listAudit,
  type RecordedAuditEntry,
  recordAudit,
} from './store.ts';
