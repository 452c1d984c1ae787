import { expect, test } from 'vitest';
import { isSamePerson, networkOf } from './rules.ts';

test.each([
  ['Ann Clerk', 'ann  clerk', true],
  ['Ann Clerk', ' ANN CLERK ', true],
  ['A. Clerk', 'A Clerk', true],
  ['operator:ann', 'Ann', true],
  ['Ann\u200bClerk', 'AnnClerk', true],
  ['ＡＮＮ', 'ann', true],
  ['Ann Clerk', 'AnnClerk', false],
  ['Ann Clerk', 'Bo Clerk', false],
  ['Ann operator:', 'Ann', false],
])('%s and %s are one person: %s', (one, other, expected) => {
  expect(isSamePerson(one, other)).toBe(expected);
  expect(isSamePerson(other, one)).toBe(expected);
});

test.each([
  ['192.0.2.7', '192.0.2.0/24'],
  ['::ffff:192.0.2.7', '192.0.2.0/24'],
  ['::FFFF:192.0.2.7', '192.0.2.0/24'],
  ['::ffff:10.200.130.244', '10.200.130.0/24'],
  ['1::ffff:192.0.2.7', '1:0:0::/48'],
  ['2001:db8:1:2::7', '2001:db8:1::/48'],
  ['2001:DB8:0001:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:db8::7', '2001:db8:0::/48'],
  ['::1', '0:0:0::/48'],
  ['::', '0:0:0::/48'],
  ['1::', '1:0:0::/48'],
  ['2001:db8:1::192.0.2.7', '2001:db8:1::/48'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0::/48'],
  ['::1:2:3:4:5:6:7', '0:1:2::/48'],
  ['1:2:3:4:5:6:7::', '1:2:3::/48'],
  ['::2:3:4:5:6:7:8', '0:2:3::/48'],
  ['fe80:1:2:3:4:5:6:7%eth0.1', 'fe80:1:2::/48'],
  ['::ffff:192.0.2.7%eth0', '0:0:0::/48'],
  ['', 'unknown'],
  ['192.0.2', 'unknown'],
  ['localhost', 'unknown'],
])('%s is of %s', (address, network) => expect(networkOf(address)).toBe(network));
