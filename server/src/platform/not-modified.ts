import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets a browser keep an answer and ask whether it is still good: true when it is, and then a 304 without a body
 * has been sent.
 *
 * @param parts everything the answer depends on
 */
export function sendNotModified(
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
  reply.code(304).send();
  return true;
}
