import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bytesOfPiece, inClerksWords } from './rules.ts';

describe('a piece', () => {
  test.each([
    [0, 10],
    [1, 10],
    [2, 5],
    [3, 0],
  ])('number %d of 25 bytes has %d', (piece, bytes) => {
    expect(bytesOfPiece({ size: 25, pieceSize: 10 }, piece)).toBe(bytes);
  });
});

/** What the engine says to clerks of a file, wherever it stands in the sources. */
function findSayings(): string[] {
  const folder = fileURLToPath(new URL('../imports/', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(read|kinds|run)\/.*[.]ts$/.test(name) && !name.endsWith('.test.ts'))
    .filter((name) => !/(report|interruption)[.]ts$/.test(name))
    .flatMap((name) => readFileSync(`${folder}${name}`, 'utf8').split('\n'))
    .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line))
    .filter((line) => /beacon [a-z]+ |--[a-z]+|format file|docs\//.test(line));
}

describe('what the engine says for the command line', () => {
  test.each(findSayings())('names no command at the console: %s', (line) => {
    expect(inClerksWords(line)).not.toMatch(/beacon [a-z]+ |--[a-z]+|format file|docs\//);
  });
});
