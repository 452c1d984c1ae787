import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ListedTest } from './listed-tests.ts';

/** One line of docs/spec-coverage.md. */
interface Row {
  readonly id: string;
  readonly requirement: string;
  readonly file: string;
  readonly test: string;
  readonly note: string;
}

export interface Finding {
  /** The row's id; empty for the table as a whole. */
  readonly id: string;
  readonly problem: string;
}

export interface CoverageReport {
  readonly rowCount: number;
  readonly findings: readonly Finding[];
}

const testFile = /[.](test[.]tsx?|spec[.]ts)$/;
/** A requirement that was decided against says so in its note, and why. */
const decision = /^Decided against: \S.{19,}/;

/**
 * Checks docs/spec-coverage.md against the tests: each requirement names an existing test, or a decision against it.
 *
 * @param tests what the runners list
 * @param minimumRows fewer rows mean that the table was not read as it is.
 */
export function checkCoverage(
  root: string,
  tests: readonly ListedTest[],
  minimumRows: number,
): CoverageReport {
  const rows = readTable(readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8'));
  const ofFile = Map.groupBy(tests, ({ file }) => file);
  const findings = rows.flatMap((row) =>
    findProblems(row, ofFile.get(row.file) ?? []).map((problem) => ({ id: row.id, problem })),
  );
  findings.push(...findGaps(rows).map((problem) => ({ id: '', problem })));
  if (rows.length < minimumRows) {
    const problem = `The table has ${rows.length} rows; at least ${minimumRows} belong there.`;
    findings.push({ id: '', problem });
  }
  return { rowCount: rows.length, findings };
}

function readTable(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\|\s*\d+\.\d+\s*\|/.test(line))
    .map((line) => {
      const cells = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) =>
          cell
            .trim()
            .replaceAll('\\|', '|')
            .replace(/^`(.*)`$/, '$1'),
        );
      const [id = '', requirement = '', file = '', test = '', note = ''] = cells;
      return { id, requirement, file, test, note };
    });
}

function findProblems(row: Row, tests: readonly ListedTest[]): string[] {
  const { requirement, file, test, note } = row;
  if (requirement === '') return ['Say what is required.'];
  if (file === '' && test === '') {
    if (decision.test(note)) return [];
    return [
      'Name the file and the test, or write "Decided against: …" with the reason as its note.',
    ];
  }
  if (!testFile.test(file))
    return [`"${file}" is no test file (*.test.ts, *.test.tsx, *.spec.ts).`];
  if (tests.length === 0) return [`${file} is missing, or contains no such test.`];
  if (!tests.some(({ title }) => isSameTitle(title, test)))
    return [`${file} has no living test "${test}".`];
  return [];
}

/** Ids run from N.01 without a gap in each section, so that a row which is taken out is missed. */
function findGaps(rows: readonly Row[]): string[] {
  const problems: string[] = [];
  const lastOf = new Map<string, number>();
  for (const { id } of rows) {
    const [section = '', number = ''] = id.split('.');
    const expected = (lastOf.get(section) ?? 0) + 1;
    if (Number(number) !== expected)
      problems.push(
        `After ${section}.${pad(expected - 1)} comes ${section}.${pad(expected)}, not ${id}.`,
      );
    lastOf.set(section, Number(number));
  }
  return problems;
}

const pad = (number: number) => String(number).padStart(2, '0');

/** Whether two titles are one, with anything in the place of a placeholder: `%s`, `$name.part` or `${…}`. */
function isSameTitle(listed: string, named: string): boolean {
  return listed === named || toPattern(listed).test(named) || toPattern(named).test(listed);
}

function toPattern(title: string): RegExp {
  const words = title
    .split(/%[sdifjo#]|\$\{[^}]*\}|\$[a-z_][\w.]*/i)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${words.join('.+')}$`, 's');
}
