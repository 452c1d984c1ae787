/** Which lines of the pure files a change touches: where `npm test -- mutate` puts machine-made bugs. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Lines of a file, both counted in, from 1. */
export interface LineRange {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

const config = JSON.parse(readFileSync(new URL('stryker.config.json', import.meta.url), 'utf8'));

/** The files of `npm run mutate`, by its own list. */
export function isMutated(file: string): boolean {
  const patterns: readonly string[] = config.mutate;
  const isOf = (pattern: string) => path.matchesGlob(file, pattern);
  const isExcluded = patterns.some((one) => one.startsWith('!') && isOf(one.slice(1)));
  return !isExcluded && patterns.some((one) => !one.startsWith('!') && isOf(one));
}

/** @param diff of `git diff --unified=0` */
export function readRanges(diff: string): LineRange[] {
  const ranges: LineRange[] = [];
  let file = '';
  for (const line of diff.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file;
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (start === undefined || Number(count) === 0) continue;
    ranges.push({ file, from: Number(start), to: Number(start) + Number(count) - 1 });
  }
  return ranges;
}

/**
 * The first so many lines, so that a large change does not take hours: about one mutant a line, and two of them a second.
 *
 * @returns what is left over, in lines
 */
export function bound(
  ranges: readonly LineRange[],
  mostLines: number,
): { readonly chosen: readonly LineRange[]; readonly left: number } {
  const chosen: LineRange[] = [];
  let room = mostLines;
  let left = 0;
  for (const range of ranges) {
    const length = range.to - range.from + 1;
    const taken = Math.min(length, room);
    if (taken > 0) chosen.push({ ...range, to: range.from + taken - 1 });
    room -= taken;
    left += length - taken;
  }
  return { chosen, left };
}

/** What a change since `base` made anew in pure files, committed or not. */
export function readChangedLines(base: string, unknown: readonly string[]): LineRange[] {
  const diff = execFileSync('git', ['diff', '--unified=0', '--no-renames', base, '--', '*.ts'], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 ** 2,
  });
  const added = unknown
    .filter((file) => file.endsWith('.ts') && isMutated(file))
    .map((file) => ({ file, from: 1, to: readFileSync(file, 'utf8').split('\n').length }));
  return [...readRanges(diff).filter(({ file }) => isMutated(file)), ...added];
}
