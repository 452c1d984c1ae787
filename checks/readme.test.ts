import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

function read(file: string): string {
  return readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
}

/** What the pattern's group matches in the part of `text` from `start` up to `end`. */
function collect(
  text: string,
  start: string,
  end: string,
  pattern: RegExp,
): (string | undefined)[] {
  const part = text.split(start)[1]?.split(end)[0] ?? '';
  return [...part.matchAll(pattern)].map(([, name]) => name).sort();
}

test('the README names every setting that the product reads, and no other', () => {
  const config = read('server/src/platform/config.ts');
  const declared = collect(config, 'const Environment = z.object({', '\n});', /^ {2}([A-Z_]+):/gm);
  const documented = collect(read('README.md'), '\n## Settings\n', '\n## ', /^\| `([A-Z_]+)`/gm);
  expect(declared).toContain('PORT');
  expect(documented).toEqual(declared);
});
