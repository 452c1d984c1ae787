/**
 * The numeric limits of the server and the contract that nothing tries one below, at, and one above: a limit's file is mutated
 * (`npm run mutate` moves each comparison by one), or a test imports the limit by its name and goes around it.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isMutated } from '../mutate/changed-lines.ts';

/** `const mostTries = 5;`, `export const idleMs = 24 * 60_000;` */
const limit = /^(?:export )?const (\w+)(?:: \w+)? = [\d._]+(?: \*\*? [\w.]+)*;$/gm;

/** @returns the names of a source's numeric limits */
export function findLimits(source: string): string[] {
  return [...source.matchAll(limit)].map(([, name = '']) => name);
}

/** Whether a test takes the limit from its file, and so goes by whatever it is. */
export function isImported(name: string, file: string, test: string): boolean {
  const from = new RegExp(`import[^;]*\\b${name}\\b[^;]*from '[^']*/${path.basename(file)}'`);
  return from.test(test);
}

/** Each limit that is not tried, as `FILE NAME`. */
export function listUntried(root: string): string[] {
  const list = (pattern: string) => globSync(pattern, { cwd: root });
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const all = list('{server,contract}/src/**/*.ts');
  const tests = all.filter((file) => file.endsWith('.test.ts')).map(read);
  return all
    .filter((file) => !file.endsWith('.test.ts') && !isMutated(file))
    .flatMap((file) =>
      findLimits(read(file))
        .filter((name) => !tests.some((test) => isImported(name, file, test)))
        .map((name) => `${file} ${name}`),
    )
    .sort();
}
