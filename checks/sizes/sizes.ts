import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file that is longer than its kind may be, or a reason that nothing needs any more. */
export interface SizeFinding {
  readonly file: string;
  readonly problem: string;
}

/** Lines of a file of one idea. Tests and benches have many small cases of one idea, so they may be longer. */
const limits = { source: 300, test: 400 };
const isTest = /[.](test|bench|screens)[.]tsx?$/;
const sources =
  '{contract,server,office,web,testing,e2e,bench,chaos,checks,database,demo}/**/*.{ts,tsx,css}';
const unread = ['**/node_modules/**', '**/dist/**', 'checks/fixtures/**'];
/** In the first lines of a file that is long for a good reason. */
const reason = /^(?:\/\/|\/\*) Longer than \d+ lines: \S.{19,}/m;
const headLength = 400;

/**
 * Finds files that are too long without a reason in their first lines, and reasons in files that are short.
 *
 * @throws when fewer than `minimumFiles` were found: a check that reads nothing passes nothing.
 */
export function findLongFiles(root: string, minimumFiles: number): SizeFinding[] {
  const files = globSync(sources, { cwd: root, exclude: unread }).sort();
  if (files.length < minimumFiles)
    throw new Error(
      `The check of sizes found ${files.length} files under ${root}; at least ${minimumFiles} belong there.`,
    );
  return files.flatMap((file): SizeFinding[] => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const lines = text.split('\n').length - 1;
    const limit = isTest.test(file) ? limits.test : limits.source;
    const hasReason = reason.test(text.slice(0, headLength));
    if (lines > limit && !hasReason)
      return [
        {
          file,
          problem: `${lines} lines; at most ${limit}. Cut it where it has two ideas, or write at its head: // Longer than ${limit} lines: why`,
        },
      ];
    if (lines <= limit && hasReason)
      return [{ file, problem: `${lines} lines need no reason: remove it.` }];
    return [];
  });
}
