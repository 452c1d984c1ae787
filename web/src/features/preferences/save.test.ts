import type { Problem } from '@ballot-beacon/contract/problem';
import { createTranslate } from '@ballot-beacon/contract/translate';
import type { VoterInformation } from '@ballot-beacon/contract/voter-information';
import { describe, expect, test, vi } from 'vitest';
import texts from '../../../../locales/english/main.json' with { type: 'json' };
import { buildVoterInformation } from '../../../../testing/voter-information.ts';
import { type Alert, wordsOf } from '../../shell/alerts.ts';
import type { SaveOutcome } from './preferences.machine.ts';
import { alertsOfSave, readTrouble } from './save.ts';

const t = createTranslate('english', texts);
const office = {
  ...{ short_code: '41575', from_voice: '+13525550100' },
  offered: new Set(['email', 'sms', 'voice']),
};
const say = (alerts: readonly Alert[]) =>
  alerts.map(({ type, messages }) => [type, ...messages.map((message) => wordsOf(message, t))]);
const saidAfter = (own: Partial<VoterInformation>, of = office, isFirst = false) =>
  say(alertsOfSave(buildVoterInformation(own), of, isFirst, (when) => when.slice(11, 16)));
const alertsIn = (outcome: SaveOutcome) => ('alerts' in outcome ? outcome.alerts : []);
const refused = (problem: Partial<Problem>, retryAfter: number | null = null) =>
  readTrouble({
    kind: 'refused',
    retryAfter,
    problem: {
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Failed Validation',
      ...problem,
    },
  });

const done = ['success', 'Your information has been updated.'];
const header = 'To ensure you receive updates in a timely manner, please check the following:';

describe('after a save', () => {
  test('says that the information has been updated', () => {
    const voter = { email: 'ida@example.com', email_opt_in: true, is_valid_email: true };
    expect(saidAfter(voter)).toEqual([done]);
  });

  test('says so when everything is opted out', () => {
    expect(saidAfter({})).toEqual([
      done,
      ['notice', 'You have chosen to opt-out of all notifications.'],
    ]);
  });

  test('says at the first one alone where alerts can be added later, if none are on', () => {
    const notice = [
      'notice',
      'You have chosen to opt-out of all notifications.',
      'No alerts are on. You can add them any time under Alerts.',
    ];
    expect(saidAfter({}, office, true)).toEqual([done, notice]);
    const voter = { email: 'ida@example.com', email_opt_in: true, is_valid_email: true };
    expect(saidAfter(voter, office, true)).toEqual([done]);
  });

  test('counts only the ways that the office offers', () => {
    const unconfirmed = { email: 'ida@example.com', email_opt_in: true, is_valid_email: null };
    expect(saidAfter(unconfirmed, { ...office, offered: new Set(['sms']) })).toEqual([
      done,
      ['notice', 'You have chosen to opt-out of all notifications.'],
    ]);
  });

  test('asks for a YES while texts await activation', () => {
    const said = saidAfter({ phone_sms: '+13525550142', sms_opt_in: true, sms_status: 'pending' });
    expect(said[1]?.slice(0, 2)).toEqual(['notice', header]);
    expect(said[1]?.[2]).toContain('YES');
    expect(said[1]?.[2]).toContain('41575');
  });

  test('mentions the welcome email and the spam folder while the address is unconfirmed', () => {
    const unusable = { email: 'ida@example.com', email_opt_in: true, is_valid_email: false };
    expect(saidAfter(unusable)).toEqual([done]);
    const said = saidAfter({ email: 'ida@example.com', email_opt_in: true, is_valid_email: null });
    expect(said[1]?.[2]).toContain('welcome email');
    expect(said[1]?.[2]).toContain('spam');
  });

  test('asks to call the from-voice number while a voice number is pending', () => {
    const said = saidAfter({ pending_voice: '+13525550142', voice_opt_in: true });
    expect(said[1]?.[2]).toContain('(352) 555-0100');
    const emailed = { email: 'ida@example.com', email_opt_in: true, is_valid_email: true };
    expect(saidAfter({ ...emailed, pending_voice: '+13525550142' })).toEqual([done]);
    expect(saidAfter({ phone_voice: '+13525550142', voice_opt_in: true })).toEqual([done]);
  });

  test('says when a question that waits for the voter’s hours comes', () => {
    const waiting = { deliver_after: '2026-10-05T14:00:00Z' };
    const said = saidAfter({
      email: 'ida@example.com',
      email_opt_in: true,
      phone_sms: '+13525550142',
      sms_opt_in: true,
      sms_status: 'pending',
      requests: [
        { channel: 'email', ...waiting },
        { channel: 'sms', ...waiting },
      ],
    });
    expect(said[1]?.[3]).toBe("We'll text you at 14:00.");
    expect(said[1]?.[5]).toBe("We'll email you at 14:00.");
    const mailed = { email: 'ida@example.com', email_opt_in: true };
    const requests = [{ channel: 'sms' as const, ...waiting }];
    expect(saidAfter({ ...mailed, is_valid_email: null, requests })[1]).toHaveLength(3);
  });

  test('puts all that is left to do under one header', () => {
    const said = saidAfter({
      email: 'ida@example.com',
      email_opt_in: true,
      phone_sms: '+13525550142',
      sms_opt_in: true,
      sms_status: 'pending',
      pending_voice: '+13525550142',
      voice_opt_in: true,
    });
    expect(said).toHaveLength(2);
    expect(said[1]).toHaveLength(5);
  });
});

describe('a save that is refused', () => {
  test('422 says that nothing was updated and lists the messages as plain lines', () => {
    const outcome = refused({
      validation_messages: {
        phone_sms: { format: 'Invalid phone number.' },
        phone_voice: { format: 'Invalid phone number.' },
      },
    });
    expect(outcome.type).toBe('ERROR');
    expect(say(alertsIn(outcome).slice(0, 1))).toEqual([
      ['notice', 'Your information has not been updated!'],
    ]);
    const lines = alertsIn(outcome)[1]?.messages ?? [];
    expect(lines.slice(1)).toEqual([{ text: 'Invalid phone number.' }]);
  });

  test.each(['SMS opted out', 'Email validation failed for ida@example.com'])(
    '"%s" lists its messages',
    (detail) => {
      const outcome = refused({ detail, validation_messages: { email: { reason: 'No mail.' } } });
      expect(alertsIn(outcome)[1]?.messages[1]).toEqual({ text: 'No mail.' });
    },
  );

  test("'Contact between times must be different' is shown as 'Invalid contact times'", () => {
    const outcome = refused({ detail: 'Contact between times must be different' });
    expect(say(alertsIn(outcome))[1]).toEqual(['error', 'Invalid contact times']);
  });

  test('keeps the messages for the voter', () => {
    const messages = { email: { format: 'Invalid email.' } };
    expect(refused({ validation_messages: messages })).toMatchObject({
      validationMessages: messages,
    });
  });

  test('any other refusal, and a server error, show the Oops text with the error id', () => {
    for (const status of [400, 500, 503])
      expect(say(alertsIn(refused({ status, detail: 'Broken', err_id: 'e-17' })))).toEqual([
        [
          'error',
          'Oops! Something went wrong on our end. Please try your latest action again.',
          'If you call us about this, give us this number: e-17',
        ],
      ]);
  });

  test('after too many saves says when to try again', () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 3, 15, 13, 30) });
    vi.stubGlobal('document', { documentElement: { lang: 'en-US' } });
    try {
      const outcome = refused({ status: 429, detail: 'Too Many Attempts' }, 5 * 60);
      expect(say(alertsIn(outcome))).toEqual([
        [
          'error',
          'Too many attempts',
          'To protect voters’ information, please wait and try again at 3:18\u00a0PM.',
        ],
      ]);
    } finally {
      vi.unstubAllGlobals();
      vi.useRealTimers();
    }
  });

  test('403 means the session has expired', () => {
    expect(refused({ status: 403, detail: 'Forbidden' })).toEqual({ type: 'EXPIRED' });
  });

  test('no answer says that what was typed is still there', () => {
    const outcome = readTrouble({ kind: 'failed', reason: 'Failed to fetch' });
    expect(outcome.type).toBe('ERROR');
    expect(say(alertsIn(outcome))[0]?.at(-1)).toBe(
      "We couldn't tell whether your changes were saved. What you entered is still in the form. Please try again.",
    );
  });
});
