import type { FastifyRequest } from 'fastify';
import { type ProblemError, problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Machines of others call this route (provider callbacks, one-click unsubscribe): no same-site rule for these. */
    crossSite?: boolean | ((request: FastifyRequest) => boolean);
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A page of another site must not act in a voter's name (decisions, Login: cross-site requests). Every browser says
 * where a state-changing request comes from; a request without it comes from a program, which has no voter's cookie.
 *
 * @param https whether visitors come by https, so that a page loaded without it counts as another site's
 * @throws {ProblemError} 403
 */
export function refuseCrossSite(request: FastifyRequest, https: boolean): void {
  if (safeMethods.has(request.method) || isForOthers(request)) return;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  if (origin === undefined) return;
  // By host: behind a proxy that ends TLS the scheme seen here is not the visitor's.
  const from = URL.parse(origin);
  if (from === null || from.host !== withoutDefaultPort(host, from.protocol)) throw crossSite();
  if (https && from.protocol !== 'https:') throw crossSite();
}

function isForOthers(request: FastifyRequest): boolean {
  const { crossSite } = request.routeOptions.config;
  return typeof crossSite === 'function' ? crossSite(request) : crossSite === true;
}

/** As browsers write it in an origin. */
function withoutDefaultPort(host: string | undefined, protocol: string): string | undefined {
  return host?.toLowerCase().replace(protocol === 'https:' ? /:443$/ : /:80$/, '');
}

function crossSite(): ProblemError {
  return problem(403, 'This request came from another site.');
}
