/** What the runners list without running anything: Vitest parses its files, Playwright loads its journeys. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** A test that runs and has to pass. What skips itself while it runs counts as failed in `npm test`. */
export interface ListedTest {
  /** Relative to the tree's root. */
  readonly file: string;
  /** Without its suites; of a table, with placeholders (Vitest) or once for each case (Playwright). */
  readonly title: string;
}

const maximumBytes = 64 * 1024 * 1024;

export async function listTests(root: string): Promise<ListedTest[]> {
  return (await Promise.all([listVitest(root), listPlaywright(root)])).flat();
}

async function listVitest(root: string): Promise<ListedTest[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-list-'));
  const list = path.join(folder, 'list.json');
  try {
    await run('vitest', ['list', '--staticParse', `--json=${list}`], root);
    const tests: readonly { name: string; file: string }[] = JSON.parse(readFileSync(list, 'utf8'));
    return tests.map(({ name, file }) => ({
      file: path.relative(root, file),
      // A parsed title comes with its quotes escaped.
      title: (name.split(' > ').at(-1) ?? name).replaceAll('\\"', '"'),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface ListedJourney {
  readonly expectedStatus: string;
  /** Among them `fail`, for a journey that must not pass. */
  readonly annotations: readonly { readonly type: string }[];
}

interface JourneySuite {
  readonly suites?: readonly JourneySuite[];
  readonly specs?: readonly {
    readonly file: string;
    readonly title: string;
    readonly tests: readonly ListedJourney[];
  }[];
}

async function listPlaywright(root: string): Promise<ListedTest[]> {
  const output = await run('playwright', ['test', '--list', '--reporter=json'], root);
  const { config, suites }: { config: { rootDir: string }; suites: readonly JourneySuite[] } =
    JSON.parse(output);
  const collect = ({ suites = [], specs = [] }: JourneySuite): ListedTest[] => [
    ...specs
      .filter(({ tests }) => tests.some(hasToPass))
      .map(({ file, title }) => ({
        file: path.relative(root, path.join(config.rootDir, file)),
        title,
      })),
    ...suites.flatMap(collect),
  ];
  return suites.flatMap(collect);
}

function hasToPass({ expectedStatus, annotations }: ListedJourney): boolean {
  return expectedStatus === 'passed' && annotations.every(({ type }) => type !== 'fail');
}

/** Standard output of a program of this tree, run in `root`. */
async function run(program: string, args: readonly string[], root: string): Promise<string> {
  const file = path.resolve('node_modules/.bin', program);
  const { stdout } = await promisify(execFile)(file, args, { cwd: root, maxBuffer: maximumBytes });
  return stdout;
}
