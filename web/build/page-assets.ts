import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, ManifestChunk, Plugin } from 'vite';

const moduleId = 'virtual:page-assets';

/**
 * Tells the server render what the client build is called: `virtual:page-assets` exports the entry's source, and per
 * entry or lazily loaded source file the scripts to fetch ahead and the style sheets that the page itself carries.
 *
 * @param clientDirectory the finished client build, relative to web/.
 */
export function pageAssets(clientDirectory: string): Plugin {
  return {
    name: 'page-assets',
    apply: 'build',
    resolveId: (id) => (id === moduleId ? `\0${moduleId}` : undefined),
    load(id) {
      if (id !== `\0${moduleId}`) return;
      const manifest = JSON.parse(
        readFileSync(join(clientDirectory, '.vite/manifest.json'), 'utf8'),
      ) as Manifest;
      const entry = Object.keys(manifest).find((source) => manifest[source]?.isEntry);
      if (!entry) throw new Error(`No entry in ${clientDirectory}; build the client first.`);

      const sources = Object.keys(manifest)
        .filter((source) => manifest[source]?.isEntry || manifest[source]?.isDynamicEntry)
        .map((source) => ({ source, chunks: collectChunks(manifest, source) }));
      const scripts = sources.map(({ source, chunks }) => [source, chunks.map(({ file }) => file)]);
      const sheets = sources.map(({ source, chunks }) => [
        source,
        chunks
          .flatMap(({ css = [] }) => css)
          .map((file) => ({
            file,
            text: readFileSync(join(clientDirectory, file), 'utf8').trim(),
          })),
      ]);
      return [
        `export const entry = ${JSON.stringify(entry)};`,
        `export const scripts = ${JSON.stringify(Object.fromEntries(scripts))};`,
        `export const sheets = ${JSON.stringify(Object.fromEntries(sheets))};`,
      ].join('\n');
    },
  };
}

const entryUrl = '@page-entry';
const entrySource = 'src/app/entry-browser.tsx';

/**
 * The same in development, where every source is a file of its own: nothing is fetched ahead, the style sheets come
 * with the modules, and an open page loads again as soon as a server that was started anew answers.
 */
export function pageAssetsOfSources(): Plugin {
  const modules: Readonly<Record<string, string>> = {
    [moduleId]: `
      export const entry = '${entrySource}';
      export const scripts = { '${entrySource}': ['${entryUrl}'] };
      export const sheets = {};`,
    [`/${entryUrl}`]: `
      import '@vitejs/plugin-react/preamble';
      import '/${entrySource}';
      import.meta.hot?.on('vite:ws:disconnect', function comeBack() {
        fetch('/readyz').then(({ ok }) => (ok ? location.reload() : Promise.reject()))
          .catch(() => setTimeout(comeBack, 50));
      });`,
  };
  return {
    name: 'page-assets-of-sources',
    apply: 'serve',
    resolveId: (id) => (Object.hasOwn(modules, id) ? `\0${id}` : undefined),
    load: (id) => (id.startsWith('\0') ? modules[id.slice(1)] : undefined),
  };
}

/** The chunk of a source and all that it imports statically, itself first. */
function collectChunks(manifest: Manifest, source: string): ManifestChunk[] {
  const chunks = new Set<ManifestChunk>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(source);
  return [...chunks];
}
