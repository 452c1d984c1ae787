import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Where the pictures lie: `SCREEN/STATE/PROJECT.png`. */
export const folder = fileURLToPath(new URL('../../screens/', import.meta.url));

/** Writes the page that shows every picture, phone beside desktop, with a switch to the dark ones. */
export default function writeIndex(): void {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.png'))
    .map((file) => file.split(path.sep).join('/'))
    .sort();
  const states = new Map<string, string[]>();
  for (const file of files) {
    const state = path.posix.dirname(file);
    states.set(state, [...(states.get(state) ?? []), path.posix.basename(file, '.png')]);
  }
  const sections = [...states].map(([state, projects]) => {
    const figures = projects.map(
      (project) =>
        `<figure class="${project}"><figcaption>${project}</figcaption><a href="${encodeURI(`${state}/${project}.png`)}"><img loading="lazy" src="${encodeURI(`${state}/${project}.png`)}" alt=""></a></figure>`,
    );
    return `<section id="${state}"><h2>${state.replaceAll('/', ' · ')}</h2><div>${figures.join('')}</div></section>`;
  });
  const links = [...states.keys()].map((state) => `<a href="#${state}">${state}</a>`);
  const index = path.join(folder, 'index.html');
  writeFileSync(
    index,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body{font:16px/1.4 system-ui;margin:0 auto;max-width:1400px;padding:1rem;background:#e9edf1;color:#13202c}
nav{columns:4 14rem;font-size:.8rem}nav a{display:block}section>div{display:flex;gap:1.5rem;align-items:flex-start}
figure{margin:0}figure img{display:block;border:1px solid #b6c0c9}.phone img{width:300px}.desktop img{width:860px}
figure.dark{display:none}body:has(#dark:checked) figure.dark{display:block}body:has(#dark:checked) figure:not(.dark){display:none}
label{position:sticky;top:0;display:block;padding:.5rem;background:#e9edf1}</style>
<h1>${states.size} states of the page</h1><label><input type="checkbox" id="dark"> in dark colors</label>
<nav>${links.join('')}</nav>${sections.join('\n')}</html>
`,
  );
  process.stdout.write(`\n${files.length} pictures: ${pathToFileURL(index).href}\n`);
}
