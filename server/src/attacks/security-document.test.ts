import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lines = readFileSync(`${root}SECURITY.md`, 'utf8').split('\n');

/** Every `file`: "title", "title" of a table's row. */
function readProofs(line: string): { file: string; title: string }[] {
  return [...line.matchAll(/`([\w./-]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
    ([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
}

/** The whole title, but for numbers that a run fills in: a part of one could come to mean something else. */
const isTitle = (title: string): RegExp => {
  const literal = title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(['"\`]|\\$\\{\\w+\\} )${literal}(['"\`]| \\$\\{| \\(seed)`);
};

const rows = lines.filter((line) => /^\| (?!Promise|Item|-)/.test(line));
const proofs = rows.flatMap(readProofs);

test('every test that SECURITY.md names is there', () => {
  expect(proofs.length).toBeGreaterThan(60);
  const gone = proofs.filter(({ file, title }) => {
    if (!existsSync(root + file)) return true;
    return !isTitle(title).test(readFileSync(root + file, 'utf8'));
  });
  expect(gone).toEqual([]);
});

test('every threat and every item has its test or its reason', () => {
  for (const row of rows) {
    const proof = row.split('|').at(-2)?.trim() ?? '';
    expect(proof.length, row).toBeGreaterThan(5);
  }
});
