import { describe, expect, test } from 'vitest';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { createPreferences, type PreferencesValues } from './form.ts';
import { findChanges, optOutOfAll, settleHours } from './patch.ts';

const voter = buildVoterInformation({
  email: 'ida@example.com',
  email_opt_in: true,
  phone_sms: '+13525550142',
  sms_opt_in: true,
  phone_voice: '+13525550143',
  language_preference: 'spanish',
});

const offer = { offered: ['english', 'spanish'], page: 'english' };
const patchWith = (own: Partial<PreferencesValues>, of = voter) =>
  findChanges({ ...createPreferences(of, offer).values, ...own }, of);

describe('what a save sends', () => {
  test('the language preference, even when nothing changed', () => {
    expect(patchWith({})).toEqual({ language_preference: 'spanish' });
  });

  test('only what changed', () => {
    expect(patchWith({ email: ' new@example.com ', smsOptIn: false })).toEqual({
      email: 'new@example.com',
      sms_opt_in: false,
      language_preference: 'spanish',
    });
  });

  test('a number written another way is no change', () => {
    expect(patchWith({ sms: '352.555.0142' })).toEqual({ language_preference: 'spanish' });
  });

  test('a number as its ten digits', () => {
    expect(patchWith({ sms: '(352) 555-0177' })).toMatchObject({ phone_sms: '3525550177' });
  });

  test('an emptied field as an empty text', () => {
    expect(patchWith({ email: '', emailOptIn: false, sms: '', smsOptIn: false })).toEqual({
      email: '',
      email_opt_in: false,
      phone_sms: '',
      sms_opt_in: false,
      language_preference: 'spanish',
    });
  });

  test('nothing of a voice number that already waits to be confirmed', () => {
    const pending = { ...voter, pending_voice: '+13525550199', voice_opt_in: true };
    expect(patchWith({}, pending)).toEqual({ language_preference: 'spanish' });
    expect(patchWith({ voice: '(352) 555-0143' }, pending)).toMatchObject({
      phone_voice: '3525550143',
    });
  });
});

describe('contact hours', () => {
  const limited = {
    ...voter,
    email_do_not_contact_before: '09:00',
    email_do_not_contact_after: '17:00',
    sms_do_not_contact_before: '09:00',
    sms_do_not_contact_after: '17:00',
    voice_do_not_contact_before: '09:00',
    voice_do_not_contact_after: '17:00',
  };

  test('without a limit the hours are sent as null', () => {
    expect(patchWith({ limitHoursOptIn: false }, limited)).toEqual({
      email_do_not_contact_before: null,
      email_do_not_contact_after: null,
      sms_do_not_contact_before: null,
      sms_do_not_contact_after: null,
      voice_do_not_contact_before: null,
      voice_do_not_contact_after: null,
      language_preference: 'spanish',
    });
  });

  test('a limit goes to texts, calls and email alike', () => {
    expect(
      patchWith({ limitHoursOptIn: true, limitStart: '09:30', limitEnd: '17:00' }, limited),
    ).toEqual({
      email_do_not_contact_before: '09:30',
      sms_do_not_contact_before: '09:30',
      voice_do_not_contact_before: '09:30',
      language_preference: 'spanish',
    });
  });

  test('with a limit and no hours stored they are 08:00 and 20:00', () => {
    expect(patchWith({ limitHoursOptIn: true })).toEqual({
      email_do_not_contact_before: '08:00',
      email_do_not_contact_after: '20:00',
      sms_do_not_contact_before: '08:00',
      sms_do_not_contact_after: '20:00',
      voice_do_not_contact_before: '08:00',
      voice_do_not_contact_after: '20:00',
      language_preference: 'spanish',
    });
  });

  test('equal hours become 08:00 to 20:00', () => {
    const { values } = createPreferences(voter, offer);
    const equal = { ...values, limitHoursOptIn: true, limitStart: '14:00', limitEnd: '14:00' };
    expect(settleHours(equal)).toMatchObject({ limitStart: '08:00', limitEnd: '20:00' });
    const overnight = { ...equal, limitStart: '20:00', limitEnd: '08:00' };
    expect(settleHours(overnight)).toBe(overnight);
    const unused = { ...equal, limitHoursOptIn: false };
    expect(settleHours(unused)).toBe(unused);
  });
});

test('opting out of all sends three refusals and empties email and both phones', () => {
  expect(optOutOfAll('english')).toEqual({
    email_opt_in: false,
    sms_opt_in: false,
    voice_opt_in: false,
    email: '',
    phone_sms: '',
    phone_voice: '',
    language_preference: 'english',
  });
});
