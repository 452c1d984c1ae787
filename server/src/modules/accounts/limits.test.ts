import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { FixSettings } from './fix-settings.ts';
import { readAccountFile } from './read-account-file.ts';
import { RequestLimits } from './request-limits.ts';
import { SendingLimits, textNumberKinds } from './sending-limits.ts';

const problemsOf = (shape: z.ZodMiniType, value: unknown) =>
  (z.safeParse(shape, value).error?.issues ?? []).map(({ path, message }) => [
    path.join('.'),
    message,
  ]);
const whole = 'must be a whole number of 1 or more';

describe('what providers take from an office’s numbers', () => {
  test('is by itself what a short code sends, and one call a second', () => {
    expect(SendingLimits.parse({})).toEqual({
      sms: { kind: 'short-code', per_second: null, per_day: null },
      voice: { per_second: 1, per_day: null },
    });
  });

  test.each([
    ['sms', 'per_second', 0.1],
    ['sms', 'per_day', 1],
    ['sms', 'per_day', 200_000],
    ['voice', 'per_second', 0.1],
    ['voice', 'per_day', 1],
  ] as const)('may be for %s, %s, %d', (channel, name, value) => {
    expect(SendingLimits.parse({ [channel]: { [name]: value } })[channel]).toMatchObject({
      [name]: value,
    });
  });

  test.each([
    ['sms', 'per_second', 0.09, 'must be 0.1 or more'],
    ['sms', 'per_second', 0, 'must be 0.1 or more'],
    ['sms', 'per_day', 0, whole],
    ['sms', 'per_day', 1.5, whole],
    ['voice', 'per_second', 0.09, 'must be 0.1 or more'],
    ['voice', 'per_day', 0, whole],
    ['voice', 'per_day', 0.5, whole],
  ])('may not be for %s, %s, %d', (channel, name, value, message) => {
    expect(problemsOf(SendingLimits, { [channel]: { [name]: value } })).toContainEqual([
      `${channel}.${name}`,
      message,
    ]);
  });

  test.each([[{ sms: { kind: 'long-code' } }], [{ fax: {} }], [{ voice: { kind: '10dlc' } }]])(
    'has no other words: %o',
    (value) => expect(problemsOf(SendingLimits, value)).toHaveLength(1),
  );

  test('is by the kind of the number what the providers publish', () => {
    expect(textNumberKinds).toEqual({
      'short-code': { perSecond: 100, perDay: null },
      'toll-free': { perSecond: 3, perDay: null },
      '10dlc': { perSecond: 75, perDay: 200_000 },
    });
  });

  test('is unlimited in a day for voice unless it is said', () => {
    expect(problemsOf(SendingLimits, { voice: { per_second: null } })).toHaveLength(1);
    expect(problemsOf(SendingLimits, { voice: { per_day: null } })).toEqual([]);
  });
});

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri'];
test.each([
  [{ closed: weekdays.slice(1) }, []],
  [{ closed: weekdays }, ['must leave a day on which the office is open']],
  [{ online_form: 'https://forms.example/fix' }, []],
  [{ online_form: 'http://forms.example/fix' }, ['must be a web address, https://…']],
])('how envelopes are fixed, as %j, has these problems: %j', (settings, messages) => {
  expect(problemsOf(FixSettings, settings).map(([, message]) => message)).toEqual(messages);
});

describe('requests that visitors can cause in a day', () => {
  test('are as many as a county’s voters may need', () => {
    expect(RequestLimits.parse({})).toEqual({ email: 20_000, sms: 5_000, voice: 5_000 });
  });

  test.each([
    [0, [whole]],
    [1, []],
    [2, []],
    [1.5, [whole]],
  ])('may be %d', (value, problems) => {
    for (const channel of ['email', 'sms', 'voice'])
      expect(problemsOf(RequestLimits, { [channel]: value })).toEqual(
        problems.map((message) => [channel, message]),
      );
  });

  test('are of no other channel', () => {
    expect(problemsOf(RequestLimits, { fax: 1 })).toHaveLength(1);
  });
});

describe('in an account file', () => {
  const adams = {
    ...{ subdomain: 'adams', name: 'Adams', county: 'Adams' },
    ...{ state: 'WA', time_zone: 'America/Los_Angeles' },
  };
  const read = (settings: object) => {
    const outcome = readAccountFile({ ...adams, ...settings });
    return outcome.ok ? [] : outcome.problems;
  };

  test.each([
    [-1, ['must be 0 to 100']],
    [0, []],
    [100, []],
    [101, ['must be 0 to 100']],
  ])('%d percent of a file may be such that it needs a second look', (value, messages) => {
    for (const name of ['refused_percent', 'shrink_percent', 'inactive_percent'])
      expect(read({ import_limits: { [name]: value } }), name).toEqual(
        messages.map((message) => ({ at: `import_limits.${name}`, message })),
      );
  });

  test.each([
    ...['import_limits', 'quiet_hours', 'daily_request_limits', 'sending_limits'],
    ...['envelope_fix', 'stopped_mail', 'mail'],
  ])('a misspelled setting of %s is not ignored', (group) => {
    expect(read({ [group]: { shrink_procent: 5 } })).toEqual([
      { at: `${group}.shrink_procent`, message: 'is not a setting' },
    ]);
  });
});
