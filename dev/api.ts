import { globSync } from 'node:fs';
import { runApi } from '../server/src/api.ts';
import { openPageSources } from '../web/build/page-sources.ts';

/** The API with the page from its sources, run by `dev/start.ts` and by the journeys on React's development build. */

// Voters get the built page, with its strict policy and without React's development build.
if (process.env.NODE_ENV === 'production')
  throw new Error('dev/api.ts is for development: start the product with npm start.');

// Nothing is left half done by a process that only reads and writes by transaction; the next one starts the sooner.
process.on('SIGTERM', () => process.exit());

await runApi(async (server) => ({ assets: new Map(), render: await openPageSources(server) }));

// The texts are read as files; imported, `node --watch` knows them too.
for (const file of globSync('locales/*/*.json', { cwd: new URL('../', import.meta.url).pathname }))
  await import(new URL(`../${file}`, import.meta.url).href, { with: { type: 'json' } });
