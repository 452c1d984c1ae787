import type { Problem } from '@ballot-beacon/contract/problem';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeLetterCode, readLetterTrouble } from './letter-sign-in.ts';

const office = { county: 'Adams County', phone: '(352) 555-0100', locale: 'en-US' };
const refused = (status: number, more: Partial<Problem> = {}) =>
  readLetterTrouble(
    { kind: 'refused', retryAfter: 60, problem: { title: '', detail: '', status, ...more } },
    office,
  );

test('a code counts however it is typed: case, spaces and dashes do not matter', () => {
  const gap = fc.constantFrom('', ' ', '-', '–', ' - ');
  const letters = [...'K7QD93MX2HPTW4RN'];
  fc.assert(
    fc.property(fc.array(gap, { minLength: 16, maxLength: 16 }), fc.boolean(), (gaps, isLower) => {
      const typed = letters.map((letter, at) => letter + gaps[at]).join('');
      expect(looksLikeLetterCode(isLower ? typed.toLowerCase() : typed)).toBe(true);
      expect(looksLikeLetterCode(typed.slice(1))).toBe(false);
    }),
  );
});

test('a code counts in the digits of an Arabic keyboard, and as a Japanese one writes it', () => {
  expect(looksLikeLetterCode('K٧QD-٩٣MX-٢HPT-W٤RN')).toBe(true);
  expect(looksLikeLetterCode('Ｋ７ＱＤ－９３ＭＸ－２ＨＰＴ－Ｗ４ＲＮ')).toBe(true);
});

test.each([
  [404, { field: 'code', key: 'letter.unknown' }],
  [400, { field: 'date_of_birth', key: 'letter.mismatch' }],
  [422, { field: 'date_of_birth', key: 'login.birthdate.invalid' }],
])('what is wrong stands beside its field (%i)', (status, trouble) => {
  expect(refused(status)).toEqual(trouble);
});

test('a code that was tried too often, or a network, is said above the form, with whom to call', () => {
  expect(refused(401, { 'error-code': 8891 })).toMatchObject({
    alert: { messages: [{}, { key: 'letter.usedUp', values: { phone: '(352) 555-0100' } }] },
  });
  expect(refused(429)).toMatchObject({ alert: { messages: [{ key: 'login.tooMany.title' }, {}] } });
  expect(JSON.stringify(refused(500, { err_id: 'e-9' }))).toContain('e-9');
  expect(readLetterTrouble({ kind: 'failed', reason: 'no network' }, office)).toHaveProperty(
    'alert',
  );
});
