import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from '@swc/core';

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
 * @param minimumRows fewer rows mean that the table was not read as it is.
 */
export function checkCoverage(root: string, minimumRows: number): CoverageReport {
  const rows = readTable(readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8'));
  const readTests = rememberTests(root);
  const findings = rows.flatMap((row) =>
    findProblems(row, readTests).map((problem) => ({ id: row.id, problem })),
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

function findProblems(row: Row, readTests: (file: string) => readonly LivingTest[]): string[] {
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
  const tests = readTests(file);
  if (tests.length === 0) return [`${file} is missing, or contains no such test.`];
  if (!tests.some((one) => one.title === test || one.pattern.test(test)))
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

/** A test that runs whenever its file does. */
export interface LivingTest {
  /** As it stands in the source, placeholders and all. */
  readonly title: string;
  /** Matches the title with anything in the place of its placeholders. */
  readonly pattern: RegExp;
}

function rememberTests(root: string): (file: string) => readonly LivingTest[] {
  const known = new Map<string, readonly LivingTest[]>();
  return (file) => {
    const found = known.get(file) ?? readLivingTests(path.join(root, file));
    known.set(file, found);
    return found;
  };
}

function readLivingTests(file: string): LivingTest[] {
  if (!existsSync(file)) return [];
  const tree = parseSync(readFileSync(file, 'utf8'), {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'es2024',
  });
  const tests: LivingTest[] = [];
  collect(tree, tests);
  return tests;
}

interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

const testNames = new Set(['test', 'it']);
const suiteNames = new Set(['describe', 'suite']);
/** What keeps a test, or all of a suite, from running or from having to pass. */
const deadly = new Set(['skip', 'skipIf', 'runIf', 'todo', 'fixme', 'fail', 'fails']);

function collect(node: unknown, tests: LivingTest[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) collect(item, tests);
    return;
  }
  if ((node as Node).type === 'CallExpression') {
    const names = namesOf((node as Node).callee as Node);
    const [first = ''] = names;
    const isSuite = suiteNames.has(first) || names.includes('describe');
    if ((testNames.has(first) || isSuite) && names.some((name) => deadly.has(name))) return;
    if (testNames.has(first) && !isSuite) {
      const [title, ...rest] = (node as { arguments?: { expression: Node }[] }).arguments ?? [];
      const text = title && readTitle(title.expression);
      if (text !== undefined && rest.length > 0) {
        if (!endsItself(rest)) tests.push({ title: text, pattern: toPattern(text) });
        return;
      }
    }
  }
  for (const value of Object.values(node)) collect(value, tests);
}

/** `test.describe.each(…)` → test, describe, each. */
function namesOf(node: Node | undefined): string[] {
  switch (node?.type) {
    case 'Identifier':
      return [String(node.value)];
    case 'MemberExpression':
      return [...namesOf(node.object as Node), ...namesOf(node.property as Node)];
    case 'CallExpression':
      return namesOf(node.callee as Node);
    case 'TaggedTemplateExpression':
      return namesOf(node.tag as Node);
    case 'ParenthesisExpression':
    case 'TsAsExpression':
      return namesOf(node.expression as Node);
    default:
      return [];
  }
}

/** Whether a test's body skips it, as `test.skip(…)` or `context.skip()` do from inside. */
function endsItself(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  if (Array.isArray(node)) return node.some(endsItself);
  if ((node as Node).type === 'CallExpression') {
    const names = namesOf((node as Node).callee as Node);
    if (names.length > 1 && ['skip', 'fixme', 'fail'].includes(names.at(-1) ?? '')) {
      if (/^(test|it|context|ctx|info|testInfo)$/.test(names[0] ?? '')) return true;
    }
  }
  return Object.values(node).some(endsItself);
}

/** Where a template puts something in. */
const hole = '\0';

function readTitle(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { cooked: string | null; raw: string }[])
    .map(({ cooked, raw }) => cooked ?? raw)
    .join(hole);
}

/** `%s`, `$name.part` and what a template puts in stand for any words. */
function toPattern(title: string): RegExp {
  const words = title
    .split(/\0|%[sdifjo#]|\$[a-z_][\w.]*/i)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${words.join('.+')}$`, 's');
}
