/** What Stryker's JSON report says: the share of machine-made bugs that a test noticed, and those that none did. */
import type { Tally } from '../tally.ts';
import type { LineRange } from './changed-lines.ts';

interface MutationReport {
  readonly files: Readonly<
    Record<
      string,
      {
        readonly mutants: readonly {
          readonly status: string;
          readonly mutatorName: string;
          readonly replacement?: string;
          readonly location: { readonly start: { readonly line: number } };
        }[];
      }
    >
  >;
}

/** In percent; the same as `npm run mutate` asks of all files. */
export const leastCaught = 92;

const caughtBy: ReadonlySet<string> = new Set(['Killed', 'Timeout']);
const missedBy: ReadonlySet<string> = new Set(['Survived', 'NoCoverage']);

/**
 * One check of the bugs in what a report covers. A bug that is none, such as a shortcut that only saves time, is explained
 * beside the code: `// Stryker disable next-line NAME: why`.
 *
 * @param lines alone; a report also has what earlier runs found elsewhere
 */
export function tallyMutants({ files }: MutationReport, lines?: readonly LineRange[]): Tally {
  const isOf = (file: string, line: number) =>
    lines === undefined ||
    lines.some((one) => one.file === file && one.from <= line && line <= one.to);
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants
      .filter(({ location }) => isOf(file, location.start.line))
      .map((mutant) => ({ file, ...mutant })),
  );
  const caught = all.filter(({ status }) => caughtBy.has(status)).length;
  const missed = all.filter(({ status }) => missedBy.has(status));
  if (missed.length === 0 || caught * 100 >= leastCaught * (caught + missed.length))
    return { passed: 1, failed: 0, failures: [] };
  const failures = missed.map(
    ({ file, location, mutatorName, replacement = '' }) =>
      `${file}:${location.start.line} › no test notices ${mutatorName}: ${replacement.slice(0, 100)}`,
  );
  return { passed: 0, failed: 1, failures };
}
