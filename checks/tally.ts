/** What the test runners' JSON reports say: how many tests passed, and which did not, with why. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** What failed, each with the beginning of its reason; empty where the runner has said it in a line or two. */
  readonly failures: readonly string[];
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly line: number;
    readonly title: string;
    readonly tests: readonly {
      readonly projectName: string;
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

interface PlaywrightReport {
  readonly errors: readonly { readonly message?: string }[];
  readonly stats: { readonly expected: number };
  readonly suites: readonly PlaywrightSuite[];
}

/** Enough of a reason to hold a property test's seed and counterexample. */
const reasonLines = 12;
const reasonWidth = 300;

/** Vitest's JSON report. A skipped test, and a file that fails outside its tests, count as failed. */
export function tallyVitest({ numPassedTests, testResults }: VitestReport): Tally {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative('.', name);
    const ofTests = assertionResults
      .filter((result) => result.status !== 'passed')
      .map((result) =>
        failure(`${file} › ${result.fullName}`, result.status, result.failureMessages?.[0]),
      );
    const outsideTests =
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed');
    return outsideTests ? [...ofTests, failure(file, status, message)] : ofTests;
  });
  return { passed: numPassedTests, failed: failures.length, failures };
}

/** Playwright's JSON report. A skipped or flaky test, and an error outside tests, count as failed. */
export function tallyPlaywright({ errors, stats, suites }: PlaywrightReport): Tally {
  const failures = [
    ...errors.map(({ message }) => failure('outside the journeys', 'failed', message)),
    ...suites.flatMap(failedJourneys),
  ];
  return { passed: stats.expected, failed: failures.length, failures };
}

function failedJourneys({ suites = [], specs = [] }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ projectName, status, results }) => {
        const reason = results.find(({ error }) => error)?.error?.message;
        return failure(`[${projectName}] ${file}:${line} › ${title}`, status, reason);
      }),
  );
  return [...own, ...suites.flatMap(failedJourneys)];
}

function failure(name: string, status: string, reason = ''): string {
  const lines = stripVTControlCharacters(reason)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, reasonLines)
    .map((line) => `    ${line.slice(0, reasonWidth)}`);
  return [`${name}: ${status}`, ...lines].join('\n');
}

/** A runner that left no report, ran nothing, or says by its exit code what its report does not, counts as one failure. */
export function tallyReport<Report>(
  exitCode: number,
  file: string,
  tally: (report: Report) => Tally,
): Tally {
  let counted: Tally;
  try {
    counted = tally(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    process.stdout.write(`No report: ${error instanceof Error ? error.message : error}\n`);
    return { passed: 0, failed: 1, failures: [] };
  }
  const silent = counted.failed === 0 && (exitCode !== 0 || counted.passed === 0);
  return silent ? { ...counted, failed: 1 } : counted;
}

export function add(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  };
}
