import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findLongFiles } from './sizes.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'beacon-sizes-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, lines: number, head = '// a line'): void {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, `${[head, ...Array(lines - 1).fill('// a line')].join('\n')}\n`);
}

test('a source of more than 300 lines and a test of more than 400 are found', () => {
  write('server/src/long.ts', 301);
  write('web/src/long.css', 301, '/* a style */');
  write('e2e/long.test.ts', 401);
  write('bench/long.bench.ts', 401);
  expect(findLongFiles(root, 1).map(({ file }) => file)).toEqual([
    'bench/long.bench.ts',
    'e2e/long.test.ts',
    'server/src/long.ts',
    'web/src/long.css',
  ]);
});

test('files within their limit pass, and so do long ones that say why', () => {
  write('server/src/short.ts', 300);
  write('e2e/short.test.ts', 400);
  write(
    'web/src/listed.ts',
    500,
    '// Longer than 300 lines: one table of all state rules, read top to bottom.',
  );
  expect(findLongFiles(root, 1)).toEqual([]);
});

test('a reason of one word, or in a file that is short, is found', () => {
  write('server/src/long.ts', 301, '// Longer than 300 lines: needed');
  write('server/src/short.ts', 20, '// Longer than 300 lines: it once was a long table of rules.');
  expect(findLongFiles(root, 1).map(({ file }) => file)).toEqual([
    'server/src/long.ts',
    'server/src/short.ts',
  ]);
});

test('a search that finds next to nothing fails instead of passing', () => {
  expect(() => findLongFiles(root, 1)).toThrow('at least 1 belong there');
});
