import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { tallyPlaywright, tallyReport, tallyVitest } from './run-tests.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-tally-'));
  file = path.join(folder, 'report.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

const passed = { status: 'passed' };

test('a skipped test counts as failed', () => {
  expect(
    tallyVitest({
      numTotalTests: 3,
      numPassedTests: 2,
      testResults: [
        { status: 'passed', assertionResults: [passed, passed, { status: 'skipped' }] },
      ],
    }),
  ).toEqual({ passed: 2, failed: 1 });
  expect(
    tallyPlaywright({ errors: [], stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 } }),
  ).toEqual({ passed: 5, failed: 4 });
});

test('a file that breaks outside its tests counts as failed', () => {
  expect(
    tallyVitest({
      numTotalTests: 1,
      numPassedTests: 1,
      testResults: [
        { status: 'passed', assertionResults: [passed] },
        { status: 'failed', assertionResults: [] },
      ],
    }),
  ).toEqual({ passed: 1, failed: 1 });
  expect(
    tallyPlaywright({
      errors: ['the product does not start'],
      stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 },
    }),
  ).toEqual({ passed: 0, failed: 1 });
});

test.each([
  ['says by its exit code what its report does not', 1, '{"passed":9,"failed":0}', 9],
  ['ran nothing', 0, '{"passed":0,"failed":0}', 0],
  ['left half a report', 0, '{"passed":', 0],
])('a runner that %s has failed', (_case, exitCode, report, expected) => {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  writeFileSync(file, report);
  expect(tallyReport(exitCode, file, (tally: { passed: number; failed: number }) => tally)).toEqual(
    {
      passed: expected,
      failed: 1,
    },
  );
  output.mockRestore();
});
