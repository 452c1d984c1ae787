import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const root = new URL('../..', import.meta.url).pathname;
/** What a test imports that asks for a database, a browser or a server of its own. */
const real =
  /testing\/(api|office|database|messages|beacon|phone-office|people|uploads|own-messages|worker-database|proxies|sftp-machine|postgres-process|\w*-process|\w*-server)[.-]/;

/** What is proven there is about processes and time, and takes seconds. */
const slow = /\/(channels|strengthener|token-hash|folder)\.test\.ts$/;

/** The tests of pure files, which need neither database nor browser: what `npm run mutate` runs for each mutant. */
export default defineConfig({
  test: {
    root,
    include: globSync(
      [
        'contract/src/**/*.test.ts',
        'web/src/**/*.test.ts',
        'server/src/modules/**/*.test.ts',
        'server/src/platform/{admission,whole-number}.test.ts',
      ],
      { cwd: root },
    ).filter((file) => !slow.test(file) && !real.test(readFileSync(`${root}${file}`, 'utf8'))),
    setupFiles: ['testing/fail-on-console.ts'],
    testTimeout: 60_000,
  },
});
