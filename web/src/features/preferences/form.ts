import type { Channel } from '@ballot-beacon/contract/messages';
import type { ValidationMessages } from '@ballot-beacon/contract/problem';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { formatPhone } from '../../shell/support-notice.tsx';
import { readPhone } from './phones.ts';

/** The contents of the preferences form (product spec §3, Preferences form). */
export interface PreferencesValues {
  readonly email: string;
  readonly sms: string;
  /** The number a voter still has to confirm wins over the one in use. */
  readonly voice: string;
  readonly limitStart: string;
  readonly limitEnd: string;
  readonly emailOptIn: boolean;
  readonly smsOptIn: boolean;
  readonly voiceOptIn: boolean;
  readonly limitHoursOptIn: boolean;
  readonly languagePreference: string;
  /** null: not yet known; false: mail to the address in the field does not arrive. */
  readonly isValidEmail: boolean | null;
}

export type PreferencesField = Channel | 'limitStart' | 'limitEnd' | 'languagePreference';
export const preferencesFields: readonly PreferencesField[] = [
  'email',
  'sms',
  'voice',
  'limitStart',
  'limitEnd',
  'languagePreference',
];

export interface PreferencesState {
  readonly values: PreferencesValues;
  /** The voter's data as the server last sent it; changes are compared with it. */
  readonly voter: VoterInformation;
  readonly offer: LanguageOffer;
  readonly touched: ReadonlySet<PreferencesField>;
  /** What the server had against each field, until the voter edits it. */
  readonly refused: Readonly<Partial<Record<PreferencesField, readonly string[]>>>;
  /** What this form's last save sent; what differs was typed after it. */
  readonly submitted?: PreferencesValues;
}

export type PreferencesAction =
  | { type: 'edit'; channel: Channel; text: string }
  | { type: 'clear'; channel: Channel }
  | { type: 'optIn'; channel: Channel; isOn: boolean }
  | { type: 'limitHours'; isOn: boolean }
  | { type: 'limit'; end: 'limitStart' | 'limitEnd'; time: string }
  | { type: 'language'; language: string }
  | { type: 'touch'; field: PreferencesField }
  | { type: 'submit'; values: PreferencesValues }
  | { type: 'touchAll' }
  | { type: 'refuse'; messages: ValidationMessages }
  | { type: 'saved'; voter: VoterInformation }
  | { type: 'reset'; voter: VoterInformation };

export const defaultLimits = { limitStart: '08:00', limitEnd: '20:00' } as const;

const optInOf = { email: 'emailOptIn', sms: 'smsOptIn', voice: 'voiceOptIn' } as const;

/** The languages an office offers, and the page's own: what a voter gets who chose none of them. */
export interface LanguageOffer {
  readonly offered: readonly string[];
  readonly page: string;
}

export function createPreferences(voter: VoterInformation, offer: LanguageOffer): PreferencesState {
  return {
    values: readValues(voter, offer),
    voter,
    offer,
    touched: new Set(),
    refused: readRefused(voter.validation_messages ?? {}),
  };
}

/** One step of the form: product spec §4, Form behaviors. */
export function changePreferences(
  state: PreferencesState,
  action: PreferencesAction,
): PreferencesState {
  const { values, voter } = state;
  switch (action.type) {
    case 'edit': {
      const { channel, text } = action;
      const edited = { ...values, [channel]: text, [optInOf[channel]]: true };
      return change(
        state,
        channel === 'email' ? { ...edited, isValidEmail: !isKnownBad(voter, text) } : edited,
        channel,
      );
    }
    case 'clear':
      return change(
        state,
        { ...values, [action.channel]: '', [optInOf[action.channel]]: false },
        action.channel,
      );
    case 'optIn':
      return change(state, { ...values, [optInOf[action.channel]]: action.isOn }, action.channel);
    case 'limitHours':
      return change(
        state,
        {
          ...values,
          ...(action.isOn ? storedLimits(voter) : defaultLimits),
          limitHoursOptIn: action.isOn,
        },
        'limitStart',
        'limitEnd',
      );
    case 'limit':
      return change(
        state,
        { ...values, [action.end]: action.time, limitHoursOptIn: true },
        'limitStart',
        'limitEnd',
      );
    case 'language':
      return change(
        state,
        { ...values, languagePreference: action.language },
        'languagePreference',
      );
    case 'touch':
      return { ...touch(state, [action.field]), values: tidy(values, action.field) };
    case 'touchAll':
      return touch(state, preferencesFields);
    case 'submit':
      return {
        ...touch(state, preferencesFields),
        ...{ values: action.values, submitted: action.values, refused: {} },
      };
    case 'refuse': {
      const { submitted: _, ...rest } = state;
      return { ...rest, refused: readRefused(action.messages) };
    }
    case 'saved':
      return keepLaterEdits(createPreferences(action.voter, state.offer), state);
    case 'reset':
      return createPreferences(action.voter, state.offer);
  }
}

/** Whether leaving the page would lose something. */
export function isEdited({ values, voter, offer }: PreferencesState): boolean {
  const stored = readValues(voter, offer);
  return (Object.keys(stored) as (keyof PreferencesValues)[]).some(
    (name) => name !== 'isValidEmail' && stored[name] !== values[name],
  );
}

function readValues(voter: VoterInformation, offer: LanguageOffer): PreferencesValues {
  return {
    email: voter.email,
    sms: formatPhone(voter.phone_sms),
    voice: formatPhone(voter.pending_voice || voter.phone_voice),
    ...storedLimits(voter),
    emailOptIn: voter.email_opt_in,
    smsOptIn: voter.sms_opt_in,
    voiceOptIn: voter.voice_opt_in,
    limitHoursOptIn:
      voter.sms_do_not_contact_before !== null || voter.sms_do_not_contact_after !== null,
    languagePreference: offer.offered.includes(voter.language_preference)
      ? voter.language_preference
      : offer.page,
    isValidEmail: voter.is_valid_email,
  };
}

function storedLimits(voter: VoterInformation) {
  return {
    limitStart: voter.sms_do_not_contact_before ?? defaultLimits.limitStart,
    limitEnd: voter.sms_do_not_contact_after ?? defaultLimits.limitEnd,
  };
}

function isKnownBad(voter: VoterInformation, email: string): boolean {
  const isStored = email.trim().toLowerCase() === voter.email.toLowerCase();
  return isStored && voter.is_valid_email === false;
}

/** The form after a save, also one of another page, with what was typed while it was under way. */
function keepLaterEdits(saved: PreferencesState, before: PreferencesState): PreferencesState {
  const { values, submitted = readValues(before.voter, before.offer) } = before;
  const names = Object.keys(values) as (keyof PreferencesValues)[];
  const later = names.filter((name) => values[name] !== submitted[name]);
  if (later.length === 0) return saved;
  const typed = Object.fromEntries(later.map((name) => [name, values[name]]));
  return { ...saved, values: { ...saved.values, ...typed }, touched: before.touched };
}

/** Writes a finished phone number the way numbers are shown everywhere. */
function tidy(values: PreferencesValues, field: PreferencesField): PreferencesValues {
  if (field !== 'sms' && field !== 'voice') return values;
  const digits = readPhone(values[field]);
  return digits ? { ...values, [field]: formatPhone(digits) } : values;
}

function change(
  state: PreferencesState,
  values: PreferencesValues,
  ...fields: readonly PreferencesField[]
): PreferencesState {
  const refused = { ...state.refused };
  for (const field of fields) delete refused[field];
  return { ...touch(state, fields), values, refused };
}

function touch(state: PreferencesState, fields: readonly PreferencesField[]): PreferencesState {
  return { ...state, touched: new Set([...state.touched, ...fields]) };
}

const fieldOfServer: Readonly<Record<string, PreferencesField>> = {
  email: 'email',
  email_opt_in: 'email',
  phone_sms: 'sms',
  sms_opt_in: 'sms',
  phone_voice: 'voice',
  voice_opt_in: 'voice',
  sms_do_not_contact_before: 'limitStart',
  voice_do_not_contact_before: 'limitStart',
  email_do_not_contact_before: 'limitStart',
  sms_do_not_contact_after: 'limitEnd',
  voice_do_not_contact_after: 'limitEnd',
  email_do_not_contact_after: 'limitEnd',
  language_preference: 'languagePreference',
};

function readRefused(messages: ValidationMessages): PreferencesState['refused'] {
  const refused: Partial<Record<PreferencesField, readonly string[]>> = {};
  for (const [name, byRule] of Object.entries(messages)) {
    const field = fieldOfServer[name];
    if (!field) continue;
    refused[field] = [...new Set([...(refused[field] ?? []), ...Object.values(byRule)])];
  }
  return refused;
}
