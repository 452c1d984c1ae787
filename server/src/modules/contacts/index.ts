/** Whether a voter may be contacted, where, and what was agreed to. */
export {
  type AddressOfAccount,
  type CutOffVoter,
  isSuppressed,
  liftInvalid,
  liftSuppression,
  readAskedId,
  recordConsent,
  selectAskedId,
  suppressAddress,
} from './consent-store.ts';
export {
  type ContactChannel,
  type Contacts,
  isReachable,
  isValidEmail,
  maskAddress,
  noChannel,
  noContacts,
  normalizeAddress,
  smsStatusOf,
} from './rules.ts';
export {
  confirmVoice,
  countUnreached,
  findSmsSubscriptions,
  lockContacts,
  lockSmsChannels,
  type SmsSubscription,
  type StoredContacts,
  selectContacts,
  setSmsStatus,
  toContacts,
  writeContacts,
} from './store.ts';
