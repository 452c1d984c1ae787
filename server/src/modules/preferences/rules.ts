import type { Language } from '@ballot-beacon/contract/languages';
import { type Channel, channels, type SmsStatus } from '@ballot-beacon/contract/messages';
import type { PreferencesPatch } from '@ballot-beacon/contract/voter-information';
import * as z from 'zod/mini';
import type { ContactState } from '../notifications/index.ts';
import { readPhone } from './phone.ts';

/** A voter's contact preferences as they are kept; hours are `HH:mm`. */
export interface Preferences extends ContactState {
  readonly sms_status: SmsStatus;
  readonly is_confirmed: boolean;
}

export const noPreferences: Preferences = {
  email: '',
  email_opt_in: false,
  is_valid_email: null,
  phone_sms: '',
  sms_opt_in: false,
  sms_status: 'none',
  phone_voice: '',
  pending_voice: '',
  voice_opt_in: false,
  email_do_not_contact_before: null,
  email_do_not_contact_after: null,
  sms_do_not_contact_before: null,
  sms_do_not_contact_after: null,
  voice_do_not_contact_before: null,
  voice_do_not_contact_after: null,
  language_preference: null,
  is_confirmed: false,
};

/** One thing that keeps a save from being made. */
export interface Refusal {
  /** The server's name of the field (product spec §3). */
  readonly field: keyof PreferencesPatch;
  readonly rule: string;
  /** Of locales/, main.json. */
  readonly key: string;
  /** The whole answer's detail where the specification gives it one of its own. */
  readonly detail?: string;
}

export type Plan =
  | { readonly ok: true; readonly after: Preferences }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export interface Offer {
  readonly languages: readonly Language[];
  readonly channels: readonly Channel[];
}

const defaultHours = { before: '08:00', after: '20:00' } as const;
const Email = z.email();

/**
 * What a save makes of the preferences, or all that is wrong with it (product spec §5, decisions, Preferences and
 * consent). A new address or number is never taken for proven.
 */
export function planSave(before: Preferences, patch: PreferencesPatch, offer: Offer): Plan {
  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal) => void refusals.push(refusal);
  const after: Preferences = {
    ...before,
    ...planEmail(before, patch, refuse),
    ...planSms(before, patch, refuse),
    ...planVoice(before, patch, refuse),
    ...planHours(before, patch, refuse),
    ...planLanguage(patch, offer, refuse),
    is_confirmed: true,
  };
  for (const channel of channels) {
    const isNew = after[`${channel}_opt_in`] && !before[`${channel}_opt_in`];
    if (!isNew || offer.channels.includes(channel)) continue;
    const key = 'preferences.refused.validation';
    refuse({ field: `${channel}_opt_in`, rule: 'notOffered', key });
  }
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, after };
}

/** The addresses a save would start writing to, for which a stop may be on record. */
export function findNewlyUsed(before: Preferences, after: Preferences) {
  const sms = after.sms_opt_in && (!before.sms_opt_in || before.phone_sms !== after.phone_sms);
  const email = after.email_opt_in && (!before.email_opt_in || before.email !== after.email);
  return { sms: sms ? after.phone_sms : '', email: email ? after.email : '' };
}

type Refuse = (refusal: Refusal) => void;

function planEmail(before: Preferences, patch: PreferencesPatch, refuse: Refuse) {
  const email = patch.email === undefined ? before.email : (patch.email ?? '').trim();
  const email_opt_in = patch.email_opt_in ?? before.email_opt_in;
  const isChanged = email.toLowerCase() !== before.email.toLowerCase();
  if (email !== '' && isChanged && !(email.length <= 254 && Email.safeParse(email).success)) {
    refuse({ field: 'email', rule: 'invalid', key: 'preferences.email.invalid' });
  }
  if (email_opt_in && email === '') {
    refuse({ field: 'email', rule: 'required', key: 'preferences.email.required' });
  }
  const is_valid_email = isChanged ? null : before.is_valid_email;
  const isAskedFor = patch.email_opt_in === true || patch.email !== undefined;
  if (email_opt_in && is_valid_email === false && isAskedFor) refuse(unusableEmail);
  return { email: isChanged ? email : before.email, email_opt_in, is_valid_email };
}

export const unusableEmail: Refusal = {
  field: 'email',
  rule: 'unusable',
  key: 'preferences.email.unusable',
  detail: 'Email validation failed: the address cannot be used',
};

export const stoppedNumber: Refusal = {
  field: 'phone_sms',
  rule: 'stopped',
  key: 'preferences.sms.stopped',
  detail: 'SMS opted out',
};

function planSms(before: Preferences, patch: PreferencesPatch, refuse: Refuse) {
  const typed = planPhone('phone_sms', before.phone_sms, patch.phone_sms, refuse);
  const phone_sms = typed ?? before.phone_sms;
  const sms_opt_in = patch.sms_opt_in ?? before.sms_opt_in;
  if (sms_opt_in && typed === '') {
    refuse({ field: 'phone_sms', rule: 'required', key: 'preferences.sms.required' });
  }
  const isAsAgreed = sms_opt_in && before.sms_opt_in && phone_sms === before.phone_sms;
  // A number proves itself by its YES, each time it is opted in.
  const sms_status = isAsAgreed ? before.sms_status : sms_opt_in ? 'pending' : 'none';
  return { phone_sms, sms_opt_in, sms_status } as const;
}

function planVoice(before: Preferences, patch: PreferencesPatch, refuse: Refuse) {
  const shown = before.pending_voice || before.phone_voice;
  const typed = planPhone('phone_voice', shown, patch.phone_voice, refuse);
  const voice_opt_in = patch.voice_opt_in ?? before.voice_opt_in;
  if (voice_opt_in && typed === '') {
    refuse({ field: 'phone_voice', rule: 'required', key: 'preferences.voice.required' });
  }
  if (typed === '') return { phone_voice: '', pending_voice: '', voice_opt_in };
  if (typed === undefined) return { voice_opt_in };
  // Only a call from the number itself makes it the one that is called.
  const isProven = typed === before.phone_voice;
  return {
    phone_voice: before.phone_voice,
    pending_voice: isProven ? '' : typed,
    voice_opt_in,
  };
}

/** @returns the number as E.164, '' for none, undefined for one that is refused */
function planPhone(
  field: 'phone_sms' | 'phone_voice',
  before: string,
  typed: string | null | undefined,
  refuse: Refuse,
): string | undefined {
  if (typed === undefined) return before;
  if (typed === null || typed.trim() === '') return '';
  const phone = readPhone(typed);
  if (phone === undefined) refuse({ field, rule: 'invalid', key: 'preferences.phone.invalid' });
  return phone;
}

function planHours(before: Preferences, patch: PreferencesPatch, refuse: Refuse) {
  const hours: Partial<Record<`${Channel}_do_not_contact_${'before' | 'after'}`, string | null>> =
    {};
  for (const channel of channels) {
    const [startField, endField] = [
      `${channel}_do_not_contact_before`,
      `${channel}_do_not_contact_after`,
    ] as const;
    const start = patch[startField] === undefined ? before[startField] : patch[startField];
    const end = patch[endField] === undefined ? before[endField] : patch[endField];
    const isLimited = start !== null || end !== null;
    hours[startField] = isLimited ? (start ?? defaultHours.before) : null;
    hours[endField] = isLimited ? (end ?? defaultHours.after) : null;
    if (isLimited && hours[startField] === hours[endField]) {
      refuse({
        field: startField,
        rule: 'same',
        key: 'preferences.refused.hours',
        detail: 'Contact between times must be different',
      });
    }
  }
  return hours as Pick<Preferences, keyof typeof hours>;
}

function planLanguage(
  { language_preference: wish }: PreferencesPatch,
  { languages }: Offer,
  refuse: Refuse,
): Partial<Preferences> {
  if (wish === undefined) return {};
  if (wish === '') return { language_preference: null };
  const language = languages.find((offered) => offered === wish.toLowerCase());
  if (language) return { language_preference: language };
  const key = 'preferences.refused.validation';
  refuse({ field: 'language_preference', rule: 'unknown', key });
  return {};
}
