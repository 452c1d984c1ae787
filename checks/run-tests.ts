/**
 * `npm test`: every check of the product, in the order in which they fail fastest. `npm test -- types unit` runs
 * some, `npm test -- changed` what a change touches, `npm run check` the quick ones, and `npm run long` the
 * property tests with many more examples. Ends with the failures by name and `N passed, N failed`, both from the
 * runners' own reports; a static check counts as one.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { readBase, readChange, readUnknown, selectTests } from './changed.ts';
import { bound, readChangedLines } from './mutate/changed-lines.ts';
import { tallyMutants } from './mutate/report.ts';
import { type Say, type StartOptions, start } from './start-program.ts';
import { add, type Tally, tallyPlaywright, tallyReport, tallyVitest } from './tally.ts';

interface Step {
  readonly title: string;
  /** Runs beside other checks, so its output waits until it ends. */
  readonly isStatic?: true;
  /** Only when it is asked for. */
  readonly isExtra?: true;
  run(say: Say): Promise<Tally>;
}

/** As many as one still reads; the runners' own output above has the rest. */
const namedFailures = 10;
/** Each is mostly one thread, and the machine that counts has two cores. */
const staticAtOnce = 2;
/** Of a change, lines of pure files that get machine-made bugs: some three minutes. The night tries all (`npm run mutate`). */
const mutatedLines = 200;
/** How many times as many examples `npm run long` tries, and the minutes of a night that it may take. */
const long = { runs: 20, minutes: 480 };
/** Steps for which there may be nothing to do. */
const ofTheChange: ReadonlySet<string> = new Set(['changed', 'mutate']);
const reports = path.resolve('test-results');

const steps: Record<string, Step> = {
  types: {
    title: 'Types',
    isStatic: true,
    run: async (say) =>
      add(
        await Promise.all(
          globSync('{tsconfig.json,*/tsconfig*.json}').map((project) => {
            const known = `node_modules/.cache/types/${project.replaceAll('/', '-')}`;
            return check(
              say,
              'tsc',
              [
                '--project',
                project,
                '--pretty',
                'false',
                '--incremental',
                '--tsBuildInfoFile',
                known,
              ],
              `types by ${project}`,
            );
          }),
        ),
      ),
  },
  knip: {
    title: 'Dead code',
    isStatic: true,
    run: (say) => check(say, 'knip', ['--treat-config-hints-as-errors']),
  },
  lint: {
    title: 'Format and lint',
    isStatic: true,
    run: (say) => check(say, 'biome', ['check', '--error-on-warnings']),
  },
  imports: {
    title: 'Imports',
    isStatic: true,
    run: (say) => check(say, 'node', ['checks/imports/check.ts']),
  },
  sizes: {
    title: 'Sizes of files',
    isStatic: true,
    run: (say) => check(say, 'node', ['checks/sizes/check.ts']),
  },
  coverage: {
    title: 'A test for each promise of the specification',
    isStatic: true,
    run: (say) => check(say, 'node', ['checks/spec-coverage/check.ts']),
  },
  texts: {
    title: 'Texts in every language',
    isStatic: true,
    run: (say) => check(say, 'node', ['checks/locales/check.ts']),
  },
  build: {
    title: 'Build of the page and of the console',
    isStatic: true,
    run: async (say) =>
      add([
        await check(say, 'npm', ['run', 'build', '-w', 'web'], 'the page'),
        await check(say, 'npm', ['run', 'build', '-w', 'office'], 'the console'),
      ]),
  },
  browser: {
    title: 'Browser',
    isStatic: true,
    run: (say) => check(say, 'node', ['testing/browser.ts']),
  },
  unit: { title: 'Unit and integration tests', run: () => runVitest(['run'], []) },
  plans: {
    title: 'Plans of the statements that the tests ran',
    run: (say) => check(say, 'node', ['database/tools/check-plans.ts']),
  },
  journeys: { title: 'Journeys in a browser', run: () => runPlaywright([]) },
  both: {
    title: 'Every journey on a phone and on a computer',
    isExtra: true,
    run: () => runPlaywright([], { E2E_SIZES: 'both' }),
  },
  long: {
    title: 'Property tests with many more examples, and what takes minutes',
    isExtra: true,
    run: () => {
      const files = globSync(
        '{bench,chaos,contract,server,web,testing,demo,database}/**/*.{test,long}.ts',
        {
          exclude: ['**/node_modules/**'],
        },
      ).filter((file) => /'fast-check'|testing\/runs\.ts'/.test(readFileSync(file, 'utf8')));
      const env = { TEST_RUNS: String(long.runs) };
      return runVitest(['run'], files, { env, minutes: long.minutes });
    },
  },
  changed: { title: 'What the change touches', isExtra: true, run: runChanged },
  mutate: {
    title: 'Machine-made bugs in the pure lines of the change',
    isExtra: true,
    run: runMutants,
  },
};

async function runVitest(
  mode: readonly string[],
  files: readonly string[],
  options: StartOptions = {},
): Promise<Tally> {
  const report = path.join(reports, 'vitest.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const exitCode = await start('vitest', [...mode, ...reporters, ...files], options);
  return tallyReport(exitCode, report, tallyVitest);
}

async function runPlaywright(
  files: readonly string[],
  env: Record<string, string> = {},
): Promise<Tally> {
  const report = path.join(reports, 'playwright.json');
  const exitCode = await start('playwright', ['test', ...files], {
    env: { E2E_REPORT: report, ...env },
  });
  return tallyReport(exitCode, report, tallyPlaywright);
}

/** The tests that import what changed since main, those that read changed data, and the journeys through it. */
async function runChanged(): Promise<Tally> {
  const change = readChange();
  const { sources, readers, journeys } = selectTests(change, globSync('e2e/**/*.test.ts'));
  process.stdout.write(
    `${change.length} files differ from main: ${sources.length} sources, ${journeys.length} journeys.\n`,
  );
  const tallies: Tally[] = [];
  const present = sources.filter((file) => existsSync(file));
  if (present.length > 0) {
    const related = await runVitest(['related', '--run', '--passWithNoTests'], present);
    // A source that no test imports is no failure.
    if (related.passed + related.failures.length > 0) tallies.push(related);
  }
  if (readers.length > 0) tallies.push(await runVitest(['run'], readers));
  if (journeys.length > 0) tallies.push(await runPlaywright(journeys));
  tallies.push(await runMutants());
  return add(tallies);
}

/** The lines of pure files that the change made, each with the bugs that Stryker knows: a test must notice 92 of 100. */
async function runMutants(): Promise<Tally> {
  const { chosen, left } = bound(readChangedLines(readBase(), readUnknown()), mutatedLines);
  if (chosen.length === 0) return add([]);
  if (left > 0) process.stdout.write(`${left} more lines changed: npm run mutate tries them.\n`);
  const places = chosen.map(({ file, from, to }) => `${file}:${from}-${to}`).join(',');
  const settings = 'checks/mutate/stryker.config.json';
  // A bug in what a module sets up needs a start of its own, a hundred times as long: those are for the night.
  const lines = ['--mutate', places, '--ignoreStatic', '--reporters', 'clear-text,json'];
  const report = path.join(reports, 'mutation.json');
  // Its own exit code is of the share that tallyMutants counts.
  await start('stryker', ['run', settings, ...lines], {});
  return tallyReport(0, report, (found: Parameters<typeof tallyMutants>[0]) =>
    tallyMutants(found, chosen),
  );
}

async function check(say: Say, command: string, args: string[], name?: string): Promise<Tally> {
  const exitCode = await start(command, args, { say });
  if (name) say(`${exitCode === 0 ? 'ok' : 'FAILED'}  ${name}\n`);
  const passed = exitCode === 0 ? 1 : 0;
  return { passed, failed: 1 - passed, failures: [] };
}

interface Result {
  readonly tally: Tally;
  readonly line: string;
}

/** Prints a step with its output, at once or, beside others, when it has ended. */
async function runStep({ title, isStatic, run }: Step): Promise<Result> {
  let output = `\n━━ ${title} ━━\n`;
  const say: Say = (text) => {
    if (isStatic) output += text;
    else process.stdout.write(text);
  };
  if (!isStatic) process.stdout.write(output);
  const started = performance.now();
  const tally = await run(say);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  if (isStatic) process.stdout.write(output);
  const state = tally.failed === 0 ? 'ok    ' : 'FAILED';
  const line = `${state}  ${title}: ${tally.passed} passed, ${tally.failed} failed (${seconds} s)`;
  return { tally, line };
}

async function runAll(chosen: readonly Step[]): Promise<Result[]> {
  const results = new Map<Step, Result>();
  const waiting = chosen.filter(({ isStatic }) => isStatic);
  const lane = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift())
      results.set(step, await runStep(step));
  };
  await Promise.all(Array.from({ length: staticAtOnce }, lane));
  for (const step of chosen) if (!step.isStatic) results.set(step, await runStep(step));
  return chosen.flatMap((step) => results.get(step) ?? []);
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

  const chosen = Object.entries(steps)
    .filter(([name, { isExtra }]) => (names.length > 0 ? names.includes(name) : !isExtra))
    .map(([, step]) => step);
  const results = await runAll(chosen);
  const { passed, failed, failures } = add(results.map(({ tally }) => tally));
  const summary = results.map(({ line }) => line).join('\n');
  const named = failures.slice(0, namedFailures).map((failure) => `${failure}\n`);
  process.stdout.write(
    `\n━━ Summary ━━\n${summary}\n\n${named.join('')}${passed} passed, ${failed} failed\n`,
  );
  const isNothingExpected = names.every((name) => ofTheChange.has(name)) && names.length > 0;
  process.exitCode = failed === 0 && (passed > 0 || isNothingExpected) ? 0 : 1;
}

if (import.meta.main) await runSteps(process.argv.slice(2));
