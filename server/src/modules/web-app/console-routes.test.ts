import Fastify from 'fastify';
import { expect, test } from 'vitest';
import type { Asset } from './assets.ts';
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
