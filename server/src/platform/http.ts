import { randomUUID } from 'node:crypto';
import { type Problem, problemContentType } from '@ballot-beacon/contract/problem';
import underPressure from '@fastify/under-pressure';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import {
  hasZodFastifySchemaValidationErrors,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import type { Config } from './config.ts';
import { codeOf, type Log, stackOf } from './log.ts';
import type { Metrics } from './metrics.ts';
import { ProblemError, problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Machines of others call this route (provider callbacks, one-click unsubscribe): no same-site rule. */
    crossSite?: boolean;
  }
}

/** One field's refusal: where it is, which rule it broke, and the schema's message (often a translation key). */
export interface ValidationIssue {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
}

export interface HttpOptions {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Turns a refused body into the visitor's own words; without it the schema's messages go out as they are. */
  readonly explainIssues?: (
    request: FastifyRequest,
    issues: readonly ValidationIssue[],
  ) => Promise<ProblemError>;
  /** Whether the process can take its part of the load; asked by /readyz. */
  readonly isReady?: () => Promise<boolean>;
}

const bodyLimit = 64 * 1024;
const maximumHeaderBytes = 16 * 1024;
const secondsToComeBack = 5;

/**
 * The HTTP server without routes: limits, headers, the same-site rule, problem+json for every failure, health and
 * metrics. Modules add their routes; `close()` finishes what was accepted.
 */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { config, log, metrics } = options;
  const app = Fastify({
    logger: false,
    bodyLimit,
    trustProxy: config.trustProxy,
    requestTimeout: 15_000,
    connectionTimeout: 20_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: 'idle',
    // fetch() reads nothing into a body that was cut off; an error is clearer.
    return503OnClosing: true,
    routerOptions: { maxParamLength: 200 },
    http: { maxHeaderSize: maximumHeaderBytes, headersTimeout: 10_000 },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);

  await app.register(underPressure, {
    maxEventLoopDelay: 1_000,
    pressureHandler: (request, reply) => {
      log.write('request.shed', { route: request.routeOptions.url ?? '' });
      send(reply, tooBusy());
    },
  });
  app.addHook('onRequest', async (request) => refuseCrossSite(request));
  app.addHook('onSend', async (request, reply) => setHeaders(request, reply, isHttps(config)));
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown';
    const { method } = request;
    metrics.requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    log.write('request.done', {
      method,
      route,
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
    });
  });

  app.setNotFoundHandler((_request, reply) => send(reply, problem(404, 'There is nothing here.')));
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    send(reply, await explain(error, request, options));
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = (await options.isReady?.().catch(() => false)) ?? true;
    if (!ready) throw problem(503, 'The database does not answer.');
    return reply.send({ status: 'ready' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  return app;
}

/**
 * The part of a request's host before the base domain: `adams` for `adams.localhost:8080`; '' for the bare host;
 * null for a host that is not ours at all.
 */
export function subdomainOf(host: string, baseDomain: string): string | null {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  if (name === baseDomain || name === '127.0.0.1' || name === '[::1]' || name === 'localhost')
    return '';
  if (!name.endsWith(`.${baseDomain}`)) return null;
  return name.slice(0, -baseDomain.length - 1);
}

export function isHttps(config: Config): boolean {
  return config.publicUrl?.protocol === 'https:';
}

function tooBusy(): ProblemError {
  return problem(503, 'Too many people are asking at once. Please try again in a few seconds.', {
    headers: { 'retry-after': String(secondsToComeBack) },
  });
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** A page of another site must not act in a voter's name (decisions, Login: cross-site requests). */
function refuseCrossSite(request: FastifyRequest): void {
  if (safeMethods.has(request.method) || request.routeOptions.config?.crossSite === true) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  const origin = request.headers.origin;
  if (origin === undefined) return;
  // Compared by host: behind a proxy that ends TLS the scheme seen here may differ from the visitor's.
  if (hostOf(origin) !== request.host.toLowerCase()) throw crossSite();
}

function hostOf(origin: string): string | null {
  try {
    return new URL(origin).host;
  } catch {
    return null;
  }
}

function crossSite(): ProblemError {
  return problem(403, 'This request came from another site.');
}

const apiContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'";

function setHeaders(request: FastifyRequest, reply: FastifyReply, https: boolean): void {
  setUnlessSet(reply, 'content-security-policy', apiContentSecurityPolicy);
  setUnlessSet(reply, 'cache-control', 'no-store');
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('cross-origin-opener-policy', 'same-origin');
  setUnlessSet(reply, 'cross-origin-resource-policy', 'same-origin');
  reply.header(
    'permissions-policy',
    'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  );
  if (https) reply.header('strict-transport-security', 'max-age=63072000; includeSubDomains');
  if (request.raw.httpVersionMajor < 2 && reply.statusCode === 413)
    reply.header('connection', 'close');
}

function setUnlessSet(reply: FastifyReply, name: string, value: string): void {
  if (!reply.hasHeader(name)) reply.header(name, value);
}

function send(reply: FastifyReply, error: ProblemError): void {
  reply
    .code(error.problem.status)
    .headers(error.headers)
    .header('content-type', problemContentType)
    .header('cache-control', 'no-store')
    // A string passes by the route's schema, which describes good answers.
    .serializer((body: Problem) => JSON.stringify(body))
    .send(error.problem);
}

async function explain(
  error: FastifyError,
  request: FastifyRequest,
  { log, explainIssues }: HttpOptions,
): Promise<ProblemError> {
  if ((error as Error) instanceof ProblemError) return error as unknown as ProblemError;
  if (hasZodFastifySchemaValidationErrors(error)) {
    const issues = error.validation.map(({ instancePath, keyword, message }) => ({
      path: instancePath.replace(/^\//, ''),
      rule: keyword,
      message: message ?? '',
    }));
    if (explainIssues && error.validationContext === 'body') return explainIssues(request, issues);
    return problem(error.validationContext === 'body' ? 422 : 400, 'Failed Validation', {
      validationMessages: collectMessages(issues),
    });
  }
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return problem(status, clientErrors[status] ?? 'Bad request.');
  const errId = randomUUID();
  log.write('request.failed', {
    err_id: errId,
    method: request.method,
    route: request.routeOptions.url ?? 'unknown',
    code: codeOf(error),
    stack: stackOf(error),
  });
  return problem(500, 'Something went wrong on our end.', { errId });
}

const clientErrors: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  404: 'There is nothing here.',
  413: 'The request is larger than this call takes.',
  415: 'This call takes application/json.',
};

/** `{ field: { rule: message } }`, as the voter's form reads it (product spec §3, Server validation messages). */
export function collectMessages(
  issues: readonly ValidationIssue[],
): Record<string, Record<string, string>> {
  const messages: Record<string, Record<string, string>> = {};
  for (const { path, rule, message } of issues) {
    const field = path === '' ? 'request' : path;
    messages[field] = { ...messages[field], [rule]: message };
  }
  return messages;
}
