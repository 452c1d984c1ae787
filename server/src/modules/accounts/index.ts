export type { AccountId } from '../../platform/ids.ts';
export { correctAccentColor, defaultAccentColor, type HexColor, surfaces } from './accent-color.ts';
export { type AccountFileProblem, type AccountSettings, readSettings } from './account-file.ts';
export { type ApplyOutcome, applyAccountFile } from './apply-account-file.ts';
export type { ImageKind } from './images.ts';
export type { MailSettings } from './mail-settings.ts';
export {
  type Account,
  type Election,
  type ElectionId,
  findAccount,
  findAccountBySubdomain,
  findAccountImage,
  listAccounts,
  listElections,
  saveElection,
} from './store.ts';
