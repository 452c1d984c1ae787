import { createHash } from 'node:crypto';
import fc from 'fast-check';
import twilio from 'twilio';
import { expect, test } from 'vitest';
import { runs } from '../../../../../../testing/runs.ts';
import { isSignedByTwilio } from './signature.ts';

const token = 'an auth token of the tests';
const host = 'beacon.example';

const query = fc.constantFrom(
  '',
  '?message=7',
  "?message=7&name=O'Brien",
  '?message=7&name=O%27Brien',
  '?a=b c&d=%20é',
  '?',
);
const path = fc.constantFrom('/api/provider/twilio/sms', "/api/provider/twilio/status'x", '/');
const origin = fc.constantFrom(
  `https://${host}`,
  `https://${host}:443`,
  `https://${host}:8443`,
  `http://${host}`,
  `http://${host}:80`,
  'https://[::1]:8443',
);
const url = fc.tuple(origin, path, query).map((parts) => parts.join(''));
const fields = fc.array(
  fc.tuple(
    fc.constantFrom('From', 'To', 'Body', 'MediaUrl', 'a', '__proto__', '10', '9'),
    fc.oneof(fc.constantFrom('x', 'y', ''), fc.string({ maxLength: 8 })),
  ),
  { maxLength: 8 },
);

/** As Express's form parser hands fields to Twilio's helper: the values of a repeated name as a list. */
function toParams(pairs: readonly (readonly [string, string])[]): Record<string, unknown> {
  const params = Object.create(null) as Record<string, unknown>;
  for (const [name] of pairs) {
    const values = pairs.filter(([other]) => other === name).map(([, value]) => value);
    params[name] = values.length > 1 ? values : values[0];
  }
  return params;
}

test('a signature is accepted exactly when Twilio’s own helper accepts it', () => {
  let accepted = 0;
  fc.assert(
    fc.property(url, url, fields, fields, fc.boolean(), (called, other, sent, others, isSame) => {
      const params = toParams(sent);
      const signature = twilio.getExpectedTwilioSignature(
        token,
        isSame ? called : other,
        isSame ? params : toParams(others),
      );
      const expected = twilio.validateRequest(token, signature, called, params);
      if (expected) accepted += 1;
      expect(isSignedByTwilio(token, signature, { url: called, fields: sent, body: '' })).toBe(
        expected,
      );
    }),
    { numRuns: runs(2000) },
  );
  expect(accepted).toBeGreaterThan(200);
});

test.each([
  ['without the port', `https://${host}/sms`, `https://${host}:8443/sms`],
  ['with the default port', `https://${host}:443/sms`, `https://${host}/sms`],
  ['with an apostrophe escaped', `https://${host}/sms?n=O%27B`, `https://${host}/sms?n=O'B`],
])('a signature made %s is accepted', (_what, signed, called) => {
  const signature = twilio.getExpectedTwilioSignature(token, signed, { a: '1' });
  expect(isSignedByTwilio(token, signature, { url: called, fields: [['a', '1']], body: '' })).toBe(
    true,
  );
});

test('fields sent more than once are signed once a value, in order', () => {
  const signature = twilio.getExpectedTwilioSignature(token, `https://${host}/`, {
    MediaUrl: ['b', 'a', 'b'],
  });
  const fields = ['b', 'a', 'b'].map((value) => ['MediaUrl', value] as const);
  expect(isSignedByTwilio(token, signature, { url: `https://${host}/`, fields, body: '' })).toBe(
    true,
  );
});

test('a body signed by its hash is accepted, and no other body under that signature', () => {
  const body = 'MessageStatus=delivered';
  const hash = createHash('sha256').update(body).digest('hex');
  const called = `https://${host}/status?message=7&bodySHA256=${hash}`;
  const signature = twilio.getExpectedTwilioSignature(token, called, {});
  expect(twilio.validateRequestWithBody(token, signature, called, body)).toBe(true);
  const request = { url: called, fields: [['MessageStatus', 'delivered']] as const };
  expect(isSignedByTwilio(token, signature, { ...request, body })).toBe(true);
  expect(isSignedByTwilio(token, signature, { ...request, body: `${body}x` })).toBe(false);
});

test.each([
  ['none', undefined],
  ['an empty one', ''],
  ['another', 'c2lnbmF0dXJl'],
])('%s is no signature', (_what, signature) => {
  expect(
    isSignedByTwilio(token, signature, { url: `https://${host}/`, fields: [], body: '' }),
  ).toBe(false);
});
