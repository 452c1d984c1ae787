import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { FromApi, ToApi } from './serve.ts';

/**
 * The API as `dev/serve.ts` runs it: a process that has loaded every package, and loads the sources when it is asked
 * to. Its pages are rendered by Vite in the process above it.
 */

const root = path.resolve(import.meta.dirname, '..');
const waiting = new Map<number, (answer: Extract<ToApi, { kind: 'rendered' }>) => void>();
let begin = (): void => {};
const hasBegun = new Promise<void>((resolve) => {
  begin = resolve;
});

process.on('message', (message: ToApi) => {
  if (message.kind === 'begin') return begin();
  waiting.get(message.id)?.(message);
  waiting.delete(message.id);
});
// Nothing is left half done by a process that only reads and writes by transaction; the next one starts the sooner.
process.on('SIGTERM', () => process.exit());

await loadPackages();
await hasBegun;
const { runApi } = await import('../server/src/api.ts');
await runApi(async () => ({ assets: new Map(), render: renderAbove }), {
  port: 0,
  host: '127.0.0.1',
});

/** Loads what the sources import from node_modules, most of the time that a start takes. */
async function loadPackages(): Promise<void> {
  const packages = new Set<string>();
  for (const file of globSync('{server,contract}/src/**/*.ts', { cwd: root })) {
    if (file.endsWith('.test.ts')) continue;
    const source = readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/^(?:import|\}) .*from '([^./][^']*)';$/gm))
      if (!/^(node:|@ballot-beacon\/)/.test(name)) packages.add(name);
  }
  // A package that cannot be loaded from here is loaded, or missed, by the sources themselves.
  for (const name of packages) await import(name).catch(() => {});
}

let lastId = 0;

function renderAbove<Input, Rendered>(input: Input): Promise<Rendered> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, ({ error, page }) => {
      if (error === undefined) resolve(page as Rendered);
      else reject(new Error(error));
    });
    process.send?.({ kind: 'render', id, input } satisfies FromApi);
  });
}
