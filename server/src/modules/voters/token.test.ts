import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findTokenWeakness, normalizeToken } from './token.ts';

test.each([
  '1234',
  '123456',
  '999999',
  '11111111',
  '12345678',
  '87654321',
  'abcdefgh',
  'AAAA-AAAA',
  '7-7-7',
])('the token %s is too easy to guess', (token) => {
  expect(findTokenWeakness(token)).toMatch(/too easy to guess/);
});

test.each(['K7QM-3XPD', '4071938', 'right', 'tok-L1', '50 28 14 9'])(
  'the token %s is good enough',
  (token) => {
    expect(findTokenWeakness(token)).toBeUndefined();
  },
);

test('a token that stands on the roll is no secret', () => {
  // A date is the same with its year first or last, in the file and as a token.
  for (const dates of [
    ['02/03/1970', '1970-02-03'],
    ['12/3/1970', '1970-12-3'],
  ])
    for (const token of dates)
      for (const birthdate of dates)
        expect(findTokenWeakness(token, ['R-1', birthdate]), `${token} ${birthdate}`).toMatch(
          /voter ID, the birth date/,
        );
  expect(findTokenWeakness('A-1049-883', ['A1049883'])).toMatch(/others can know/);
});

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const once = normalizeToken(text);
      expect(normalizeToken(once)).toBe(once);
    }),
  );
});
