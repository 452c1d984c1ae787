import type { Channel, ConsentAction, SmsStatus } from '@ballot-beacon/contract/messages';
import type { Db } from '../../../platform/postgres.ts';
import { recordConsent } from '../inbound/store.ts';
import { normalizeEmail } from '../links.ts';
import { type AccountRules, addMessage, firstAllowed, type NewMessage } from './store.ts';

/** The columns of `contact_preferences` that decide who is told what. */
export interface ContactState {
  readonly email: string;
  readonly email_opt_in: boolean;
  readonly is_valid_email: boolean | null;
  readonly phone_sms: string;
  readonly sms_opt_in: boolean;
  readonly sms_status: SmsStatus;
  readonly phone_voice: string;
  readonly pending_voice: string;
  readonly voice_opt_in: boolean;
  readonly email_do_not_contact_before: string | null;
  readonly email_do_not_contact_after: string | null;
  readonly sms_do_not_contact_before: string | null;
  readonly sms_do_not_contact_after: string | null;
  readonly voice_do_not_contact_before: string | null;
  readonly voice_do_not_contact_after: string | null;
  readonly language_preference: string | null;
}

export interface PreferencesSave {
  readonly voterId: number;
  /** Null before the first save. */
  readonly before: ContactState | null;
  readonly after: ContactState;
}

/**
 * Follows a save of contact preferences, in its transaction: writes down what was agreed to or withdrawn, asks an
 * added number and a new mail address to prove themselves, and tells the address it replaces.
 */
export async function followPreferences(
  tx: Db,
  rules: AccountRules,
  { voterId, before, after }: PreferencesSave,
  now: Date,
): Promise<void> {
  const { accountId } = rules;
  const language = after.language_preference ?? 'english';
  const consent = (channel: Channel, address: string, action: ConsentAction): Promise<void> =>
    recordConsent(
      tx,
      { accountId, voterId, channel, address, action, source: 'preferences page' },
      now,
    );
  const message = (
    kind: NewMessage['kind'],
    channel: Channel,
    address: string,
    hours: { before: string | null; after: string | null },
  ) =>
    addMessage(tx, {
      accountId,
      voterId,
      kind,
      channel,
      address,
      language,
      cause: `save:${voterId}:${now.getTime()}:${kind}`,
      isAnswer: false,
      deliverAfter: firstAllowed(channel, hours, rules, now),
    });

  const oldEmail = before?.email_opt_in ? normalizeEmail(before.email) : '';
  const newEmail = after.email_opt_in ? normalizeEmail(after.email) : '';
  if (oldEmail !== newEmail) {
    const hours = {
      before: after.email_do_not_contact_before,
      after: after.email_do_not_contact_after,
    };
    if (oldEmail !== '') await consent('email', oldEmail, 'withdrawn');
    if (newEmail !== '') await consent('email', newEmail, 'asked');
    if (newEmail !== '' && after.is_valid_email === null)
      await message('welcome', 'email', newEmail, hours);
    if (oldEmail !== '' && newEmail !== '' && before?.is_valid_email !== false)
      await message('change', 'email', oldEmail, hours);
  }

  const oldSms = before?.sms_opt_in ? before.phone_sms : '';
  const newSms = after.sms_opt_in ? after.phone_sms : '';
  const isAskedAnew =
    newSms !== '' && after.sms_status === 'pending' && before?.sms_status !== 'pending';
  const smsHours = {
    before: after.sms_do_not_contact_before,
    after: after.sms_do_not_contact_after,
  };
  if (oldSms !== newSms && oldSms !== '') {
    await consent('sms', oldSms, 'withdrawn');
    if (newSms !== '' && before?.sms_status === 'active')
      await message('change', 'sms', oldSms, smsHours);
  }
  if (newSms !== '' && (oldSms !== newSms || isAskedAnew)) {
    await consent('sms', newSms, 'asked');
    if (after.sms_status === 'pending') await message('opt-in', 'sms', newSms, smsHours);
  }

  const oldVoice = before?.voice_opt_in ? before.phone_voice : '';
  const newVoice = after.voice_opt_in ? after.phone_voice : '';
  if (oldVoice !== newVoice) {
    if (oldVoice !== '') await consent('voice', oldVoice, 'withdrawn');
    if (newVoice !== '') await consent('voice', newVoice, 'asked');
  }
  const { pending_voice: pending } = after;
  if (pending !== '' && pending !== before?.pending_voice) await consent('voice', pending, 'asked');
}
