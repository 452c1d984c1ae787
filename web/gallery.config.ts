import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { pageAssetsOfSources } from './build/page-assets.ts';

/** `npm run gallery`: every state of the page from made-up data, without a server. */
export default defineConfig({
  root: import.meta.dirname,
  appType: 'mpa',
  publicDir: false,
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [react(), pageAssetsOfSources(), stageUnderTheApp()],
  optimizeDeps: { entries: ['gallery/*.tsx'] },
  // The texts lie beside web/.
  server: { open: false, fs: { allow: ['..'] } },
});

/** The app reads its own address: every page under /voter is the stage, the root is the list of states. */
function stageUnderTheApp(): Plugin {
  return {
    name: 'stage-under-the-app',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        const path = request.url?.split('?')[0] ?? '';
        if (path === '/') request.url = '/gallery/index.html';
        else if (path.startsWith('/voter')) request.url = '/gallery/stage.html';
        next();
      });
    },
  };
}
