/**
 * `npm test`: every check of the product, in the order in which they fail fastest. `npm test -- types unit` runs
 * some. Ends with the failures by name and `N passed, N failed`, both from the runners' own reports; a static check
 * counts as one.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { add, type Tally, tallyPlaywright, tallyReport, tallyVitest } from './tally.ts';

interface Step {
  readonly title: string;
  run(): Promise<Tally>;
}

/** No step takes half of this on two free cores; one that hangs is ended, so that the rest still report. */
const stepMinutes = 50;
/** As many as one still reads; the runners' own output above has the rest. */
const namedFailures = 10;
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
  sizes: { title: 'Sizes of files', run: () => check('node', ['checks/sizes/check.ts']) },
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
  plans: {
    title: 'Plans of the statements that the tests ran',
    run: () => check('node', ['database/tools/check-plans.ts']),
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

async function check(command: string, args: string[], name?: string): Promise<Tally> {
  const exitCode = await start(command, args);
  if (name) process.stdout.write(`${exitCode === 0 ? 'ok' : 'FAILED'}  ${name}\n`);
  const passed = exitCode === 0 ? 1 : 0;
  return { passed, failed: 1 - passed, failures: [] };
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

  const { passed, failed, failures } = add(tallies);
  const named = failures.slice(0, namedFailures).map((failure) => `${failure}\n`);
  process.stdout.write(
    `\n━━ Summary ━━\n${summary.join('\n')}\n\n${named.join('')}${passed} passed, ${failed} failed\n`,
  );
  process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
}

if (import.meta.main) await runSteps(process.argv.slice(2));
