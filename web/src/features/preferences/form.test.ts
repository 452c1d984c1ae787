import { describe, expect, test } from 'vitest';
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import {
  changePreferences,
  createPreferences,
  isEdited,
  type PreferencesAction,
  type PreferencesState,
} from './form.ts';

const reached = buildVoterInformation({
  email: 'ida@example.com',
  email_opt_in: true,
  is_valid_email: true,
  phone_sms: '+13525550142',
  sms_opt_in: true,
  phone_voice: '+13525550143',
  voice_opt_in: true,
});

const offer = { offered: ['english', 'spanish'], page: 'english' };
const start = (voter = reached) => createPreferences(voter, offer);
const after = (state: PreferencesState, ...actions: PreferencesAction[]) =>
  actions.reduce(changePreferences, state);

describe('what the form starts with', () => {
  test('shows what the voter chose before', () => {
    expect(start().values).toEqual({
      email: 'ida@example.com',
      sms: '(352) 555-0142',
      voice: '(352) 555-0143',
      emailOptIn: true,
      smsOptIn: true,
      voiceOptIn: true,
      limitHoursOptIn: false,
      limitStart: '08:00',
      limitEnd: '20:00',
      languagePreference: 'english',
      isValidEmail: true,
    });
  });

  test.each([
    ['email', 'email_opt_in', 'emailOptIn'],
    ['texts', 'sms_opt_in', 'smsOptIn'],
    ['calls', 'voice_opt_in', 'voiceOptIn'],
  ] as const)('%s alone are on for a voter who chose them alone', (_, chosen, isOn) => {
    const none = { email_opt_in: false, sms_opt_in: false, voice_opt_in: false };
    const { emailOptIn, smsOptIn, voiceOptIn } = start({
      ...reached,
      ...none,
      [chosen]: true,
    }).values;
    expect({ emailOptIn, smsOptIn, voiceOptIn }).toEqual({
      ...{ emailOptIn: false, smsOptIn: false, voiceOptIn: false },
      [isOn]: true,
    });
  });

  test('a pending voice number wins over the voice phone', () => {
    const voter = { ...reached, pending_voice: '+13525550199' };
    expect(start(voter).values.voice).toBe('(352) 555-0199');
  });

  test.each([
    ['start', { sms_do_not_contact_before: '09:30' }, '09:30', '20:00'],
    ['end', { sms_do_not_contact_after: '18:00' }, '08:00', '18:00'],
  ])('the hours are limited when only their %s is stored for texts', (_, own, from, to) => {
    expect(start({ ...reached, ...own }).values).toMatchObject({
      limitHoursOptIn: true,
      limitStart: from,
      limitEnd: to,
    });
  });

  test('hours stored for email alone do not count as limited', () => {
    const voter = { ...reached, email_do_not_contact_before: '09:00' };
    expect(start(voter).values.limitHoursOptIn).toBe(false);
  });

  test.each([
    ['never chose a language', ''],
    ['chose a language that the office no longer offers', 'german'],
  ])("a voter who %s gets the page's", (_, language_preference) => {
    const voter = { ...reached, language_preference };
    const inSpanish = createPreferences(voter, { ...offer, page: 'spanish' });
    expect(inSpanish.values.languagePreference).toBe('spanish');
  });

  test('what the server refused before is still said', () => {
    const voter = { ...reached, validation_messages: { phone_sms: { stopped: 'It said STOP.' } } };
    expect(start(voter).refused).toEqual({ sms: ['It said STOP.'] });
  });
});

describe('typing', () => {
  test.each([
    ['email', 'emailOptIn'],
    ['sms', 'smsOptIn'],
    ['voice', 'voiceOptIn'],
  ] as const)('typing in the %s field opts in', (channel, optIn) => {
    const state = after(start(buildVoterInformation()), { type: 'edit', channel, text: '3' });
    expect(state.values).toMatchObject({ [channel]: '3', [optIn]: true });
  });

  test.each([
    ['email', 'emailOptIn'],
    ['sms', 'smsOptIn'],
    ['voice', 'voiceOptIn'],
  ] as const)('the clear button of %s empties the field and opts out', (channel, optIn) => {
    const state = after(start(), { type: 'clear', channel });
    expect(state.values).toMatchObject({ [channel]: '', [optIn]: false });
  });

  test('opting out keeps the address for another time', () => {
    const state = after(start(), { type: 'optIn', channel: 'email', isOn: false });
    expect(state.values).toMatchObject({ email: 'ida@example.com', emailOptIn: false });
  });

  test('a finished phone number is written as numbers are, an unfinished one stays as typed', () => {
    const typed = after(start(), { type: 'edit', channel: 'sms', text: '352.555.0177' });
    expect(after(typed, { type: 'touch', field: 'sms' }).values.sms).toBe('(352) 555-0177');
    const half = after(start(), { type: 'edit', channel: 'sms', text: '352.555' });
    expect(after(half, { type: 'touch', field: 'sms' }).values.sms).toBe('352.555');
  });
});

describe('an address that mail does not reach', () => {
  const bounced = { ...reached, is_valid_email: false };

  test('another address is given a chance, and the bad one typed again is bad', () => {
    const changed = after(start(bounced), {
      type: 'edit',
      channel: 'email',
      text: 'other@example.com',
    });
    expect(changed.values.isValidEmail).toBe(true);
    const back = after(changed, { type: 'edit', channel: 'email', text: ' IDA@example.com ' });
    expect(back.values.isValidEmail).toBe(false);
  });

  test('a good address typed again stays good', () => {
    const state = after(start(), { type: 'edit', channel: 'email', text: 'ida@example.com' });
    expect(state.values.isValidEmail).toBe(true);
  });
});

describe('contact hours', () => {
  const limited = {
    ...reached,
    sms_do_not_contact_before: '10:00',
    sms_do_not_contact_after: '16:30',
  };

  test('turning the limit on sets the stored hours', () => {
    const off = after(start(limited), { type: 'limitHours', isOn: false });
    expect(after(off, { type: 'limitHours', isOn: true }).values).toMatchObject({
      limitHoursOptIn: true,
      limitStart: '10:00',
      limitEnd: '16:30',
    });
  });

  test('turning the limit off resets to 08:00 and 20:00', () => {
    expect(after(start(limited), { type: 'limitHours', isOn: false }).values).toMatchObject({
      limitHoursOptIn: false,
      limitStart: '08:00',
      limitEnd: '20:00',
    });
  });

  test.each(['limitStart', 'limitEnd'] as const)('changing %s turns the limit on', (end) => {
    expect(after(start(), { type: 'limit', end, time: '12:30' }).values).toMatchObject({
      limitHoursOptIn: true,
      [end]: '12:30',
    });
  });
});

describe('what a voter has touched', () => {
  test('nothing, to begin with', () => {
    expect(start().touched.size).toBe(0);
  });

  test('a field that was edited or left, and all of them on a submit', () => {
    expect([...after(start(), { type: 'clear', channel: 'sms' }).touched]).toEqual(['sms']);
    expect([...after(start(), { type: 'touch', field: 'email' }).touched]).toEqual(['email']);
    expect(after(start(), { type: 'touchAll' }).touched.size).toBe(6);
  });

  test('editing a field takes back what the server had against it, and only that', () => {
    const state = after(
      start(),
      { type: 'refuse', messages: { phone_sms: { a: 'No.' }, email: { b: 'Nor this.' } } },
      { type: 'edit', channel: 'sms', text: '3525550100' },
    );
    expect(state.refused).toEqual({ email: ['Nor this.'] });
  });

  test('a submit takes back all that the server had against the form before', () => {
    const refused = after(start(), { type: 'refuse', messages: { email: { b: 'Nor this.' } } });
    const sent = after(refused, { type: 'submit', values: refused.values });
    expect(sent.refused).toEqual({});
  });

  test('the same words against both hours of a channel are said once', () => {
    const state = after(start(), {
      type: 'refuse',
      messages: {
        ...Object.fromEntries(
          ['sms', 'voice', 'email'].flatMap((channel) =>
            ['before', 'after'].map((end) => [
              `${channel}_do_not_contact_${end}`,
              { equal: `Invalid time ${end}` },
            ]),
          ),
        ),
      },
    });
    const limitStart = ['Invalid time before'];
    expect(state.refused).toEqual({ limitStart, limitEnd: ['Invalid time after'] });
    for (const channel of ['sms', 'voice', 'email'])
      for (const [end, field] of [
        ['before', 'limitStart'],
        ['after', 'limitEnd'],
      ] as const) {
        const messages = { [`${channel}_do_not_contact_${end}`]: { a: 'No.' } };
        expect(after(start(), { type: 'refuse', messages }).refused).toEqual({ [field]: ['No.'] });
      }
    // One hour is wrong by the other.
    expect(after(state, { type: 'limit', end: 'limitStart', time: '12:30' }).refused).toEqual({});
  });

  test.each([
    ['email', 'email'],
    ['email_opt_in', 'email'],
    ['phone_sms', 'sms'],
    ['sms_opt_in', 'sms'],
    ['phone_voice', 'voice'],
    ['voice_opt_in', 'voice'],
    ['language_preference', 'languagePreference'],
  ])('what the server has against %s stands at the field of %s', (name, field) => {
    const messages = { [name]: { a: 'No.' } };
    expect(after(start(), { type: 'refuse', messages }).refused).toEqual({ [field]: ['No.'] });
  });

  test('a save gives back what the server knows, and what was typed after it was sent', () => {
    const stored = { ...reached, email: 'new@example.com', phone_voice: '' };
    const sent = after(
      start(),
      { type: 'edit', channel: 'email', text: 'new@example.com' },
      { type: 'clear', channel: 'voice' },
    );
    const submit = { type: 'submit', values: sent.values } as const;
    const save = { type: 'saved', voter: stored } as const;
    expect(after(sent, submit, save)).toEqual(start(stored));
    const later = after(sent, submit, { type: 'edit', channel: 'sms', text: '850' }, save);
    expect(later.values).toEqual({ ...start(stored).values, sms: '850' });
    expect(later.touched).toContain('sms');
    expect(isEdited(later)).toBe(true);
    // The next save has these alone to send.
    expect(after(later, { type: 'submit', values: later.values }, save)).toEqual(start(stored));
  });

  test('a save of another page leaves what is typed here', () => {
    const proven = { ...reached, is_valid_email: true };
    const typed = after(start({ ...reached, is_valid_email: null }), {
      ...{ type: 'edit', channel: 'sms', text: '850' },
    });
    const saved = after(typed, { type: 'saved', voter: proven });
    expect(saved.values).toEqual({ ...start(proven).values, sms: '850', smsOptIn: true });
    expect(isEdited(saved)).toBe(true);
    // What was refused is still only typed.
    const refused = after(
      typed,
      { type: 'submit', values: typed.values },
      { type: 'refuse', messages: {} },
    );
    expect(after(refused, { type: 'saved', voter: proven }).values).toEqual(saved.values);
  });

  test('a reset gives back what the server knows', () => {
    const state = after(
      start(),
      { type: 'clear', channel: 'email' },
      { type: 'reset', voter: reached },
    );
    expect(state).toEqual(start());
  });
});

test('leaving is worth a warning only after an edit', () => {
  expect(isEdited(start())).toBe(false);
  expect(isEdited(after(start(), { type: 'touch', field: 'sms' }))).toBe(false);
  expect(isEdited(after(start(), { type: 'clear', channel: 'sms' }))).toBe(true);
  // Typed anew as it was, an address that has not proved itself is no change.
  const unproven = start({ ...reached, is_valid_email: null });
  const type = (text: string) => ({ type: 'edit', channel: 'email', text }) as const;
  expect(isEdited(after(unproven, type('ida@example.co')))).toBe(true);
  expect(isEdited(after(unproven, type('ida@example.co'), type('ida@example.com')))).toBe(false);
});
