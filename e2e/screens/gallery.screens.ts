import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { test } from '@playwright/test';
import { open } from '../sign-in.ts';
import { screen } from './stage.ts';

/**
 * States that the demo's voters are not in, from the gallery: an office, files and messages of its own would have to be
 * made for each on the real product. Each with its address, and what shows that the page has come to it.
 */
const states = {
  'dashboard/in-person': ['ballot/in-person', '/dashboard', '.ballot'],
  'dashboard/cancelled': ['ballot/cancelled', '/dashboard', '.ballot'],
  'dashboard/expected days': ['ballot/expected days', '/dashboard', '.ballot'],
  'dashboard/printed': ['ballot/printed', '/dashboard', '.ballot'],
  'dashboard/accepted, not counted yet': [
    'ballot/accepted, not counted yet',
    '/dashboard',
    '.ballot',
  ],
  'dashboard/fix, last day': ['ballot/fix-last-day', '/dashboard', '.ballot'],
  'dashboard/stopped, drop box': ['ballot/stopped, late', '/dashboard', '.ballot'],
  'dashboard/stopped, in person': ['ballot/stopped, no scan', '/dashboard', '.ballot'],
  'dashboard/stopped, too late': ['ballot/stopped, too late', '/dashboard', '.ballot'],
  'login/waiting': ['login/waiting', '', '[data-busy]'],
} as const;

let gallery: ChildProcessByStdio<null, Readable, null>;
let origin: string;
test.beforeAll(async () => {
  const vite = [
    'node_modules/vite/bin/vite.js',
    '--config',
    'web/gallery.config.ts',
    '--port',
    '0',
  ];
  gallery = spawn(process.execPath, vite, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  // Vite goes on writing, and ends when nobody can read that any more.
  for await (const chunk of gallery.stdout.iterator({ destroyOnReturn: false })) {
    said += chunk;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Vite colors what it says
    const found = /http:\/\/localhost:\d+/.exec(said.replaceAll(/\u001b\[\d+m/g, ''))?.[0];
    if (!found) continue;
    origin = found;
    break;
  }
  gallery.stdout.resume();
});
test.afterAll(async () => {
  gallery.kill();
  await once(gallery, 'exit');
});

for (const [name, [state, path, sign]] of Object.entries(states))
  screen(name, async ({ page }) => {
    await open(page, `${origin}/voter${path}?${new URLSearchParams({ state })}`);
    await page.locator(sign).first().waitFor();
  });
