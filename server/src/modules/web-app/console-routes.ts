import { existsSync } from 'node:fs';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Asset, type Assets, readAsset, readAssets, sendAsset } from './assets.ts';

/** The console as it was built. */
export interface BuiltConsole {
  /** One for every screen. */
  readonly document: Asset;
  /** By URL path below `/office/`. */
  readonly files: Assets;
}

/** @param directory office/dist @throws when the console has not been built */
export function openBuiltConsole(directory: string): BuiltConsole {
  const client = path.join(directory, 'client');
  const name = path.join(client, 'index.html');
  if (!existsSync(name))
    throw new Error(`The console is not built: ${name} is missing. Run: npm run build -w office`);
  return { document: readAsset(name, 'index.html'), files: readAssets(client) };
}

/** Everything comes from the console's own host, and nothing is inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // Previews of voters' pages.
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The console under /office. It has no data before somebody signs in. */
export function registerConsoleRoutes(
  app: FastifyInstance,
  { document, files }: BuiltConsole,
): void {
  app.get('/office', async (_request, reply) => reply.redirect('/office/'));
  app.get<{ Params: { '*': string } }>('/office/*', (request, reply) => {
    const name = request.params['*'];
    const file = files.get(name);
    if (file) return sendAsset(request, reply, file);
    if (name.startsWith('assets/')) return reply.callNotFound();
    reply.header('content-security-policy', policy);
    return sendAsset(request, reply, { ...document, cacheControl: 'no-cache' });
  });
}
