import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pageAssets, pageAssetsOfSources } from './build/page-assets.ts';
import { precompress } from './build/precompress.ts';

/** Where both builds go; a test builds beside the product's own. */
const dist = process.env.WEB_DIST ?? 'dist';

/**
 * Two builds of one app: the client (`vite build`), hashed and precompressed, and then the server render
 * (`vite build --ssr`), which carries the client's style sheet and file names inside it. `npm run dev` builds nothing.
 */
export default defineConfig(({ command, isSsrBuild }) => ({
  base: '/voter/',
  resolve: {
    alias: {
      // React has had this hook itself since version 18; wouter still asks for the stand-in.
      'use-sync-external-store/shim/index.js': 'react',
      xstate: fileURLToPath(new URL('src/ui/state-charts.ts', import.meta.url)),
      regexparam: fileURLToPath(new URL('build/no-patterns.ts', import.meta.url)),
    },
  },
  plugins: [
    react(),
    isSsrBuild ? pageAssets(`${dist}/client`) : precompress(),
    pageAssetsOfSources(),
  ],
  ...(command === 'build' && { define: { 'process.env.NODE_ENV': JSON.stringify('production') } }),
  // Found by reading all sources at the start: a library that is found later loads every open page again.
  optimizeDeps: { entries: ['src/app/entry-browser.tsx'] },
  build: {
    outDir: `${dist}/${isSsrBuild ? 'server' : 'client'}`,
    emptyOutDir: true,
    target: ['chrome107', 'safari16', 'firefox110'],
    manifest: !isSsrBuild,
    copyPublicDir: !isSsrBuild,
    // The server names what a page fetches ahead, and the next screens are fetched while the voter types: a list of each
    // file's own imports would only weigh on the first one.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      // What the first screen needs is one file, and so is what every call needs; a screen has its own.
      output: isSsrBuild
        ? {}
        : {
            codeSplitting: {
              groups: [
                { name: 'core', tags: ['$initial'], priority: 2 },
                {
                  name: 'calls',
                  test: /node_modules\/zod|contract\/src\/(?!formats)|api\/make-call/,
                  priority: 1,
                },
                // Every file is also a name that the first one carries.
                {
                  name: 'submission',
                  test: /features\/login\/(login-tips|submission|sign-in|credentials)|shell\/(call-with-captcha|too-many-alert)/,
                  priority: 1,
                },
              ],
            },
          },
      input: isSsrBuild ? 'src/app/entry-server.tsx' : 'src/app/entry-browser.tsx',
    },
  },
  ...(command === 'build' && { ssr: { noExternal: true } }),
}));
