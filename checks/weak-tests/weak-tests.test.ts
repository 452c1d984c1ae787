import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { checkTests, findWeak, weakRules } from './weak-tests.ts';

const fixture = readFileSync(
  path.resolve(import.meta.dirname, '../fixtures/weak-tests/violating.txt'),
  'utf8',
);
/** Below the tree's own count, far above what a broken file list would find. */
const minimumFiles = 200;

test('no test asserts what cannot fail', () => {
  const { fileCount, findings } = checkTests(process.cwd());
  expect(fileCount).toBeGreaterThan(minimumFiles);
  const advice = findings.map(
    ({ rule, where }) => `${where}  ${rule}; instead: ${weakRules[rule]?.instead}`,
  );
  expect(advice).toEqual([]);
});

test('each rule catches its own lines and no other', () => {
  const lines = fixture.trim().split('\n');
  for (const line of lines) {
    const [name, text = ''] = line.split(' | ');
    expect({ text, rules: findWeak(text).map(({ rule }) => rule) }).toEqual({
      text,
      rules: [name],
    });
  }
  const proven = new Set(lines.map((line) => line.split(' | ')[0]));
  expect([...proven].sort()).toEqual(Object.keys(weakRules).sort());
});

test.each([
  'expect(answer.statusCode).toBe(503);',
  'expect(count).toBeGreaterThanOrEqual(1);',
  "expect(['done', 'nothing-new']).toContain(state);",
  'expect(first).toBe(second);',
  'expect(text).toMatch(/^./);',
  'expect(entry).toMatchObject({ at: expect.anything() });',
  'await work().catch(() => {});',
])('what can fail passes: %s', (text) => {
  expect(findWeak(text)).toEqual([]);
});
