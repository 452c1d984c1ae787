import { expect, test } from 'vitest';
import {
  type ContactChannel,
  isReachable,
  isValidEmail,
  maskAddress,
  noChannel,
  normalizeAddress,
  smsStatusOf,
} from './rules.ts';

const channel = (more: Partial<ContactChannel>): ContactChannel => ({
  ...noChannel,
  ...{ address: 'a@b.example', isOptedIn: true, status: 'proven' },
  ...more,
});

test.each([
  [{}, true],
  [{ address: '' }, false],
  [{ isOptedIn: false }, false],
  [{ status: 'unproven' }, false],
  [{ status: 'unusable' }, false],
  [{ status: 'stopped' }, false],
  [{ address: '', pendingAddress: '+13525550100' }, false],
] as const)('news reaches %j: %s', (more, expected) => {
  expect(isReachable(channel(more))).toBe(expected);
});

test.each([
  [{ status: 'stopped', isOptedIn: false }, 'opted-out', null],
  [{ status: 'stopped' }, 'opted-out', null],
  [{ isOptedIn: false }, 'none', true],
  [{ isOptedIn: false, status: 'unproven' }, 'none', null],
  [{}, 'active', true],
  [{ status: 'unproven' }, 'pending', null],
  [{ status: 'unusable' }, 'pending', false],
] as const)('%j is, in the specification’s words, %s and %s', (more, sms, email) => {
  expect(smsStatusOf(channel(more))).toBe(sms);
  expect(isValidEmail(channel(more))).toBe(email);
});

test.each([
  ['email', 'ann.rivera@example.org', 'a•••@example.org'],
  ['email', 'é@example.org', 'é•••@example.org'],
  ['email', '🙂x@example.org', '🙂•••@example.org'],
  ['sms', '+13525550142', '•••-0142'],
  ['voice', '(352) 555-0199', '•••-0199'],
  ['voice', '42', '•••-42'],
  ['voice', '555-01-99', '•••-0199'],
] as const)('of %s %s its owner sees %s', (kind, address, masked) => {
  expect(maskAddress(kind, address)).toBe(masked);
});

test('addresses that differ by case or spaces around them are one', () => {
  expect(normalizeAddress('  Ann@Example.ORG ')).toBe('ann@example.org');
});
