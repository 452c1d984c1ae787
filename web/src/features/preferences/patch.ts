import type { PreferencesPatch, VoterInformation } from '@ballot-beacon/contract/voter-information';
import { defaultLimits, type PreferencesValues } from './form.ts';
import { readPhone } from './phones.ts';

/** Contact hours that start when they end allow nothing: they become the usual ones (product spec §5). */
export function settleHours(values: PreferencesValues): PreferencesValues {
  const isEqual = values.limitHoursOptIn && values.limitStart === values.limitEnd;
  return isEqual ? { ...values, ...defaultLimits } : values;
}

/**
 * What a save sends: the fields that differ from the voter's own, and always the language (product spec §4, Form
 * behaviors). Expects values without errors.
 */
export function findChanges(values: PreferencesValues, voter: VoterInformation): PreferencesPatch {
  const before = values.limitHoursOptIn ? values.limitStart || defaultLimits.limitStart : null;
  const after = values.limitHoursOptIn ? values.limitEnd || defaultLimits.limitEnd : null;
  const wanted: PreferencesPatch = {
    email: values.email.trim(),
    phone_sms: readPhone(values.sms) ?? '',
    phone_voice: readPhone(values.voice) ?? '',
    email_opt_in: values.emailOptIn,
    sms_opt_in: values.smsOptIn,
    voice_opt_in: values.voiceOptIn,
    email_do_not_contact_before: before,
    email_do_not_contact_after: after,
    sms_do_not_contact_before: before,
    sms_do_not_contact_after: after,
    voice_do_not_contact_before: before,
    voice_do_not_contact_after: after,
  };
  const stored: PreferencesPatch = {
    ...voter,
    phone_sms: readPhone(voter.phone_sms) ?? '',
    phone_voice: readPhone(voter.pending_voice || voter.phone_voice) ?? '',
  };
  const changed = (Object.keys(wanted) as (keyof PreferencesPatch)[]).filter(
    (name) => wanted[name] !== stored[name],
  );
  return {
    ...Object.fromEntries(changed.map((name) => [name, wanted[name]])),
    language_preference: values.languagePreference,
  };
}

/** What "opt out of all updates" sends (product spec §2, Modals). Any save confirms the voter, so nothing says it. */
export function optOutOfAll(languagePreference: string): PreferencesPatch {
  return {
    email_opt_in: false,
    sms_opt_in: false,
    voice_opt_in: false,
    email: '',
    phone_sms: '',
    phone_voice: '',
    language_preference: languagePreference,
  };
}
