import path from 'node:path';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { keepTemporaryFilesInMemory } from './testing/memory.ts';
import { timeFor } from './testing/runs.ts';
import { LongFirst } from './testing/sequencer.ts';

keepTemporaryFilesInMemory();
// Processes that tests start would each read the product's TypeScript anew.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/tests');

/** `npm run long`; see testing/runs.ts. */
const isLong = process.env.TEST_RUNS !== undefined;
const setupFiles = ['testing/fail-on-console.ts', 'testing/properties.ts'];

/** For every project, since none takes over what stands beside them. */
const common = {
  setupFiles,
  // A worker loads the product once, not once for each file.
  isolate: false,
  // A test without an assertion cannot fail, so it does.
  expect: { requireAssertions: true },
} as const;

/**
 * For tests of what Node runs as it stands: Node loads it and keeps what it compiled for the next run (NODE_COMPILE_CACHE),
 * where Vite would transform every file in each.
 */
const asNodeLoadsIt = {
  ...common,
  setupFiles: [...setupFiles, 'testing/keep-compiled.ts'],
  experimental: { viteModuleRunner: false, nodeLoader: false },
};

export default defineConfig({
  test: {
    maxWorkers: 2,
    // The seed is printed; `npx vitest run --sequence.seed=N` repeats its order. Files come in a drawn order always, the
    // tests inside them in the long run.
    sequence: { sequencer: LongFirst, shuffle: { tests: isLong }, seed: Date.now() },
    allowOnly: false,
    passWithNoTests: false,
    projects: [
      { test: { name: 'contract', include: ['contract/src/**/*.test.ts'], ...asNodeLoadsIt } },
      {
        test: {
          name: 'server',
          include: [
            'server/src/**/*.test.ts',
            '{testing,demo,database,chaos,bench,deploy}/**/*.test.ts',
            // What takes minutes.
            ...(isLong ? ['chaos/**/*.long.ts'] : []),
          ],
          ...asNodeLoadsIt,
          setupFiles: [...asNodeLoadsIt.setupFiles, 'testing/capture-statements.ts'],
          globalSetup: 'testing/database-server.ts',
          // A test here may import a county's files or wait for a message that really travels.
          testTimeout: timeFor(90_000),
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['{web,office}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '{web,office}/dist/**'],
          ...common,
        },
      },
      {
        test: {
          name: 'checks',
          include: [
            'checks/*.test.ts',
            'checks/imports/**/*.test.ts',
            'checks/limits/**/*.test.ts',
            'checks/locales/**/*.test.ts',
            'checks/mutate/**/*.test.ts',
            'checks/sizes/**/*.test.ts',
            'checks/spec-coverage/**/*.test.ts',
            'checks/weak-tests/**/*.test.ts',
            'checks/words/**/*.test.ts',
          ],
          ...asNodeLoadsIt,
          testTimeout: 60_000,
        },
      },
    ],
  },
});
