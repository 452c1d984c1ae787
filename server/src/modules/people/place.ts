import type { FastifyRequest } from 'fastify';
import type { Config } from '../../platform/config.ts';
import { isHttps } from '../../platform/http.ts';

export function isSecure(config: Config, request: FastifyRequest): boolean {
  return isHttps(config) || request.protocol === 'https';
}

/** The address of the office's host, as the person's browser shows it. */
export function placeOf(config: Config, request: FastifyRequest): URL {
  return new URL(`${isSecure(config, request) ? 'https' : 'http'}://${request.headers.host}`);
}
