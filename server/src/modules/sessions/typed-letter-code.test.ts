import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createLetterCode,
  hashLetterCode,
  isOverForLetters,
  letterCodeLifetimeMs,
  readLetterCode,
} from './letter-codes.ts';

test('a code is four groups of four letters, and is read back however it is typed', () => {
  const ways: readonly ((code: string) => string)[] = [
    (code) => code,
    (code) => code.toLowerCase(),
    (code) => code.replaceAll('-', ''),
    (code) => code.replaceAll('-', ' '),
    (code) => ` ${code.replaceAll('-', '\u2013')}\n`,
    (code) => code.replaceAll('0', 'O').replaceAll('1', 'l'),
    (code) => code.replaceAll('0', 'o').replaceAll('1', 'I'),
    // As an Arabic and a Japanese keyboard write digits, and the latter all else too.
    (code) => code.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
    (code) => code.replaceAll(/[^-]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ];
  for (let time = 0; time < 200; time += 1) {
    const code = createLetterCode();
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    for (const way of ways) expect(readLetterCode(way(code))).toBe(code.replaceAll('-', ''));
  }
});

test('every letter of the alphabet is drawn', () => {
  const drawn = new Set(Array.from({ length: 200 }, createLetterCode).join(''));
  expect([...drawn].sort().join('')).toBe('-0123456789ABCDEFGHJKMNPQRSTVWXYZ');
});

test.each([
  ['fifteen letters', 'K7QD93MX2HPTW4R'],
  ['seventeen letters', 'K7QD93MX2HPTW4RNA'],
  ['a letter that no code has', 'U7QD93MX2HPTW4RN'],
  ['a letter with an accent', 'É7QD93MX2HPTW4RN'],
  ['a sign', 'K7QD.93MX2HPTW4R'],
  ['nothing', ''],
])('%s is no code', (_, typed) => expect(readLetterCode(typed)).toBeUndefined());

test('no text breaks the reading', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const code = readLetterCode(text);
      expect(code ?? 'AAAAAAAAAAAAAAAA').toHaveLength(16);
    }),
  );
});

test('a code is stored as a hash of its own kind, and is good for 180 days', () => {
  expect(hashLetterCode('K7QD93MX2HPTW4RN').toString('hex')).toMatch(/^[0-9a-f]{64}$/);
  expect(hashLetterCode('A')).not.toEqual(hashLetterCode('B'));
  expect(letterCodeLifetimeMs).toBe(15_552_000_000);
});

test.each([
  [{ isActive: true, electionDate: '2026-11-02' }, false],
  [{ isActive: false, electionDate: '2026-11-02' }, true],
  [{ isActive: false, electionDate: '2026-11-03' }, false],
  [{ isActive: false, electionDate: '2026-11-04' }, false],
])('on November 3 the election %j is over for letters: %s', (election, isOver) => {
  expect(isOverForLetters(election, '2026-11-03')).toBe(isOver);
});
