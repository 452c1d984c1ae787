import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumFlags, ensureHeadlessChromium } from './testing/browser.ts';
import { keepTemporaryFilesInMemory } from './testing/memory.ts';
import { findFreePort } from './testing/ports.ts';

keepTemporaryFilesInMemory();
// Every worker loads this file again; what the first load chose reaches the others by the environment.
process.env.E2E_PORT ??= String(await findFreePort());
process.env.E2E_DATA ??= makeDataFolder();
const { E2E_PORT, E2E_DATA } = process.env;
// A journey starts many commands, each of which would read its TypeScript anew.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/journeys');

/** `npm test -- both`, before a release: also where the size of the screen should change nothing. */
const isEachOnBoth = process.env.E2E_SIZES === 'both';

/** The product as README.md starts it, on its own port and data, without the CAPTCHA that keeps robots out. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.test.ts',
  // Playwright empties it at its start, and the unit tests' report stands beside it.
  outputDir: 'test-results/journeys',
  fullyParallel: true,
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // A shared machine may be slow for a while; what never comes fails all the same.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  globalTimeout: 45 * 60_000,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.E2E_REPORT ?? 'test-results/report.json' }],
  ],
  use: {
    baseURL: `http://localhost:${E2E_PORT}`,
    browserName: 'chromium',
    launchOptions: {
      executablePath: ensureHeadlessChromium(),
      // A journey's page stays in the process that its empty one came in: Chromium would start another, and one in advance.
      args: [...chromiumFlags, '--renderer-process-limit=1'],
    },
    screenshot: 'only-on-failure',
    // A trace of every journey costs a fifth of the whole run; `npx playwright test FILE --trace on` records one.
    trace: 'off',
    timezoneId: 'America/New_York',
    locale: 'en-US',
  },
  projects: [
    {
      name: 'phone',
      testIgnore: 'development/**',
      ...(!isEachOnBoth && { grepInvert: /@desk/ }),
      use: {
        viewport: { width: 390, height: 844 },
        // A phone's has three times as many dots each way, which cost drawing and show a test nothing.
        deviceScaleFactor: 1,
        isMobile: true,
        hasTouch: true,
      },
    },
    {
      name: 'desktop',
      use: { viewport: { width: 1280, height: 800 } },
      testIgnore: ['console.test.ts', 'development/**'],
      ...(!isEachOnBoth && { grepInvert: /@once/ }),
    },
    // The page from its sources, as `npm run dev` serves it.
    { name: 'development', testMatch: 'development/*.test.ts' },
  ],
  webServer: {
    command: 'npm start',
    env: {
      PORT: E2E_PORT,
      BEACON_DATA: E2E_DATA,
      CAPTCHA: 'off',
      // Journeys come from addresses of their own, so that one's failed sign-ins do not lock out another.
      TRUST_PROXY: 'loopback',
    },
    url: `http://localhost:${E2E_PORT}/readyz`,
    reuseExistingServer: false,
    timeout: 180_000,
    stdout: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
  },
});

function makeDataFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'beacon-e2e-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
