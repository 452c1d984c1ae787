import type { Config } from '../../platform/config.ts';
import type { AccountId, ImportId, VoterId } from '../../platform/ids.ts';
import type { Db, Tx } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import {
  isSuppressed,
  normalizeAddress,
  recordConsent,
  suppressAddress,
} from '../contacts/index.ts';
import { createProviders } from './channels/index.ts';
import { mailDomainOf, readChannelSettings } from './channels/settings.ts';
import { createOriginLog } from './delivery/origins-store.ts';
import { type Chore, startDelivery } from './delivery/work.ts';
import { type AgainRequest, addAgain } from './enqueue/again-store.ts';
import {
  addContactCodeMessage,
  addNotice,
  type ContactCodeMessage,
  type ReachedLimit,
} from './enqueue/limits-store.ts';
import {
  type FollowedSave,
  followPreferences,
  type PreferencesSave,
} from './enqueue/preferences.ts';
import { addCatchUp } from './enqueue/store.ts';
import { type GateVerdict, passGate } from './gate/gate.ts';
import { receiveReceipts } from './inbound/receipts.ts';
import { isUnsubscribeKey } from './links.ts';
import { createOfficeCache, publicOrigin, readOffice, rulesOf } from './office/store.ts';
import type { NotificationParts } from './parts.ts';
import { createSenders } from './senders/senders.ts';

export type { ChannelSettings } from './channels/settings.ts';
export { beginCounts, publishQueueLength } from './delivery/queue-length.ts';
export { prepareQueue } from './delivery/queue-store.ts';
export { type AskedReturn, asksTooLate, isOvertaken } from './delivery/rules.ts';
export type { Chore } from './delivery/work.ts';
export { decideRequests } from './enqueue/decide-requests.ts';
export {
  type ReachedLimit,
  readSending,
  type SendingState,
  type WaitingRequest,
} from './enqueue/limits-store.ts';
export type { PreferencesSave } from './enqueue/preferences.ts';
export { wakeWorker } from './enqueue/store.ts';
export type { GateVerdict } from './gate/gate.ts';
export { correct as correctImport, release as releaseImport } from './gate/gate.ts';
export { type PreviewedMessage, previewImport } from './gate/preview.ts';
export type { GateReason } from './gate/rules.ts';
export { renewOvertaken } from './gate/store.ts';
export { type ContactHours, isWithinHours, nextWithinHours } from './hours.ts';
export {
  confirmationCode,
  contactCode,
  fixLinkPath,
  isConfirmationCode,
  unsubscribeKey,
} from './links.ts';
export { messageCode, readMessageCode } from './message-codes.ts';
export { originOf } from './office/store.ts';
export { type ContactHistory, readContactHistory } from './outbox/history-store.ts';
export { listOutbox, type OutboxMessage } from './outbox/store.ts';
export type { NotificationParts } from './parts.ts';
export { isBallotFeedLate, remindVoters } from './reminders/remind.ts';
export {
  finishRestore,
  type OpenRestore,
  readOpenRestores,
  setUnsureAside,
  takeOverSending,
} from './restored/store.ts';
export { registerNotificationRoutes } from './routes.ts';
export { type AnnouncedFinish, announceFinishes, type Backlog } from './senders/forecast.ts';
export {
  admit,
  nextRoomAt,
  type SenderLimits,
  type SizedMessage,
  unlimitedPerSecond,
  unusedSender,
} from './senders/limits.ts';
export {
  bookPace,
  nextPaceAt,
  type PacedSender,
  type PaceUse,
  paceRoomAt,
  unusedPace,
} from './senders/pace.ts';
export { readQueue } from './senders/queue.ts';
export { describeFinish, viewFinish } from './senders/words.ts';
export { listIncidents } from './stopped-mail/store.ts';
export { watchMail } from './stopped-mail/watch.ts';
export { type FixLetter, printFixLetters } from './texts/letters.ts';
export { previewMessages, sampleTexts, type TextSample } from './texts/preview.ts';
export { mailDomainOf, readChannelSettings, receiveReceipts };

/**
 * Creates an import's messages and checks them at the gate, in the import's own transaction: events and messages are
 * written together or not at all. Needs the table `changedBallots` of `ballots` that the import leaves.
 *
 * @returns `messages-held` when they wait for a second person, with the reasons
 */
export async function enqueueMessages(
  tx: Tx,
  config: Config,
  imported: {
    readonly accountId: AccountId;
    readonly importId: ImportId;
    readonly rowsRead: number;
    /** The gate of imports judged the ballots before. */
    readonly isJudged: boolean;
  },
  now: Date,
): Promise<GateVerdict> {
  const office = await readOffice(tx, config, imported.accountId);
  return passGate(tx, office, rulesOf(office), imported, now);
}

/**
 * Follows a save of contact preferences, in its transaction: consents, the question to an added number, the
 * confirmation mail to a new address, the notice to the one it replaces.
 */
export async function preferencesSaved(
  tx: Db,
  config: Config,
  accountId: AccountId,
  save: PreferencesSave,
  now: Date,
): Promise<FollowedSave> {
  const office = await readOffice(tx, config, accountId);
  return followPreferences(tx, rulesOf(office), save, now);
}

/**
 * Follows the proof of a mail address, in its transaction and after `is_valid_email` is true: the consent is
 * confirmed, and the voter gets the status of each ballot.
 */
export async function emailConfirmed(
  tx: Db,
  config: Config,
  of: { readonly accountId: AccountId; readonly voterId: VoterId; readonly email: string },
  now: Date,
): Promise<void> {
  const { accountId, voterId } = of;
  const proven = {
    accountId,
    voterId,
    channel: 'email',
    address: normalizeAddress(of.email),
  } as const;
  await recordConsent(tx, { ...proven, action: 'confirmed', source: 'mailed code' }, now);
  const office = await readOffice(tx, config, accountId);
  await addCatchUp(tx, rulesOf(office), voterId, 'email', now);
}

/**
 * Sends a message about a ballot's status once more, in the caller's transaction. The caller has found it still true.
 *
 * @returns see {@link addAgain}
 */
export async function sendAgain(
  tx: Db,
  config: Config,
  accountId: AccountId,
  request: AgainRequest,
  now: Date,
): Promise<ReachedLimit | 'again-limited' | undefined> {
  const office = await readOffice(tx, config, accountId);
  return addAgain(tx, rulesOf(office), request, now);
}

/**
 * Sends a contact code to an address of the voter, in the transaction that makes it.
 *
 * @returns the limit that was reached; undefined when it is sent
 */
export async function sendContactCode(
  tx: Db,
  config: Config,
  message: ContactCodeMessage,
  now: Date,
): Promise<ReachedLimit | undefined> {
  const { channel, address, accountId } = message;
  if (await isSuppressed(tx, { accountId, channel, address })) return 'requests-limited';
  const office = await readOffice(tx, config, accountId);
  return addContactCodeMessage(tx, rulesOf(office), message, now);
}

/**
 * Unsubscribes an email address from an account by the key of a mailed link (spec §2, Unsubscribe page; RFC 8058). Asking
 * twice does no harm.
 *
 * @returns false when the key does not belong to this address and account
 */
export async function unsubscribeByLink(
  tx: Db,
  secrets: Secrets,
  of: {
    readonly accountId: AccountId;
    readonly email: string;
    readonly key: string;
    readonly isOneClick: boolean;
  },
  now: Date,
): Promise<boolean> {
  const { accountId, email, key, isOneClick } = of;
  if (!isUnsubscribeKey(secrets, { accountId, email }, key)) return false;
  const source = isOneClick ? 'one-click unsubscribe' : 'unsubscribe link';
  const stop = {
    channel: 'email',
    reason: 'unsubscribed',
    address: normalizeAddress(email),
  } as const;
  const { cutOff } = await suppressAddress(tx, { accountId, ...stop, source }, now);
  const [first] = cutOff;
  // Once for the address, no matter how many voters have it.
  if (first) {
    const { voter_id: voterId, language } = first;
    const { channel, address } = stop;
    const cause = `unsubscribe:${accountId}:${now.getTime()}`;
    await addNotice(tx, { accountId, voterId, channel, address, language, cause }, now);
  }
  return true;
}

/**
 * Starts handing messages to their providers; any number of processes may run it.
 * @param chores other scheduled work of the same queue
 */
export function startMessageDelivery(
  parts: NotificationParts,
  chores: readonly Chore[] = [],
): Promise<{ stop(): Promise<void> }> {
  const { database, config, clock, log, secrets, settings } = parts;
  const db = database.system;
  const callbackBase = `${publicOrigin(config)}/api/provider`;
  return startDelivery(
    database,
    {
      db,
      clock,
      log,
      ...(parts.metrics ? { metrics: parts.metrics } : {}),
      secrets,
      origins: createOriginLog(),
      senders: createSenders(db, config.siteLimits),
      transaction: (work) => database.transaction(work),
      mailDomain: mailDomainOf(config, settings),
      providers: createProviders(settings, callbackBase, db, clock, (receipts) =>
        receiveReceipts(db, receipts, clock.now()),
      ),
      office: createOfficeCache(db, config),
    },
    chores,
  );
}
