import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SecurityEvents } from './modules/audit/index.ts';
import type { Sites } from './modules/sites/index.ts';
import type { Metrics } from './platform/metrics.ts';

/** Every 429, whichever call gave it. */
export function recordThrottling(app: FastifyInstance, sites: Sites, events: SecurityEvents): void {
  const record = async (request: FastifyRequest) => {
    const site = await sites.ofHost(request.headers.host).catch(() => undefined);
    events.record({
      kind: 'throttled',
      address: request.ip,
      target: request.routeOptions.url ?? '',
      ...(site?.kind === 'account' && { accountId: site.account.accountId }),
    });
  };
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 429) return done(null, payload);
    void record(request).finally(() => done(null, payload));
  });
}

/** Every provider's call that was not the provider's. */
export function recordRefusedCallbacks(app: FastifyInstance, events: SecurityEvents): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { url = '' } = request.routeOptions;
    const isRefused = reply.statusCode === 401 || reply.statusCode === 403;
    if (isRefused && url.startsWith('/api/provider/'))
      events.record({ kind: 'callback-refused', address: request.ip, target: url });
    done();
  });
}

/**
 * A proxy that TRUST_PROXY does not list makes one address of all its visitors: they share one allowance, and soon all of
 * them wait. Its requests say that they were forwarded and still count for the proxy itself.
 */
export function recordUntrustedProxies(
  app: FastifyInstance,
  metrics: Metrics,
  events: SecurityEvents,
): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, ip, socket } = request;
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    if (isForwarded && ip === socket.remoteAddress) {
      metrics.untrustedProxies.inc();
      events.record({ kind: 'proxy-not-trusted', address: ip });
    }
    done();
  });
}
