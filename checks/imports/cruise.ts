import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type VariableDeclarator } from '@swc/core';
import { Visitor } from '@swc/core/Visitor.js';
import { cruise } from 'dependency-cruiser';
import { importRules } from './rules.ts';

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
  readonly advice: string;
}

export interface ImportReport {
  readonly moduleCount: number;
  readonly dependencyCount: number;
  readonly violations: readonly Violation[];
}

const folders = [
  'contract',
  'office',
  'server',
  'web',
  'testing',
  'e2e',
  'bench',
  'chaos',
  'checks',
  'database',
  'demo',
  'dev',
];
const unread = ['**/node_modules/**', 'checks/fixtures/**', '{office,web}/dist/**'];

// `using` is newer than swc's visitor, which stops at it; to the import rules it is a declaration like any other.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (statement) {
  const declaration: { type: string; decls?: VariableDeclarator[] } = statement;
  if (declaration.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(declaration.decls ?? []);
  return statement;
};

/**
 * Compares every source file under `root` with `importRules`.
 *
 * dependency-cruiser reads no TypeScript when it meets a compiler newer than it knows, and then reports
 * success; so every file found on disk must have been cruised and every import statement must have
 * left an edge.
 *
 * @throws when a file was not read, or fewer than `minimumModules` were.
 */
export async function checkImports(root: string, minimumModules: number): Promise<ImportReport> {
  const files = globSync('**/*.{ts,tsx}', { cwd: root, exclude: unread })
    .filter((file) => folders.includes(file.split(path.sep)[0] ?? '') || !file.includes(path.sep))
    .sort();
  if (files.length < minimumModules)
    throw new Error(
      `The import check found ${files.length} source files under ${root}; at least ${minimumModules} belong there.`,
    );

  const { output } = await cruise(files, {
    baseDir: root,
    parser: 'swc',
    validate: true,
    ruleSet: { forbidden: structuredClone([...importRules]) },
    doNotFollow: { path: 'node_modules/' },
    exclude: { path: '(^|/)(office|web)/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered: ${output}`);

  const edges = new Map(
    output.modules.map((module) => [module.source, module.dependencies.length]),
  );
  const typeImports: Violation[] = [];
  for (const file of files) {
    const source = readFileSync(path.join(root, file), 'utf8');
    const count = edges.get(file);
    if (count === undefined || (count === 0 && /^(im|ex)port\b[^;]*?\bfrom '/m.test(source)))
      throw new Error(`The import check could not read the imports of ${file}.`);
    typeImports.push(...findInlineTypeImports(file, source), ...findStraySql(file, source));
  }

  const violations = output.summary.violations.map(
    ({ rule, from, to, cycle }): Violation => ({
      rule: rule.name,
      from,
      to: cycle ? cycle.map((step) => step.name).join(' → ') : to,
      advice: importRules.find(({ name }) => name === rule.name)?.comment ?? '',
    }),
  );
  return {
    moduleCount: files.length,
    dependencyCount: output.summary.totalDependenciesCruised ?? 0,
    violations: [...violations, ...typeImports],
  };
}

/** `import('./x.ts').T` is an import that dependency-cruiser does not see. */
function findInlineTypeImports(file: string, source: string): Violation[] {
  if (!/\bimport\s*\(/.test(source)) return [];
  const found: Violation[] = [];
  visitNodes(file, source, (node) => {
    if (node?.type === 'TsImportType')
      found.push({
        rule: 'no-inline-type-import',
        from: file,
        to: node.argument.value,
        advice: 'Write `import type { T } from …` at the top, where the import rules see it.',
      });
  });
  return found;
}

const storeless = /^server\/src\/(modules|commands)\/(?!.*(([/-]store|[.]test)[.]ts)$)/;

/** A connection that was handed on runs SQL without any import: by its `query`, or by COPY. */
function findStraySql(file: string, source: string): Violation[] {
  const isSuspect = /[.]query\s*\(|\bcopy/i.test(source);
  if (!isSuspect || !storeless.test(file.split(path.sep).join('/'))) return [];
  const found: Violation[] = [];
  const refuse = (to: string) =>
    found.push({
      rule: 'no-sql-beside-stores',
      from: file,
      to,
      advice:
        "All SQL of a module is in its *-store.ts: give the store's function a name, and call it.",
    });
  visitNodes(file, source, (node) => {
    const { type, callee, imported, local, value, raw } = node;
    if (type === 'CallExpression' && callee?.property?.value === 'query') refuse('.query(…)');
    if (type === 'ImportSpecifier' && (imported ?? local)?.value === 'copyInto') refuse('copyInto');
    const text = type === 'StringLiteral' ? value : type === 'TemplateElement' ? raw : '';
    if (/^\s*copy\s+\S/i.test(text) && /\b(stdin|stdout)\b/i.test(text)) refuse('COPY');
  });
  return found;
}

interface SyntaxNode {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: swc's nodes are of some hundred shapes
  readonly [key: string]: any;
}

function visitNodes(file: string, source: string, visit: (node: SyntaxNode) => void): void {
  const tree = parseSync(source, {
    syntax: 'typescript',
    tsx: file.endsWith('x'),
    target: 'es2024',
  });
  JSON.stringify(tree, (_key, node) => {
    if (typeof node?.type === 'string') visit(node);
    return node;
  });
}
