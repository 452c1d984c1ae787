import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { codeOf } from './log.ts';

/**
 * OpenTelemetry traces, sent where `OTEL_EXPORTER_OTLP_ENDPOINT` says; nothing is loaded or measured without it.
 * Spans name routes and statements; like the log they hold no address, no query and no value.
 */
export interface Tracing {
  /** Sends what is not sent yet. */
  close(): Promise<void>;
}

let tracer: Tracer | undefined;
const longestText = 2_000;
/** With all tries to send again: a collector that is away must not hold up a stop. */
const sendPatienceMs = 2_000;

/**
 * Begins tracing in this process. To be called before the server and the database are made.
 *
 * @param service what the process is, such as `api`
 */
export async function startTracing(config: Config, service: string): Promise<Tracing> {
  if (config.traces === undefined) return { close: async () => {} };
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, core, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ]);
  const { endpoint, ratio } = config.traces;
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': `ballot-beacon-${service}` }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
          timeoutMillis: sendPatienceMs,
        }),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  tracer = provider.getTracer('ballot-beacon');
  return {
    async close() {
      tracer = undefined;
      await provider.shutdown().catch(() => {});
      context.disable();
      propagation.disable();
    },
  };
}

/**
 * Runs a statement in a span of its own.
 *
 * @param isParameterized whether its values are apart from its text, which can then be shown
 */
export function traceStatement<T>(text: string, isParameterized: boolean, run: () => T): T {
  if (!tracer) return run();
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const span = tracer.startSpan(operation, {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      ...(isParameterized && { 'db.query.text': text.slice(0, longestText) }),
    },
  });
  const answer = run();
  Promise.resolve(answer).then(
    () => span.end(),
    (error: unknown) => {
      fail(span, codeOf(error));
      span.end();
    },
  );
  return answer;
}

declare module 'fastify' {
  interface FastifyRequest {
    traceContext: Context | null;
  }
}

/** @param trustsCaller whether a caller's own trace is continued: only proxies of ours may choose what is recorded. */
export function traceRequests(app: FastifyInstance, trustsCaller: boolean): void {
  if (!tracer) return;
  const requests = tracer;
  app.decorateRequest('traceContext', null);
  app.addHook('onRequest', (request, _reply, done) => {
    const parent = trustsCaller
      ? propagation.extract(context.active(), request.headers)
      : context.active();
    const route = request.routeOptions.url ?? 'unknown';
    const span = requests.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      },
      parent,
    );
    request.traceContext = trace.setSpan(parent, span);
    done();
  });
  // Not earlier: reading the body leaves the context in which it began.
  app.addHook('preHandler', (request, _reply, done) => {
    context.with(request.traceContext ?? context.active(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const span = request.traceContext && trace.getSpan(request.traceContext);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    if (span && reply.statusCode >= 500) fail(span, String(reply.statusCode));
    span?.end();
    done();
  });
}

function fail(span: Span, errorType: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType);
}
