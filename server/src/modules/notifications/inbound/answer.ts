import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import {
  confirmVoice,
  findSmsSubscriptions,
  liftInvalid,
  liftSuppression,
  lockSmsChannels,
  recordConsent,
  type SmsSubscription,
  setSmsStatus,
  suppressAddress,
} from '../../contacts/index.ts';
import type { InboundCall, InboundSms } from '../channels/webhooks.ts';
import { addNotice } from '../enqueue/limits-store.ts';
import { type AccountRules, addCatchUp, addMessage, type NewMessage } from '../enqueue/store.ts';
import type { Office } from '../office/store.ts';
import { type Keyword, readKeyword } from './keywords.ts';
import {
  findAccountByVoiceNumber,
  findAccountsByShortCode,
  findMessageOwner,
  isAnsweredEnough,
  noteInbound,
  wasHelpedLately,
  withdrawAnswers,
} from './store.ts';

/** What handling texts and calls from voters needs; `db` sees all accounts, because a short code serves several. */
export interface InboundParts {
  /** By the connection of the transaction: as many at once as there are connections would wait for another for ever. */
  readonly office: (tx: Db, accountId: AccountId) => Promise<Office>;
  readonly rulesOf: (office: Office) => AccountRules;
}

/**
 * Handles one text, in a transaction of its own. Each is answered once at most: a keyword always, anything else with
 * the help text once a day. Several offices that share a short code can have the same number; a STOP counts for all.
 */
export async function answerSms(
  tx: Db,
  parts: InboundParts,
  sms: InboundSms,
  now: Date,
): Promise<Keyword | 'repeat'> {
  const keyword = readKeyword(sms.text);
  const { provider, providerMessageId, from, to } = sms;
  const inbound = { provider, providerMessageId, channel: 'sms' as const, address: from, keyword };
  if (!(await noteInbound(tx, inbound, now))) return 'repeat';

  await lockSmsChannels(tx, from);
  const subscriptions = await findSmsSubscriptions(tx, from, to);
  const accounts = await findAccountsByShortCode(tx, to);
  const accountId = subscriptions[0]?.account_id ?? accounts[0];
  if (accountId === undefined) return keyword;
  // What sends texts gets them too, whatever a carrier said of it.
  await liftInvalid(tx, accounts, { channel: 'sms', address: from });
  const isChatty = keyword !== 'stop' && (await isAnsweredEnough(tx, from, now));
  const reply = async (kind: NewMessage['kind']) => {
    if (isChatty) return;
    await addMessage(tx, {
      accountId,
      voterId: subscriptions[0]?.voter_id ?? null,
      kind,
      channel: 'sms',
      address: from,
      language: subscriptions[0]?.language ?? 'english',
      cause: `inbound:${provider}:${providerMessageId}`,
      isAnswer: true,
      deliverAfter: now,
    });
  };

  const consent = (one: SmsSubscription, action: 'confirmed' | 'asked') =>
    recordConsent(
      tx,
      {
        accountId: one.account_id,
        voterId: one.voter_id,
        channel: 'sms',
        address: from,
        action,
        source: 'sms reply',
      },
      now,
    );

  switch (keyword) {
    case 'stop': {
      await withdrawAnswers(tx, accounts, from, now);
      let isNew = false;
      for (const id of accounts) {
        const stop = { accountId: id, channel: 'sms', address: from, reason: 'stopped' } as const;
        const stopped = await suppressAddress(tx, { ...stop, source: 'sms reply' }, now);
        isNew ||= stopped.isNew;
      }
      // Confirmed once: a number that sends STOP again is already stopped.
      if (isNew) await reply('stopped');
      break;
    }
    case 'yes': {
      const agreed = subscriptions.filter((one) => one.is_opted_in && one.status === 'unproven');
      for (const one of agreed) {
        await setSmsStatus(tx, one.voter_id, 'proven', now);
        await consent(one, 'confirmed');
      }
      // A voter who had already agreed gets the confirmation once more, and nothing changes.
      const hasAgreed = agreed.length > 0 || subscriptions.some(isActive);
      await reply(hasAgreed ? 'confirmed' : 'help');
      for (const one of agreed) {
        const rules = parts.rulesOf(await parts.office(tx, one.account_id));
        await addCatchUp(tx, rules, one.voter_id, 'sms', now);
      }
      break;
    }
    case 'start': {
      for (const id of accounts)
        await liftSuppression(tx, { accountId: id, channel: 'sms', address: from });
      // Who gets texts already goes on getting them.
      const asked = subscriptions.filter((one) => !isActive(one));
      for (const one of asked) {
        await setSmsStatus(tx, one.voter_id, 'unproven', now);
        await consent(one, 'asked');
      }
      if (asked.length > 0) await reply('opt-in');
      else await reply(subscriptions.length > 0 ? 'confirmed' : 'help');
      break;
    }
    case 'help':
      await reply('help');
      break;
    case 'other':
      if (!(await wasHelpedLately(tx, from, now))) await reply('help');
      break;
  }
  return keyword;
}

/** The voter gets texts at this number. */
const isActive = (one: SmsSubscription) => one.is_opted_in && one.status === 'proven';

/** What to say to a caller, in which language; null when no office has that number. */
export interface SpokenAnswer {
  readonly office: Office;
  readonly language: string;
  readonly key: 'voice.confirmed' | 'voice.unknown' | 'voice.stopped';
}

/** A call to an office's number: from a number that waits for it, it proves that number. */
export async function answerCall(
  tx: Db,
  parts: InboundParts,
  call: InboundCall,
  now: Date,
): Promise<SpokenAnswer | null> {
  const confirmed = await confirmVoice(tx, call.from, call.to, now);
  const { provider, providerMessageId, from } = call;
  const keyword = confirmed.length > 0 ? 'yes' : 'other';
  await noteInbound(
    tx,
    { provider, providerMessageId, channel: 'voice', address: from, keyword },
    now,
  );
  for (const one of confirmed) {
    const { account_id: accountId, voter_id: voterId } = one;
    await liftSuppression(tx, { accountId, channel: 'voice', address: from });
    const proven = { accountId, voterId, channel: 'voice', address: from } as const;
    await recordConsent(tx, { ...proven, action: 'confirmed', source: 'voice call' }, now);
    const rules = parts.rulesOf(await parts.office(tx, accountId));
    if (one.replaced !== '') {
      await recordConsent(
        tx,
        { ...proven, address: one.replaced, action: 'withdrawn', source: 'voice call' },
        now,
      );
      const cause = `call:${provider}:${providerMessageId}:${voterId}`;
      const { language, replaced: address } = one;
      await addNotice(tx, { accountId, voterId, channel: 'voice', address, language, cause }, now);
    }
    await addCatchUp(tx, rules, voterId, 'voice', now);
  }
  const accountId = confirmed[0]?.account_id ?? (await findAccountByVoiceNumber(tx, call.to));
  if (accountId === null || accountId === undefined) return null;
  return {
    office: await parts.office(tx, accountId),
    language: confirmed[0]?.language ?? 'english',
    key: confirmed.length > 0 ? 'voice.confirmed' : 'voice.unknown',
  };
}

/** A key pressed during a call of ours; 9 stops all further calls to the number. */
export async function answerKeypress(
  tx: Db,
  parts: InboundParts,
  pressed: { messageId: number; digit: string },
  now: Date,
): Promise<SpokenAnswer | null> {
  const owner = await findMessageOwner(tx, pressed.messageId);
  if (owner?.channel !== 'voice' || pressed.digit !== '9') return null;
  const { account_id: accountId, address } = owner;
  const stop = { accountId, channel: 'voice', address, reason: 'stopped' } as const;
  await suppressAddress(tx, { ...stop, source: 'voice call' }, now);
  return {
    office: await parts.office(tx, accountId),
    language: owner.language,
    key: 'voice.stopped',
  };
}
