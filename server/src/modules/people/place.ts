import type { FastifyRequest } from 'fastify';

/** The address of the office's host, as the person's browser shows it. */
export function placeOf(request: FastifyRequest): URL {
  return new URL(`${request.isSecure ? 'https' : 'http'}://${request.headers.host}`);
}
