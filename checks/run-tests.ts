/**
 * `npm test`: every check of the product, in the order in which they fail fastest. `npm test -- types unit` runs
 * some. Ends with `N passed, N failed`, counted from the runners' own reports; a static check counts as one.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

interface Step {
  readonly title: string;
  run(): Promise<Tally>;
}

/** No step takes half of this on two free cores; one that hangs is ended, so that the rest still report. */
const stepMinutes = 50;
const reports = path.resolve('test-results');

const steps: Record<string, Step> = {
  types: {
    title: 'Types',
    run: async () =>
      add(
        await Promise.all(
          globSync('{tsconfig.json,*/tsconfig*.json}').map((project) =>
            check('tsc', ['--project', project, '--pretty', 'false'], `types by ${project}`),
          ),
        ),
      ),
  },
  lint: { title: 'Format and lint', run: () => check('biome', ['check', '--error-on-warnings']) },
  imports: { title: 'Imports', run: () => check('node', ['checks/imports/check.ts']) },
  knip: { title: 'Dead code', run: () => check('knip', ['--treat-config-hints-as-errors']) },
  build: { title: 'Build of the page', run: () => check('npm', ['run', 'build', '-w', 'web']) },
  browser: { title: 'Browser', run: () => check('node', ['testing/browser.ts']) },
  unit: {
    title: 'Unit and integration tests',
    async run() {
      const report = path.join(reports, 'vitest.json');
      const exitCode = await start('vitest', [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ]);
      return tallyReport(exitCode, report, tallyVitest);
    },
  },
  journeys: {
    title: 'Journeys in a browser',
    async run() {
      const report = path.join(reports, 'playwright.json');
      const exitCode = await start('playwright', ['test'], { E2E_REPORT: report });
      return tallyReport(exitCode, report, tallyPlaywright);
    },
  },
};

/** Vitest's JSON report. A skipped test, and a file that fails outside its tests, count as failed. */
export function tallyVitest(report: {
  numTotalTests: number;
  numPassedTests: number;
  testResults: readonly {
    status: string;
    assertionResults: readonly { status: string }[];
  }[];
}): Tally {
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((result) => result.status === 'failed'),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numTotalTests - report.numPassedTests + brokenFiles.length,
  };
}

/** Playwright's JSON report. A skipped or flaky test, and an error outside tests, count as failed. */
export function tallyPlaywright(report: {
  errors: readonly unknown[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
}): Tally {
  const { expected, unexpected, flaky, skipped } = report.stats;
  return { passed: expected, failed: unexpected + flaky + skipped + report.errors.length };
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
    return { passed: 0, failed: 1 };
  }
  const silent = counted.failed === 0 && (exitCode !== 0 || counted.passed === 0);
  return silent ? { ...counted, failed: 1 } : counted;
}

function add(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    failed: tallies.reduce((sum, { failed }) => sum + failed, 0),
  };
}

async function check(command: string, args: string[], name?: string): Promise<Tally> {
  const exitCode = await start(command, args);
  if (name) process.stdout.write(`${exitCode === 0 ? 'ok' : 'FAILED'}  ${name}\n`);
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Exit code of a program of node_modules/.bin or PATH, which speaks straight to our own output. */
function start(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env },
      timeout: stepMinutes * 60_000,
    });
    child.once('error', (error) => {
      process.stdout.write(`${command} does not start: ${error.message}. Run \`npm ci\`.\n`);
      resolve(1);
    });
    child.once('close', (code, signal) => {
      if (signal) process.stdout.write(`${command} was ended by ${signal}.\n`);
      resolve(code ?? 1);
    });
  });
}

async function runSteps(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(steps, name));
  if (unknown.length > 0) {
    process.stderr.write(
      `No step ${unknown.join(', ')}; there are ${Object.keys(steps).join(', ')}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports);

  const summary: string[] = [];
  const tallies: Tally[] = [];
  for (const [name, step] of Object.entries(steps)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stdout.write(`\n━━ ${step.title} ━━\n`);
    const started = performance.now();
    const tally = await step.run();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    tallies.push(tally);
    summary.push(
      `${tally.failed === 0 ? 'ok    ' : 'FAILED'}  ${step.title}: ${tally.passed} passed, ${tally.failed} failed (${seconds} s)`,
    );
  }

  const { passed, failed } = add(tallies);
  process.stdout.write(
    `\n━━ Summary ━━\n${summary.join('\n')}\n\n${passed} passed, ${failed} failed\n`,
  );
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

if (import.meta.main) await runSteps(process.argv.slice(2));
