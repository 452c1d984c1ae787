import { createTranslate } from '@ballot-beacon/contract/translate';
import { describe, expect, test } from 'vitest';
import texts from '../../../../locales/english/main.json' with { type: 'json' };
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { type FieldError, findErrors, shownErrors } from './errors.ts';
import { changePreferences, createPreferences, type PreferencesValues } from './form.ts';

const t = createTranslate('english', texts);
const say = (errors: readonly FieldError[] | undefined) =>
  (errors ?? []).map((error) => ('text' in error ? error.text : t(error.key, error.values)));
const fresh = createPreferences(buildVoterInformation(), {
  offered: ['english'],
  page: 'english',
});
const errorsWith = (own: Partial<PreferencesValues>) => findErrors({ ...fresh.values, ...own });

describe('email', () => {
  test.each([
    'ida',
    'ida@',
    'ida@example',
    '@example.com',
    'ida@ex ample.com',
    'a@b@c.com',
    'a@b..c',
  ])('"%s" is no address', (email) => {
    expect(say(errorsWith({ email }).email)).toEqual([
      'Invalid email. (Example: name@example.com)',
    ]);
  });

  test.each(['ida@example.com', ' ida+ballot@mail.example.org ', "o'brien@example.co"])(
    '"%s" is an address',
    (email) => {
      expect(errorsWith({ email, emailOptIn: true, isValidEmail: true })).toEqual({});
    },
  );

  test('opting in without an address says what to do', () => {
    expect(say(errorsWith({ emailOptIn: true }).email)).toEqual([
      "You've chosen to be contacted via Email. Please enter an email address or click X to opt out.",
    ]);
  });

  test.each([254, 255])('an address of %i characters is checked for its length', (length) => {
    const email = `${'a'.repeat(length - '@example.com'.length)}@example.com`;
    expect('email' in errorsWith({ email })).toBe(length > 254);
  });

  test('an address that cannot be used says so until the voter opts out or changes it', () => {
    const bad = { email: 'ida@example.com', emailOptIn: true, isValidEmail: false };
    expect(say(errorsWith(bad).email)).toEqual([
      'Provided email address cannot be used to receive emails because it is invalid, has unsubscribed, or marked the message as spam. Please change email address or uncheck opt-in.',
    ]);
    expect(errorsWith({ ...bad, emailOptIn: false })).toEqual({});
  });
});

describe.each([
  ['sms', 'smsOptIn', 'Text'],
  ['voice', 'voiceOptIn', 'Voice'],
] as const)('%s', (field, optIn, name) => {
  test.each(['352555014', '35255501422', '352-555-CALL', 'abcdefghij', '23525550142'])(
    '"%s" is no US number',
    (number) => {
      expect(say(errorsWith({ [field]: number })[field])).toEqual([
        'Invalid phone number. (Example: (352) 555-0100)',
      ]);
    },
  );

  // Whether a number exists, as none does that begins with a 1, is for the server to say.
  test.each([
    ...['3525550142', '(352) 555-0142', '+1 352.555.0142', '１３５２５５５０１４２', '1525550142'],
    // In the digits of an Arabic, a Bengali and a Thai keyboard.
    ...['٣٥٢ ٥٥٥-٠١٤٢', '৩৫২৫৫৫০১৪২', '๓๕๒๕๕๕๐๑๔๒'],
  ])('"%s" is a US number', (number) => {
    expect(errorsWith({ [field]: number, [optIn]: true })).toEqual({});
  });

  test('opting in without a number says what to do', () => {
    expect(say(errorsWith({ [optIn]: true })[field])).toEqual([
      `You've chosen to be contacted via ${name}. Please enter a phone number or click X to opt out.`,
    ]);
  });
});

test.each(['limitStart', 'limitEnd'] as const)('%s must be HH:mm', (end) => {
  for (const time of ['00:00', '08:30', '23:59']) expect(errorsWith({ [end]: time })).toEqual({});
  for (const time of ['', '8:30', '24:00', '12:60', '8 AM'])
    expect(say(errorsWith({ [end]: time })[end])).toEqual(['Choose a time from the list.']);
});

describe('what is shown', () => {
  test('errors appear only once a field is touched', () => {
    const optedIn = { ...fresh, values: { ...fresh.values, emailOptIn: true, smsOptIn: true } };
    expect(shownErrors(optedIn)).toEqual({});
    const left = changePreferences(optedIn, { type: 'touch', field: 'sms' });
    expect(Object.keys(shownErrors(left))).toEqual(['sms']);
  });

  test('at most three errors are shown per field', () => {
    const state = {
      ...fresh,
      values: { ...fresh.values, email: 'ida@', emailOptIn: true, isValidEmail: false },
      touched: new Set(['email'] as const),
      refused: { email: ['One.', 'Two.', 'Three.'] },
    };
    expect(say(shownErrors(state).email)).toHaveLength(3);
    expect(say(shownErrors(state).email)[2]).toBe('One.');
  });

  test("the server's words are shown as they are", () => {
    const state = { ...fresh, refused: { sms: ['This number was stopped.'] } };
    expect(say(shownErrors(state).sms)).toEqual(['This number was stopped.']);
  });
});
