import { describe, expect, test } from 'vitest';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import { createSecrets } from '../../platform/secrets.ts';
import {
  confirmationCode,
  contactCode,
  isConfirmationCode,
  isUnsubscribeKey,
  unsubscribeKey,
} from './links.ts';

const secrets = createSecrets(['a secret of the tests, long enough to be one']);
const now = new Date('2026-10-05T15:00:00Z');
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const ann = {
  ...{ accountId: 1 as AccountId, voterId: 7 as VoterId },
  ...{ email: 'ann@example.org', askedId: 3 },
};
/** Each differs from Ann by one fact. */
const others = [
  { ...ann, accountId: 2 as AccountId },
  { ...ann, voterId: 8 as VoterId },
  { ...ann, email: 'bo@example.org' },
  { ...ann, askedId: 4 },
  // As text beside each other these would be the same.
  { ...ann, accountId: 17 as AccountId, voterId: 7 as VoterId },
];

describe('the code of a mailed link', () => {
  const code = confirmationCode(secrets, ann, now);

  test.each([
    [-60_001, false],
    [-60_000, true],
    [0, true],
    [24 * 3_600_000, true],
    [24 * 3_600_000 + 1, false],
  ])('%i ms after it was made is good: %s', (milliseconds, expected) => {
    expect(isConfirmationCode(secrets, ann, code, after(milliseconds))).toBe(expected);
  });

  test('is of one voter, address, office and choice, in any case of the address', () => {
    expect(isConfirmationCode(secrets, { ...ann, email: ' ANN@Example.org' }, code, now)).toBe(
      true,
    );
    for (const other of others) expect(isConfirmationCode(secrets, other, code, now)).toBe(false);
  });

  test('is none with another time, another letter, or made elsewhere', () => {
    const later = confirmationCode(secrets, ann, after(1_000)).slice(0, 7) + code.slice(7);
    for (const text of [later, code.slice(0, -1), `${code}A`, '', 'hello'])
      expect(isConfirmationCode(secrets, ann, text, now)).toBe(false);
    const elsewhere = createSecrets(['another secret of the tests, long enough too']);
    expect(isConfirmationCode(elsewhere, ann, code, now)).toBe(false);
    expect(code).toMatch(/^[0-9a-z]{7}[\w-]{43}$/);
  });
});

test('the key of an unsubscribe link is of one address at one office, and is no other code', () => {
  const key = unsubscribeKey(secrets, ann);
  expect(isUnsubscribeKey(secrets, { ...ann, email: 'Ann@example.org ' }, key)).toBe(true);
  expect(isUnsubscribeKey(secrets, { ...ann, accountId: 2 as AccountId }, key)).toBe(false);
  expect(isUnsubscribeKey(secrets, { ...ann, email: 'bo@example.org' }, key)).toBe(false);
  for (const text of ['', key.slice(0, -2), confirmationCode(secrets, ann, now).slice(7)])
    expect(isUnsubscribeKey(secrets, ann, text)).toBe(false);
});

test('six digits are of one code, address and office', () => {
  const of = { accountId: 1 as AccountId, codeId: 12, address: '+13525550142' };
  const codes = [
    of,
    { ...of, accountId: 2 as AccountId },
    { ...of, codeId: 13 },
    { ...of, address: '+13525550143' },
  ].map((one) => contactCode(secrets, one));
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(codes).size).toBe(4);
  expect(contactCode(secrets, of)).toBe(codes[0]);
  const many = Array.from({ length: 300 }, (_, n) => contactCode(secrets, { ...of, codeId: n }));
  expect(many.some((code) => code.startsWith('0'))).toBe(true);
});
