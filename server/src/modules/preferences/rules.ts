import type { Language } from '@ballot-beacon/contract/languages';
import { type Channel, channels } from '@ballot-beacon/contract/messages';
import type { PreferencesPatch } from '@ballot-beacon/contract/voter-information';
import * as z from 'zod/mini';
import { type ContactChannel, type Contacts, normalizeAddress } from '../contacts/index.ts';
import { readPhone } from './phone.ts';

/** A reason why a save is refused. */
export interface Refusal {
  /** The server's name of the field (product spec §3). */
  readonly field: keyof PreferencesPatch;
  readonly rule: string;
  /** Of locales/, main.json. */
  readonly key: string;
  /** The detail of the whole answer, where the specification has a special one. */
  readonly detail?: string;
}

export type Plan =
  | { readonly ok: true; readonly after: Contacts }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export interface Offer {
  readonly languages: readonly Language[];
  readonly channels: readonly Channel[];
}

const defaultHours = { start: '08:00', end: '20:00' } as const;
const Email = z.email();

/** Whether this is an address that mail can go to. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && Email.safeParse(text).success;
}

/**
 * The contacts after a save, or everything that is wrong with it (product spec §5, decisions, Preferences and
 * consent). A new address or number always starts as unconfirmed.
 */
export function planSave(before: Contacts, patch: PreferencesPatch, offer: Offer): Plan {
  const refusals: Refusal[] = [];
  const refuse = (refusal: Refusal) => void refusals.push(refusal);
  const plans = {
    email: planEmail(before.channels.email, patch, refuse),
    sms: planSms(before.channels.sms, patch, refuse),
    voice: planVoice(before.channels.voice, patch, refuse),
  };
  const withHours = (channel: Channel): ContactChannel => ({
    ...plans[channel],
    ...planHours(channel, before.channels[channel], patch, refuse),
  });
  const after: Contacts = {
    channels: { email: withHours('email'), sms: withHours('sms'), voice: withHours('voice') },
    language: planLanguage(before.language, patch, offer, refuse),
    isConfirmed: true,
  };
  for (const channel of channels) {
    const isNew = after.channels[channel].isOptedIn && !before.channels[channel].isOptedIn;
    if (!isNew || offer.channels.includes(channel)) continue;
    const key = 'preferences.refused.validation';
    refuse({ field: `${channel}_opt_in`, rule: 'notOffered', key });
  }
  return refusals.length > 0 ? { ok: false, refusals } : { ok: true, after };
}

/** The addresses a save would start writing to, for which a stop may be on record; empty for none. */
export function findNewlyUsed(before: Contacts, after: Contacts): { sms: string; email: string } {
  const newOf = (channel: 'sms' | 'email'): string => {
    const [was, is] = [before.channels[channel], after.channels[channel]];
    const isSame = was.isOptedIn && normalizeAddress(was.address) === normalizeAddress(is.address);
    return is.isOptedIn && !isSame ? normalizeAddress(is.address) : '';
  };
  return { sms: newOf('sms'), email: newOf('email') };
}

/** Whether a save sends a voter's messages elsewhere, or ends them, on any channel. */
export function hasMoved(before: Contacts, after: Contacts): boolean {
  return channels.some((channel) => {
    const [was, is] = [before.channels[channel], after.channels[channel]];
    return (
      was.isOptedIn !== is.isOptedIn ||
      was.pendingAddress !== is.pendingAddress ||
      normalizeAddress(was.address) !== normalizeAddress(is.address)
    );
  });
}

type Refuse = (refusal: Refusal) => void;

function planEmail(
  before: ContactChannel,
  patch: PreferencesPatch,
  refuse: Refuse,
): ContactChannel {
  const typed = patch.email === undefined ? before.address : (patch.email ?? '').trim();
  const isOptedIn = patch.email_opt_in ?? before.isOptedIn;
  const isChanged = normalizeAddress(typed) !== normalizeAddress(before.address);
  if (typed !== '' && isChanged && !isEmail(typed)) {
    refuse({ field: 'email', rule: 'invalid', key: 'preferences.email.invalid' });
  }
  if (isOptedIn && typed === '') {
    refuse({ field: 'email', rule: 'required', key: 'preferences.email.required' });
  }
  const status = isChanged ? 'unproven' : before.status;
  const isAskedFor = patch.email_opt_in === true || patch.email !== undefined;
  if (isOptedIn && status === 'unusable' && isAskedFor) refuse(unusableEmail);
  return { ...before, address: isChanged ? typed : before.address, isOptedIn, status };
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

function planSms(before: ContactChannel, patch: PreferencesPatch, refuse: Refuse): ContactChannel {
  const typed = planPhone('phone_sms', before.address, patch.phone_sms, refuse);
  const address = typed ?? before.address;
  const isOptedIn = patch.sms_opt_in ?? before.isOptedIn;
  if (isOptedIn && typed === '') {
    refuse({ field: 'phone_sms', rule: 'required', key: 'preferences.sms.required' });
  }
  const isSameNumber = address === before.address;
  // A number is confirmed by its YES, each time it is opted in.
  const isAsAgreed = isSameNumber && isOptedIn && before.isOptedIn;
  const isStillStopped = isSameNumber && !isOptedIn && before.status === 'stopped';
  const status = isAsAgreed || isStillStopped ? before.status : 'unproven';
  return { ...before, address, isOptedIn, status };
}

function planVoice(
  before: ContactChannel,
  patch: PreferencesPatch,
  refuse: Refuse,
): ContactChannel {
  const shown = before.pendingAddress || before.address;
  const typed = planPhone('phone_voice', shown, patch.phone_voice, refuse);
  const isOptedIn = patch.voice_opt_in ?? before.isOptedIn;
  if (isOptedIn && typed === '') {
    refuse({ field: 'phone_voice', rule: 'required', key: 'preferences.voice.required' });
  }
  if (typed === undefined) return { ...before, isOptedIn };
  if (typed === '')
    return { ...before, address: '', pendingAddress: '', isOptedIn, status: 'unproven' };
  // Only a call from the number itself confirms it; a stopped number must call again.
  const isProven = typed === before.address && (before.status === 'proven' || !isOptedIn);
  return { ...before, pendingAddress: isProven ? '' : typed, isOptedIn };
}

/** @returns the number as E.164, '' for no number, undefined for a refused number */
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

function planHours(
  channel: Channel,
  before: ContactChannel,
  patch: PreferencesPatch,
  refuse: Refuse,
): Pick<ContactChannel, 'start' | 'end'> {
  const startField = `${channel}_do_not_contact_before` as const;
  const endField = `${channel}_do_not_contact_after` as const;
  const start = patch[startField] === undefined ? before.start : patch[startField];
  const end = patch[endField] === undefined ? before.end : patch[endField];
  if (start === null && end === null) return { start, end };
  const hours = { start: start ?? defaultHours.start, end: end ?? defaultHours.end };
  if (hours.start === hours.end) {
    refuse({
      field: startField,
      rule: 'same',
      key: 'preferences.refused.hours',
      detail: 'Contact between times must be different',
    });
  }
  return hours;
}

function planLanguage(
  before: string | null,
  { language_preference: wish }: PreferencesPatch,
  { languages }: Offer,
  refuse: Refuse,
): string | null {
  if (wish === undefined) return before;
  if (wish === '') return null;
  const language = languages.find((offered) => offered === wish.toLowerCase());
  if (language) return language;
  const key = 'preferences.refused.validation';
  refuse({ field: 'language_preference', rule: 'unknown', key });
  return before;
}
