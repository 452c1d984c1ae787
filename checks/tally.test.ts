import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Tally, tallyPlaywright, tallyReport, tallyVitest } from './tally.ts';

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'beacon-tally-'));
  file = path.join(folder, 'report.json');
});
afterAll(() => rmSync(folder, { recursive: true }));

const passed = { fullName: 'greets', status: 'passed' };

test('a skipped test counts as failed', () => {
  expect(
    tallyVitest({
      numPassedTests: 2,
      testResults: [
        {
          name: path.resolve('server/src/greet.test.ts'),
          status: 'passed',
          assertionResults: [passed, passed, { fullName: 'parts', status: 'skipped' }],
        },
      ],
    }),
  ).toEqual({ passed: 2, failed: 1, failures: ['server/src/greet.test.ts › parts: skipped'] });
  expect(
    tallyPlaywright({
      errors: [],
      stats: { expected: 5 },
      suites: [{ specs: [journey('skipped'), journey('expected')] }],
    }),
  ).toEqual({
    passed: 5,
    failed: 1,
    failures: ['[phone] greet.test.ts:7 › greets: skipped'],
  });
});

test('a file that breaks outside its tests counts as failed', () => {
  expect(
    tallyVitest({
      numPassedTests: 1,
      testResults: [
        { name: path.resolve('a.test.ts'), status: 'passed', assertionResults: [passed] },
        {
          name: path.resolve('b.test.ts'),
          status: 'failed',
          message: 'No such module',
          assertionResults: [],
        },
      ],
    }),
  ).toEqual({ passed: 1, failed: 1, failures: ['b.test.ts: failed\n    No such module'] });
  expect(
    tallyPlaywright({
      errors: [{ message: 'the product does not start' }],
      stats: { expected: 0 },
      suites: [],
    }),
  ).toEqual({
    passed: 0,
    failed: 1,
    failures: ['outside the journeys: failed\n    the product does not start'],
  });
});

test('a failure is reported with the beginning of its reason, without colors', () => {
  const reason = ['\u001b[31mProperty failed\u001b[39m', '', ...Array(40).fill('  at')].join('\n');
  const { failures } = tallyVitest({
    numPassedTests: 0,
    testResults: [
      {
        name: path.resolve('a.test.ts'),
        status: 'failed',
        assertionResults: [{ fullName: 'greets', status: 'failed', failureMessages: [reason] }],
      },
    ],
  });
  expect(failures[0]).toMatch(/^a\.test\.ts › greets: failed\n {4}Property failed\n {6}at\n/);
  expect(failures[0]?.split('\n')).toHaveLength(13);

  const nested = { suites: [{ specs: [journey('flaky', reason)] }] };
  expect(
    tallyPlaywright({ errors: [], stats: { expected: 0 }, suites: [nested] }).failures[0],
  ).toMatch(/^\[phone\] greet.test.ts:7 › greets: flaky\n {4}Property failed\n/);
});

function journey(status: 'expected' | 'flaky' | 'skipped', message?: string) {
  return {
    file: 'greet.test.ts',
    line: 7,
    title: 'greets',
    tests: [{ projectName: 'phone', status, results: message ? [{ error: { message } }] : [] }],
  };
}

test.each([
  ['says by its exit code what its report does not', 1, '{"passed":9,"failed":0,"failures":[]}', 9],
  ['ran nothing', 0, '{"passed":0,"failed":0,"failures":[]}', 0],
  ['left half a report', 0, '{"passed":', 0],
])('a runner that %s has failed', (_case, exitCode, report, expected) => {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  writeFileSync(file, report);
  expect(tallyReport(exitCode, file, (tally: Tally) => tally)).toEqual({
    passed: expected,
    failed: 1,
    failures: [],
  });
  output.mockRestore();
});
