import { writeFileSync } from 'node:fs';
import { readMigrations } from '../server/src/platform/migrations.ts';
import { readSurface } from './surface.ts';

/**
 * `npm run record-release`: what users can see now is what the release has, and the changelog starts from it anew.
 * Its migrations are never edited again.
 */
function write(file: string, entries: readonly (readonly [string, unknown])[]): void {
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(sorted), null, 2);
  writeFileSync(new URL(file, import.meta.url), `${text}\n`);
}

write('released-surface.json', Object.entries(await readSurface()));
write(
  '../database/released-migrations.json',
  (await readMigrations()).map(({ name, sha256 }) => [name, sha256] as const),
);
