import { defineConfig } from 'vitest/config';

/** The tests of pure files, which need neither database nor browser: what `npm run mutate` runs for each mutant. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'contract/src/**/*.test.ts',
      'web/src/**/*.test.ts',
      'server/src/modules/**/{rules,*-rules,dates,keywords,hours,segments,token,phone,imb,stids}.test.ts',
      'server/src/modules/imports/formats/*.test.ts',
    ],
    setupFiles: ['testing/fail-on-console.ts'],
    testTimeout: 60_000,
  },
});
