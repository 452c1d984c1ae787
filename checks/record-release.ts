import { writeFileSync } from 'node:fs';
import { readSurface } from './surface.ts';

/** `npm run record-release`: what users can see now is what the release has; the changelog starts from it anew. */
const surface = Object.entries(await readSurface()).sort(([a], [b]) => (a < b ? -1 : 1));
const file = new URL('released-surface.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(Object.fromEntries(surface), null, 2)}\n`);
