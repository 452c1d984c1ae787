import { timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Config } from './config.ts';
import { answerClientError, type ExplainIssues, explainError, sendProblem } from './http-errors.ts';
import { isFromThisMachine } from './local-request.ts';
import { codeOf, type Log, plainText, stackOf } from './log.ts';
import type { Metrics } from './metrics.ts';
import { problem } from './problem.ts';
import { refuseCrossSite } from './same-site.ts';
import { type LoadLimits, type LoadParts, shedLoad } from './shed-load.ts';
import { traceRequests } from './tracing.ts';
import { withoutPorts } from './visitor-address.ts';

export { collectMessages, type ValidationIssue } from './http-errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answered whatever the load: operators ask, or refusing would cost as much. */
    isOperation?: boolean;
    /** Stays open and does nothing meanwhile, so that it does not count as a request that is being answered. */
    isStream?: boolean;
  }
  interface FastifyRequest {
    /** Whether the visitor came by https, as far as proxies of ours say. */
    isSecure: boolean;
  }
}

export interface HttpOptions extends Omit<LoadParts, 'metrics'> {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Turns a refused body into the visitor's own words; without it the schema's messages go out as they are. */
  readonly explainIssues?: ExplainIssues;
  /** Whether the process can take its part of the load; asked by /readyz. */
  readonly isReady?: () => Promise<boolean>;
  /** Measures what is only worth measuring when /metrics is asked for; that answers without it when it fails. */
  readonly measure?: () => Promise<void>;
  readonly limits?: Partial<HttpLimits>;
}

export interface HttpLimits extends LoadLimits {
  readonly connections: number;
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** A request's headers, and all of it, must have come by then. */
  readonly headersMs: number;
  readonly requestMs: number;
}

const defaultLimits: HttpLimits = {
  requestsAtOnce: 20,
  voterWaitMs: 500,
  strangerWaitMs: 250,
  connections: 20_000,
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  headersMs: 10_000,
  requestMs: 15_000,
  eventLoopDelayMs: 1_000,
};

/**
 * The HTTP server without routes: limits, headers, the same-site rule, problem+json for every failure, health and
 * metrics. Modules add their routes, whose schemas are zod's; `close()` finishes what was accepted.
 */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { config, log, metrics } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const protection = protectiveHeaders(false);
  const protectionOverTls = protectiveHeaders(true);
  const disagreeing = new WeakSet<object>();
  const app = Fastify({
    logger: false,
    bodyLimit: limits.bodyBytes,
    trustProxy: config.trustProxy,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.requestMs + 5_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    rewriteUrl(request) {
      // The absolute form of a target (RFC 9112 §3.2.2), which proxies use; Node leaves it whole.
      const absolute = /^https?:\/\/([^/?#]*)(.*)$/i.exec(request.url ?? '');
      if (!absolute) return request.url ?? '/';
      const [, host = '', path = ''] = absolute;
      if (host.toLowerCase() !== request.headers.host?.toLowerCase()) disagreeing.add(request);
      return path.startsWith('/') ? path : `/${path}`;
    },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, _request, reply) => {
      // These come before any hook.
      reply.headers(isHttps(config) ? protectionOverTls : protection);
      sendProblem(reply, problem(error.statusCode ?? 400, 'The address could not be read.'));
    },
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: Math.min(limits.headersMs / 2, 5_000),
    },
  });
  app.server.maxConnections = limits.connections;
  app.removeContentTypeParser('text/plain'); // the one kind beside forms that another site may send unasked
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setNotFoundHandler((_request, reply) =>
    sendProblem(reply, problem(404, 'There is nothing here.')),
  );
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    sendProblem(reply, await explainError(error, request, log, options.explainIssues));
    // Hooks may still be working on it.
    return reply;
  });

  app.decorateRequest('isSecure', false);
  app.addHook('onRequest', (request, reply, done) => {
    const { 'x-forwarded-for': forwarded } = request.headers;
    // Before anything asks for the visitor's address. Node has joined several of this header.
    if (typeof forwarded === 'string') request.headers['x-forwarded-for'] = withoutPorts(forwarded);
    // Once, because each look at the protocol looks at the proxies anew.
    request.isSecure = isHttps(config) || request.protocol === 'https';
    // Read before anything waits: a connection that closes then no longer knows the address that limits go by.
    if (request.socket.remoteAddress === undefined) {
      reply.hijack();
      request.raw.destroy();
    }
    done();
  });
  // Before all that may refuse, so that refusals have them too; a route that sets its own replaces these.
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.isSecure ? protectionOverTls : protection);
    done();
  });
  shedLoad(app, limits, options);
  traceRequests(app, config.trustProxy !== false);
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasTwoHosts(request) || disagreeing.has(request.raw))
      throw problem(400, 'The request names two hosts.');
    refuseCrossSite(request, request.isSecure);
    done();
  });
  // By their labels, which would be sorted and joined anew for each request.
  const requests = new Map<string, ReturnType<Metrics['requests']['labels']>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    const { statusCode: status } = reply;
    const kind = `${method} ${status} ${route}`;
    const ofKind = requests.get(kind) ?? metrics.requests.labels({ method, route, status });
    requests.set(kind, ofKind);
    ofKind.observe(reply.elapsedTime / 1000);
    log.write('request.done', {
      method: plainText(method),
      route: plainText(route),
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    });
    done();
  });
  addOperationRoutes(app, options);
  return app;
}

function isHttps(config: Config): boolean {
  return config.publicUrl?.protocol === 'https:';
}

/** Node goes by the first; what stands in front of us may go by the other (RFC 9112 §3.2 asks for this refusal). */
function hasTwoHosts({ raw: { rawHeaders } }: FastifyRequest): boolean {
  const isHost = (text: string, index: number) =>
    index % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  return rawHeaders.findIndex(isHost) !== rawHeaders.findLastIndex(isHost);
}

function protectiveHeaders(https: boolean): Record<string, string> {
  return {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Not "no-referrer": a browser would then hide even from us where a form comes from.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(https && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
}

const operations = { config: { isOperation: true } };
/** A load balancer that asks whether the process is ready has an answer within a second. */
const readyPatienceMs = 900;

function addOperationRoutes(app: FastifyInstance, options: HttpOptions): void {
  const { config, metrics, isReady, measure, log } = options;
  let asked: Promise<boolean> | undefined;
  /** However many ask at once, the database is asked once. */
  const askReady = () => {
    asked ??= Promise.race([
      isReady?.().catch(() => false) ?? true,
      wait(readyPatienceMs, false, { ref: false }),
    ]).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  app.get('/healthz', operations, async () => ({ status: 'ok' }));
  // Not an operation: a process with too much to do is not ready, and asking costs the database a query.
  app.get('/readyz', async () => {
    const ready = await askReady();
    if (!ready) throw problem(503, 'The database does not answer.');
    return { status: 'ready' };
  });
  const { securityContact } = config;
  if (securityContact !== undefined) {
    app.get('/.well-known/security.txt', async (_request, reply) => {
      const expires = new Date(Date.now() + 180 * 86_400_000).toISOString();
      return reply
        .type('text/plain; charset=utf-8')
        .send(`Contact: ${securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
    });
  }
  app.get('/metrics', operations, async (request, reply) => {
    if (!mayReadMetrics(request, config)) throw problem(404, 'There is nothing here.');
    await measure?.().catch((error: unknown) =>
      log.write('job.failed', { job: 'measure', code: codeOf(error), stack: stackOf(error) }),
    );
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

/** Callers with the token; without a token, outside production, only this machine. */
function mayReadMetrics(request: FastifyRequest, { metricsToken, production }: Config): boolean {
  if (metricsToken === undefined) return !production && isFromThisMachine(request);
  const given = Buffer.from(request.headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
