import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Migration, readMigrations } from './migrations.ts';

/** Digests of the migrations that installed databases have applied (docs/releasing.md). */
const released: Record<string, string> = JSON.parse(
  await readFile(new URL('../../../database/released-migrations.json', import.meta.url), 'utf8'),
);

/** Names of released migrations that are gone or no longer the same to the byte. */
function findChanged(tree: readonly Pick<Migration, 'name' | 'sha256'>[]): string[] {
  const digests = new Map(tree.map(({ name, sha256 }) => [name, sha256]));
  return Object.keys(released).filter((name) => digests.get(name) !== released[name]);
}

test('a migration that was released is never changed or removed: a new one follows it', async () => {
  expect(findChanged(await readMigrations())).toEqual([]);
});

test('a changed and a missing one are both found', async () => {
  const [first, second, ...rest] = await readMigrations();
  if (!first || !second) throw new Error('There are no migrations.');
  const changed = { ...first, sha256: second.sha256 };
  expect(findChanged([changed, ...rest])).toEqual([first.name, second.name]);
});
