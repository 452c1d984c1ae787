import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bound, isMutated, readRanges } from './changed-lines.ts';
import { leastCaught, tallyMutants } from './report.ts';

const diff = `diff --git a/contract/src/session.ts b/contract/src/session.ts
--- a/contract/src/session.ts
+++ b/contract/src/session.ts
@@ -3 +3 @@ export function a() {
-  return 1;
+  return 2;
@@ -10,2 +9,0 @@ export function b() {
-  gone();
-  gone();
@@ -20,0 +19,3 @@ export function c() {
+  one();
+  two();
+  three();
diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1 +1,2 @@
`;

test('a change is mutated in the lines that it made, and not in those that it took away', () => {
  expect(readRanges(diff)).toEqual([
    { file: 'contract/src/session.ts', from: 3, to: 3 },
    { file: 'contract/src/session.ts', from: 19, to: 21 },
    { file: 'README.md', from: 1, to: 2 },
  ]);
});

test.each([
  ['contract/src/session.ts', true],
  ['contract/src/office/roles.ts', true],
  ['contract/src/session.test.ts', false],
  ['server/src/modules/deadlines/rules.ts', true],
  ['server/src/modules/deadlines/rule.ts', true],
  ['server/src/modules/deadlines/rules.test.ts', false],
  ['server/src/modules/deadlines/find-deadline.ts', false],
  ['server/src/modules/ballots/status-store.ts', false],
])('%s is among the pure files: %s', (file, expected) => {
  expect(isMutated(file)).toBe(expected);
});

test('every name of the list is of a file that is there', () => {
  const { mutate } = JSON.parse(readFileSync('checks/mutate/stryker.config.json', 'utf8'));
  const empty = (mutate as string[])
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap(listEach)
    .filter((pattern) => globSync(pattern).length === 0);
  expect(empty).toEqual([]);
});

/** A pattern with one brace as a pattern for each of its names. */
function listEach(pattern: string): string[] {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? [];
  return names === undefined
    ? [pattern]
    : names.split(',').map((name) => `${before}${name}${after}`);
}

test.each([
  [1, [{ file: 'a', from: 5, to: 5 }], 3],
  [2, [{ file: 'a', from: 5, to: 6 }], 2],
  [
    3,
    [
      { file: 'a', from: 5, to: 6 },
      { file: 'b', from: 1, to: 1 },
    ],
    1,
  ],
  [
    4,
    [
      { file: 'a', from: 5, to: 6 },
      { file: 'b', from: 1, to: 2 },
    ],
    0,
  ],
])('of four lines at most %i are mutated, and the rest is counted', (most, chosen, left) => {
  const ranges = [
    { file: 'a', from: 5, to: 6 },
    { file: 'b', from: 1, to: 2 },
  ];
  expect(bound(ranges, most)).toEqual({ chosen, left });
});

const mutant = (status: string) => ({
  ...{ status, mutatorName: 'EqualityOperator', replacement: 'a <= b' },
  location: { start: { line: 7 } },
});
const reportOf = (caught: number, missed: number, more: readonly string[] = []) => ({
  files: {
    'a.ts': {
      mutants: [
        ...Array.from({ length: caught }, () => mutant('Killed')),
        ...Array.from({ length: missed }, () => mutant('Survived')),
        ...more.map(mutant),
      ],
    },
  },
});

test.each([
  [leastCaught + 1, 99 - leastCaught, 0],
  [leastCaught, 100 - leastCaught, 0],
  [leastCaught - 1, 101 - leastCaught, 1],
  [0, 1, 1],
  [0, 0, 0],
])('%i bugs that were caught and %i that were not fail %i check', (caught, missed, failed) => {
  expect(tallyMutants(reportOf(caught, missed))).toMatchObject({ failed, passed: 1 - failed });
});

test('what earlier runs found in other lines and files does not count', () => {
  const report = reportOf(0, 1);
  const failedIn = (from: number, to: number, file = 'a.ts') =>
    tallyMutants(report, [{ file, from, to }]).failed;
  expect([failedIn(7, 7), failedIn(6, 8), failedIn(1, 6), failedIn(8, 9)]).toEqual([1, 1, 0, 0]);
  expect(failedIn(7, 7, 'b.ts')).toBe(0);
});

test('a bug that hangs is caught, a bug without any test is not, and an explained bug does not count', () => {
  const { failed, failures } = tallyMutants(reportOf(10, 0, ['Timeout', 'Ignored', 'NoCoverage']));
  expect(failed).toBe(1);
  expect(failures).toEqual(['a.ts:7 › no test notices EqualityOperator: a <= b']);
  expect(tallyMutants(reportOf(12, 0, ['Ignored', 'CompileError'])).failed).toBe(0);
});
