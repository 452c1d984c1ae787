import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The status of an answer whose copy in the browser is still good. */
export const notModified = 304;

/**
 * Lets a browser keep an answer and ask whether it is still good: true when it is. The reply's code is 304 then, and
 * the caller sends it without a body.
 *
 * @param parts everything the answer depends on
 */
export function markNotModified(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: readonly (string | number | boolean)[],
): boolean {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
  const tag = `"${hash}"`;
  reply.header('etag', tag);
  // Private: what is the same for every visitor of an office today need not be tomorrow.
  reply.header('cache-control', 'private, no-cache');
  reply.header('vary', 'Cookie');
  const asked = request.headers['if-none-match']?.split(',').map((text) => text.trim());
  if (!asked?.some((text) => text === tag || text === `W/${tag}`)) return false;
  reply.code(notModified);
  return true;
}
