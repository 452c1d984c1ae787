import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { type Asset, readAssets } from './assets.ts';
import { registerConsoleRoutes } from './console-routes.ts';

const asset = (text: string, cacheControl: string): Asset => ({
  ...{ contentType: 'text/html; charset=utf-8', cacheControl, etag: `"${text}"` },
  bodies: { identity: Buffer.from(text) },
});

test('each address of the console has its page, looked for anew each time, and a file that is gone has none', async () => {
  const app = Fastify();
  const forever = 'public, max-age=31536000, immutable';
  const files = new Map([['assets/app-1.js', asset('script', forever)]]);
  registerConsoleRoutes(app, { document: asset('page', 'public, max-age=86400'), files });
  for (const url of ['/office/', '/office/voters/7']) {
    const { body, headers } = await app.inject({ url });
    expect(body).toBe('page');
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self';/),
    });
  }
  const script = await app.inject({ url: '/office/assets/app-1.js' });
  expect([script.body, script.headers['cache-control']]).toEqual(['script', forever]);
  // A page in its place would be run as a script of a version that is gone.
  expect((await app.inject({ url: '/office/assets/app-0.js' })).statusCode).toBe(404);
  await app.close();
});

test('a built file is sent as its browser has it least, kept for ever only under a name of its content, and no source', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'beacon-assets-'));
  const built = ['assets/app-1.js', 'assets/app-1.js.br', 'assets/app-1.js.map', 'our-assets.svg'];
  for (const file of [...built, 'index.html', '.env']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), file);
  }
  const app = Fastify();
  const document = asset('page', 'no-cache');
  registerConsoleRoutes(app, { document, files: readAssets(folder) });
  rmSync(folder, { recursive: true });
  const get = (file: string, headers = {}) => app.inject({ url: `/office/${file}`, headers });
  const script = await get('assets/app-1.js', { 'accept-encoding': 'br' });
  expect([script.body, script.headers['content-encoding']]).toEqual(['assets/app-1.js.br', 'br']);
  expect(script.headers.vary).toContain('accept-encoding');
  expect(script.headers['cache-control']).toContain('immutable');
  const { etag } = script.headers;
  const known = await get('assets/app-1.js', { 'if-none-match': etag });
  const other = await get('assets/app-1.js', { 'if-none-match': '"other"' });
  expect([known.statusCode, other.statusCode]).toEqual([304, 200]);
  const named = await get('our-assets.svg');
  expect([named.body, named.headers['cache-control']]).toEqual([
    ...['our-assets.svg', 'public, max-age=86400'],
  ]);
  expect((await get('assets/app-1.js.map')).statusCode).toBe(404);
  await app.close();
});
