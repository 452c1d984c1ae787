import type { TextValues } from '@ballot-beacon/contract/translate';
import {
  type PreferencesField,
  type PreferencesState,
  type PreferencesValues,
  preferencesFields,
} from './form.ts';
import { readPhone } from './phones.ts';

/** A key of the texts, or the server's own words. */
export type FieldError =
  | { readonly key: string; readonly values?: TextValues }
  | { readonly text: string };

export type FieldErrors = Readonly<Partial<Record<PreferencesField, readonly FieldError[]>>>;

const errorsPerField = 3;
const exampleEmail = 'name@example.com';
const examplePhone = '(352) 555-0100';

/** One at sign, no spaces, a domain with a dot; whether mail arrives there only a mail can tell. */
const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const emailMaximumLength = 254;
const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/;

/** All that stands against sending the form (product spec §5, Preferences). */
export function findErrors(values: PreferencesValues): FieldErrors {
  return keepFilled({
    email: emailErrors(values),
    sms: phoneErrors(values.sms, values.smsOptIn, 'preferences.sms.required'),
    voice: phoneErrors(values.voice, values.voiceOptIn, 'preferences.voice.required'),
    limitStart: hourErrors(values.limitStart),
    limitEnd: hourErrors(values.limitEnd),
  });
}

/** What to show: errors of touched fields and what the server refused, three to a field at most. */
export function shownErrors({ values, touched, refused }: PreferencesState): FieldErrors {
  const own = findErrors(values);
  return keepFilled(
    Object.fromEntries(
      preferencesFields.map((field) => [
        field,
        [
          ...(touched.has(field) ? (own[field] ?? []) : []),
          ...(refused[field] ?? []).map((text) => ({ text })),
        ].slice(0, errorsPerField),
      ]),
    ),
  );
}

function emailErrors({ email, emailOptIn, isValidEmail }: PreferencesValues): FieldError[] {
  const address = email.trim();
  if (address === '') return emailOptIn ? [{ key: 'preferences.email.required' }] : [];
  const errors: FieldError[] = [];
  if (!emailPattern.test(address) || address.length > emailMaximumLength)
    errors.push({ key: 'preferences.email.invalid', values: { email: exampleEmail } });
  if (emailOptIn && isValidEmail === false) errors.push({ key: 'preferences.email.unusable' });
  return errors;
}

function phoneErrors(number: string, isOptedIn: boolean, requiredKey: string): FieldError[] {
  if (number.trim() === '') return isOptedIn ? [{ key: requiredKey }] : [];
  return readPhone(number)
    ? []
    : [{ key: 'preferences.phone.invalid', values: { phone: examplePhone } }];
}

function hourErrors(time: string): FieldError[] {
  return clockPattern.test(time) ? [] : [{ key: 'preferences.hours.invalid' }];
}

function keepFilled(errors: Partial<Record<PreferencesField, readonly FieldError[]>>): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([, list]) => list.length > 0));
}
