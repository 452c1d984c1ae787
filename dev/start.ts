import { fileURLToPath } from 'node:url';
import { ensureConsoleIsBuilt, runProduct } from '../server/src/start.ts';

/**
 * `npm run dev`: what `npm start` runs, but the page comes from its sources and reloads on save, and the API and the
 * worker start again when a file of theirs changes.
 */
const worker = fileURLToPath(new URL('../server/src/worker.ts', import.meta.url));

await runProduct({
  api: [fileURLToPath(new URL('./serve.ts', import.meta.url))],
  worker: ['--watch', '--watch-preserve-output', worker],
  ensurePage: ensureConsoleIsBuilt,
  describe: (url) => [`Messages to voters are at ${new URL('/outbox', url).href}`],
});
