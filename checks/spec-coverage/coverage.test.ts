import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFixture } from '../../testing/unpack-fixture.ts';
import { checkCoverage } from './coverage.ts';

const fixture = readFixture(path.join(import.meta.dirname, 'fixture.txt'));
let fixtures = '';
beforeAll(() => {
  fixtures = mkdtempSync(path.join(tmpdir(), 'beacon-coverage-'));
  for (const name of fixture.names) fixture.unpack(name, path.join(fixtures, name));
});
afterAll(() => rmSync(fixtures, { recursive: true }));

const check = (name: string, minimumRows = 1) =>
  checkCoverage(path.join(fixtures, name), minimumRows);

test('a requirement without a living test of that name is found', () => {
  const { findings } = check('violating');
  expect(findings).toEqual([
    { id: '1.02', problem: 'e2e/journey.test.ts has no living test "a voter signs out".' },
    { id: '1.03', problem: 'e2e/journey.test.ts has no living test "a voter reads the news".' },
    { id: '1.04', problem: 'e2e/journey.test.ts has no living test "a voter rests".' },
    { id: '1.05', problem: 'e2e/journey.test.ts has no living test "a voter waits".' },
    { id: '1.06', problem: 'e2e/journey.test.ts has no living test "a voter hopes".' },
    { id: '1.07', problem: 'e2e/journey.test.ts has no living test "a voter".' },
    { id: '1.08', problem: 'e2e/gone.test.ts is missing, or contains no such test.' },
    {
      id: '1.09',
      problem: '"e2e/journey.ts" is no test file (*.test.ts, *.test.tsx, *.spec.ts).',
    },
    {
      id: '1.10',
      problem:
        'Name the file and the test, or write "Decided against: …" with the reason as its note.',
    },
    {
      id: '1.11',
      problem:
        'Name the file and the test, or write "Decided against: …" with the reason as its note.',
    },
    { id: '1.13', problem: 'Say what is required.' },
    { id: '', problem: 'After 1.11 comes 1.12, not 1.13.' },
  ]);
});

test('living tests pass, those of tables and templates by any of their names, and decisions with a reason', () => {
  expect(check('allowed')).toEqual({ rowCount: 6, findings: [] });
});

test('a table that was not read, or has lost rows, fails', () => {
  expect(check('allowed', 7).findings).toEqual([
    { id: '', problem: 'The table has 6 rows; at least 7 belong there.' },
  ]);
});
