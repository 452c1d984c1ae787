import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPhone } from './phone.ts';

test.each([
  ['352-555-0100', '+13525550100'],
  ['(352) 555 0100', '+13525550100'],
  ['+1 352.555.0100', '+13525550100'],
  ['13525550100', '+13525550100'],
  // In the digits of an Arabic, a Hindi and a Japanese keyboard.
  ['٣٥٢-٥٥٥-٠١٠٠', '+13525550100'],
  ['(३५२) ५५५-०१००', '+13525550100'],
  ['３５２５５５０１００', '+13525550100'],
  // The territories, whose people vote in primaries.
  ['787-555-0123', '+17875550123'],
  ['340-777-0123', '+13407770123'],
  ['671-646-0123', '+16716460123'],
  ['684-633-1234', '+16846331234'],
  ['670-234-5678', '+16702345678'],
])('%s is taken as %s', (typed, phone) => {
  expect(readPhone(typed)).toBe(phone);
});

test.each([
  ['letters', '352-555-CALL'],
  ['too few digits', '352-555-010'],
  ['too many', '352-555-01000'],
  ['an area code that is none', '152-555-0100'],
  ['another country', '+44 20 7946 0958'],
  ['Canada', '416-555-0100'],
  ['a toll-free number', '800-555-0100'],
  ['a number that costs the called', '900-555-0100'],
  ['letters of another script', 'тел. 352-555-0100'],
  ['Arabic letters', '352-555-٠١٠٠x'],
  ['nothing', ''],
])('%s is no number to reach a voter at', (_what, typed) => {
  expect(readPhone(typed)).toBeUndefined();
});

test('whatever is typed, what is accepted is an E.164 number of the United States', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d\s()+.-]{0,20}$/)), (typed) => {
      expect(readPhone(typed) ?? '+10000000000').toMatch(/^\+1\d{10}$/);
    }),
  );
});
