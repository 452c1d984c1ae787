import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from '../../platform/encodings.ts';

/** A file of the built page, in every encoding that browsers may request. */
export interface Asset {
  readonly contentType: string;
  readonly cacheControl: string;
  readonly etag: string;
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>> & { readonly identity: Buffer };
}

/** The built page's files by URL path below `/voter/`. Nothing that is not in this map is ever served. */
export type Assets = ReadonlyMap<string, Asset>;

/** Reads `directory` (web/dist/client) with the `.br` and `.gz` beside each file into memory. */
export function readAssets(directory: string): Assets {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/\.(br|gz|html|map)$/.test(file) && !file.startsWith('.'));
  return new Map(
    files.map((file) => [
      file.split(path.sep).join('/'),
      readAsset(path.join(directory, file), file),
    ]),
  );
}

/** Reads a file with the `.br` and `.gz` beside it. @param name its URL path */
export function readAsset(file: string, name: string): Asset {
  const identity = readFileSync(file);
  const br = readIfThere(`${file}.br`);
  const gzip = readIfThere(`${file}.gz`);
  return {
    contentType: contentTypes[path.extname(name)] ?? 'application/octet-stream',
    // Names under assets/ contain a hash of the content: one name always means the same bytes.
    cacheControl: name.startsWith('assets')
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=86400',
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: { identity, ...(br && { br }), ...(gzip && { gzip }) },
  };
}

function readIfThere(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
): FastifyReply {
  reply
    .header('cache-control', asset.cacheControl)
    .header('etag', asset.etag)
    .header('vary', 'accept-encoding')
    .type(asset.contentType);
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
  const encoding = chooseEncoding(request.headers['accept-encoding'], asset.bodies);
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(asset.bodies[encoding]);
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
