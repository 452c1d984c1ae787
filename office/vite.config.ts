import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from '../web/build/precompress.ts';

/** The console as clerks' browsers get it: a build of its own, so that voters load nothing of it. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/office/',
  plugins: [react(), precompress()],
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  build: {
    outDir: `${process.env.OFFICE_DIST ?? 'dist'}/client`,
    emptyOutDir: true,
    target: ['chrome107', 'safari16', 'firefox110'],
    manifest: true,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // TipTap's packages do not say that making an extension changes nothing else: those that nobody uses go.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ['Node', 'Node$1', 'Extension', 'Mark'] },
    },
  },
});
