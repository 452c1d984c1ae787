import { expect, test } from 'vitest';
import { decodeBytes, type FallbackEncoding } from './fallback-encoding.ts';

test.each<[FallbackEncoding, number, string]>([
  ['cp437', 0x7f, '\x7f'],
  ['cp437', 0x80, 'Ç'],
  ['cp437', 0x81, 'ü'],
  ['cp437', 0x9a, 'Ü'],
  ['cp437', 0xa5, 'Ñ'],
  ['cp437', 0xe1, 'ß'],
  ['cp437', 0xfe, '■'],
  ['cp437', 0xff, '\u00a0'],
  ['windows-1252', 0x7f, '\x7f'],
  ['windows-1252', 0x80, '€'],
  ['windows-1252', 0x92, '’'],
  ['windows-1252', 0xd1, 'Ñ'],
  ['windows-1252', 0xff, 'ÿ'],
])('in %s the byte %i is %j, wherever it stands', (encoding, byte, character) => {
  expect(decodeBytes(Buffer.from([byte, 0x41, byte, byte, 0x7a]), encoding)).toBe(
    `${character}A${character}${character}z`,
  );
});
