import { fileURLToPath } from 'node:url';
import { runProduct } from '../server/src/start.ts';

/**
 * `npm run dev`: what `npm start` runs, but the page comes from its sources and reloads on save, and the API and the
 * worker start again when a file of theirs changes.
 */
await runProduct({
  api: watch('./api.ts'),
  worker: watch('../server/src/worker.ts'),
  ensurePage: async () => false,
  describe: (url) => [`Messages to voters are at ${new URL('/outbox', url).href}`],
});

function watch(entry: string): string[] {
  const file = fileURLToPath(new URL(entry, import.meta.url));
  return ['--watch', '--watch-preserve-output', file];
}
