export type { AccountId } from '../../platform/ids.ts';
export { correctAccentColor, defaultAccentColor, type HexColor, surfaces } from './accent-color.ts';
export { type AccountSettings, readSettings, subdomainRule, weekdays } from './account-file.ts';
export { writeAccountFilePage } from './account-file-page.ts';
export { type ApplyOutcome, applyAccountFile, writeAccountFile } from './apply-account-file.ts';
export {
  type Election,
  type ElectionId,
  listElections,
  mayMoveTo,
  removeElection,
  renameElection,
  saveElection,
  updateElection,
} from './election-store.ts';
export {
  discardReplacedImages,
  listImageUndos,
  removeImage,
  saveImage,
  undoImage,
} from './image-store.ts';
export { readImage } from './images.ts';
export type { MailSettings } from './mail-settings.ts';
export type { AccountFileProblem } from './read-account-file.ts';
export {
  type AccountReview,
  reviewAccountFile,
  showSettings,
  versionOf,
} from './review-account-file.ts';
export { findElection, isLikelyElectionDay, keyOfElection, offeredChannels } from './rules.ts';
export { textNumberKinds } from './sending-limits.ts';
export { detailChanges } from './setting-changes.ts';
export { listSettingFields } from './setting-fields.ts';
export {
  type Account,
  findAccount,
  findAccountBySubdomain,
  findAccountImage,
  listAccounts,
  lockAccount,
  type RecordCount,
  removeAccount,
  renameAccount,
  saveSettings,
} from './store.ts';
