import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFixture } from '../../testing/unpack-fixture.ts';
import { checkImports } from './cruise.ts';
import { importRules } from './rules.ts';

const fixture = readFixture(path.join(import.meta.dirname, 'fixture.txt'));
let fixtures = '';
beforeAll(() => {
  fixtures = mkdtempSync(path.join(tmpdir(), 'beacon-imports-'));
  // The cases import the packages that are installed here.
  symlinkSync(path.resolve('node_modules'), path.join(fixtures, 'node_modules'));
  for (const name of fixture.names) {
    mkdirSync(path.join(fixtures, name));
    fixture.unpack(name, path.join(fixtures, name));
  }
});
afterAll(() => rmSync(fixtures, { recursive: true }));

const ruleNames = [
  ...importRules.map(({ name }) => name),
  'no-inline-type-import',
  'no-sql-beside-stores',
];

test('every import rule has a fixture that breaks it, and no fixture is left of a rule that is gone', () => {
  expect([...fixture.names].sort()).toEqual([...ruleNames, 'allowed'].sort());
});

test.each(ruleNames)('the rule %s catches its violating fixture', async (name) => {
  const { violations } = await checkImports(path.join(fixtures, name), 1);
  expect([...new Set(violations.map(({ rule }) => rule))]).toEqual([name]);
  for (const { advice } of violations) expect(advice).not.toBe('');
});

test('imports that follow the tree pass, among them JSX, type-only and `using` syntax', async () => {
  const { moduleCount, dependencyCount, violations } = await checkImports(
    path.join(fixtures, 'allowed'),
    20,
  );
  expect(violations).toEqual([]);
  expect(dependencyCount).toBeGreaterThan(moduleCount);
});

test('a crawl that finds next to nothing fails instead of passing', async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'beacon-imports-'));
  try {
    await expect(checkImports(empty, 1)).rejects.toThrow('found 0 source files');
    await expect(checkImports(path.join(fixtures, 'allowed'), 500)).rejects.toThrow(
      'at least 500 belong there',
    );
  } finally {
    rmSync(empty, { recursive: true });
  }
});
