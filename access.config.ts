import { defineConfig } from '@playwright/test';
import screens from './screens.config.ts';

/** `npm run access`: every screen in every state, in all languages, as wide as a phone's and as a computer's screen. */
export default defineConfig({
  ...screens,
  outputDir: 'test-results/access',
  globalTeardown: [],
  globalTimeout: 60 * 60_000,
  timeout: 4 * 60_000,
  metadata: { everyLanguage: true },
  // A trace of thousands of looks at the page takes longer than the looks.
  use: { ...screens.use, trace: 'off', actionTimeout: 30_000 },
  projects: [{ name: 'every language', use: { viewport: { width: 1280, height: 800 } } }],
});
