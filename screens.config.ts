import { defineConfig } from '@playwright/test';
import base from './playwright.config.ts';

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};
const desktop = { viewport: { width: 1280, height: 800 } };

/** `npm run screens`: every screen in every state as a picture under screens/, with an index.html to leaf through. */
export default defineConfig({
  ...base,
  testDir: 'e2e/screens',
  testMatch: '*.screens.ts',
  outputDir: 'test-results/screens',
  globalTeardown: './e2e/screens/write-index.ts',
  globalTimeout: 30 * 60_000,
  timeout: 90_000,
  reporter: [['line']],
  projects: [
    { name: 'phone', use: phone },
    { name: 'desktop', use: desktop },
    { name: 'phone dark', use: { ...phone, colorScheme: 'dark' } },
    { name: 'desktop dark', use: { ...desktop, colorScheme: 'dark' } },
  ],
});
