import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest, Plugin } from 'vite';

const moduleId = 'virtual:page-assets';

/**
 * Tells the server render what the client build is called: `virtual:page-assets` exports the style sheet's text,
 * the entry script's address, and per lazily loaded source file the scripts to fetch ahead.
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
      const style = manifest['style.css'];
      const entry = Object.entries(manifest).find(([, chunk]) => chunk.isEntry);
      if (!style || !entry)
        throw new Error(`No style sheet or entry in ${clientDirectory}; build the client first.`);

      const scripts = Object.fromEntries(
        Object.keys(manifest)
          .filter((source) => manifest[source]?.isEntry || manifest[source]?.isDynamicEntry)
          .map((source) => [source, collectScripts(manifest, source)]),
      );
      return [
        `export const styles = ${JSON.stringify(readFileSync(join(clientDirectory, style.file), 'utf8').trim())};`,
        `export const entry = ${JSON.stringify(entry[0])};`,
        `export const scripts = ${JSON.stringify(scripts)};`,
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
      export const styles = '';
      export const entry = '${entrySource}';
      export const scripts = { '${entrySource}': ['${entryUrl}'] };`,
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

/** The file of a source and of all it imports statically, itself first. */
function collectScripts(manifest: Manifest, source: string): string[] {
  const files = new Set<string>();
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (!chunk || files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  visit(source);
  return [...files];
}
