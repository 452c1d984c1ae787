import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFixture } from '../../testing/unpack-fixture.ts';
import { checkCoverage } from './coverage.ts';
import { listTests } from './listed-tests.ts';

const fixture = readFixture(path.join(import.meta.dirname, 'fixture.txt'));
let fixtures = '';
beforeAll(() => {
  // Inside the tree, so that its tests find the runners.
  mkdirSync('test-results', { recursive: true });
  fixtures = mkdtempSync(path.resolve('test-results/coverage-'));
  for (const name of fixture.names) fixture.unpack(name, path.join(fixtures, name));
});
afterAll(() => rmSync(fixtures, { recursive: true }));

const listed = [
  'a voter signs in',
  'a voter opts into %s',
  'anyone reads "%s" (and | more)',
  'a voter waits $day days',
].map((title) => ({ file: 'e2e/journey.test.ts', title }));
const check = (name: string, minimumRows = 1) =>
  checkCoverage(path.join(fixtures, name), listed, minimumRows);

test('a requirement without a listed test of that name is found', () => {
  const { findings } = check('violating');
  expect(findings).toEqual([
    { id: '1.02', problem: 'e2e/journey.test.ts has no living test "a voter signs out".' },
    { id: '1.03', problem: 'e2e/journey.test.ts has no living test "a voter reads the news".' },
    { id: '1.04', problem: 'e2e/journey.test.ts has no living test "a voter rests".' },
    { id: '1.05', problem: 'e2e/journey.test.ts has no living test "a voter".' },
    { id: '1.06', problem: 'e2e/gone.test.ts is missing, or contains no such test.' },
    {
      id: '1.07',
      problem: '"e2e/journey.ts" is no test file (*.test.ts, *.test.tsx, *.spec.ts).',
    },
    {
      id: '1.08',
      problem:
        'Name the file and the test, or write "Decided against: …" with the reason as its note.',
    },
    {
      id: '1.09',
      problem:
        'Name the file and the test, or write "Decided against: …" with the reason as its note.',
    },
    { id: '1.11', problem: 'Say what is required.' },
    { id: '', problem: 'After 1.09 comes 1.10, not 1.11.' },
  ]);
});

test('listed tests pass, those of tables and templates by any of their names, and decisions with a reason', () => {
  expect(check('allowed')).toEqual({ rowCount: 6, findings: [] });
});

test('a table that was not read, or has lost rows, fails', () => {
  expect(check('allowed', 7).findings).toEqual([
    { id: '', problem: 'The table has 6 rows; at least 7 belong there.' },
  ]);
});

test('the runners list the tests that have to pass, and no others', async () => {
  const journey = path.join('journeys', 'news', 'read.journey.ts');
  expect(await listTests(path.join(fixtures, 'runners'))).toEqual([
    { file: 'unit.test.ts', title: 'a voter signs in' },
    { file: 'unit.test.ts', title: 'a voter opts into "%s"' },
    { file: journey, title: 'anyone reads "privacy"' },
    { file: journey, title: 'anyone reads "faq"' },
    { file: journey, title: 'has a journey' },
  ]);
});
