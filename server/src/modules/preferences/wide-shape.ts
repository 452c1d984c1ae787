import type { Channel } from '@ballot-beacon/contract/messages';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import {
  type ContactChannel,
  type Contacts,
  isValidEmail,
  type StoredContacts,
  smsStatusOf,
  toContacts,
} from '../contacts/index.ts';

type HoursFields = Record<`${Channel}_do_not_contact_${'before' | 'after'}`, string | null>;

/** The contact fields of the API, one beside the other as the specification names them (product spec §3, User). */
export type ContactFields = HoursFields &
  Pick<
    VoterInformation,
    | 'email'
    | 'email_opt_in'
    | 'is_valid_email'
    | 'phone_sms'
    | 'sms_opt_in'
    | 'sms_status'
    | 'phone_voice'
    | 'pending_voice'
    | 'voice_opt_in'
    | 'is_confirmed'
  >;

export function toContactFields({ channels, isConfirmed }: Contacts): ContactFields {
  const { email, sms, voice } = channels;
  return {
    email: email.address,
    email_opt_in: email.isOptedIn,
    is_valid_email: isValidEmail(email),
    email_do_not_contact_before: email.start,
    email_do_not_contact_after: email.end,
    phone_sms: sms.address,
    sms_opt_in: sms.isOptedIn,
    sms_status: smsStatusOf(sms),
    sms_do_not_contact_before: sms.start,
    sms_do_not_contact_after: sms.end,
    phone_voice: voice.address,
    pending_voice: voice.pendingAddress,
    voice_opt_in: voice.isOptedIn,
    voice_do_not_contact_before: voice.start,
    voice_do_not_contact_after: voice.end,
    is_confirmed: isConfirmed,
  };
}

/** What a clerk sees of a voter's choices. */
export interface SavedPreferences extends Omit<ContactFields, keyof HoursFields> {
  readonly language_preference: string | null;
  /** `HH:MM to HH:MM` in the account's time zone; null where none were chosen. */
  readonly email_hours: string | null;
  readonly sms_hours: string | null;
  readonly voice_hours: string | null;
  /** ISO 8601 */
  readonly updated_at: string;
}

export function toSavedPreferences(stored: StoredContacts): SavedPreferences {
  const contacts = toContacts(stored);
  const { email, sms, voice } = contacts.channels;
  const hours = ({ start, end }: ContactChannel) =>
    start === null || end === null ? null : `${start} to ${end}`;
  const {
    email: address,
    email_opt_in,
    is_valid_email,
    phone_sms,
    sms_opt_in,
    sms_status,
    phone_voice,
    pending_voice,
    voice_opt_in,
    is_confirmed,
  } = toContactFields(contacts);
  return {
    is_confirmed,
    email: address,
    email_opt_in,
    is_valid_email,
    phone_sms,
    sms_opt_in,
    sms_status,
    phone_voice,
    pending_voice,
    voice_opt_in,
    language_preference: contacts.language,
    email_hours: hours(email),
    sms_hours: hours(sms),
    voice_hours: hours(voice),
    updated_at: stored.updatedAt,
  };
}
