import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AdmissionLimits, createAdmission, type Visitor } from './admission.ts';
import { tooBusy } from './http-errors.ts';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For a request that waits for something of which there is a line of its own: meanwhile it keeps nobody out. */
    leavePlace(): void;
    /** Who comes first under load. */
    visitor: Visitor;
  }
}

export interface LoadLimits extends AdmissionLimits {
  /** Milliseconds that the process may be behind with accepted work at two looks running; 0: no limit. */
  readonly eventLoopDelayMs: number;
}

export interface LoadParts {
  readonly metrics: Metrics;
  /** How long the oldest request for a connection to the database has waited, in milliseconds. */
  readonly poolWaitMs?: (() => number) | undefined;
  /** Whether the request comes from a voter whose session is known; asked before anything is read of it. */
  readonly isVoter?: ((request: FastifyRequest) => boolean) | undefined;
}

/**
 * Asks visitors to come back when those before them have waited too long: a quick 503 serves them better than a line in
 * which all of them give up. The wait decides and not a count, because what a request costs differs a hundredfold.
 */
export function shedLoad(app: FastifyInstance, limits: LoadLimits, parts: LoadParts): void {
  const { metrics, poolWaitMs, isVoter } = parts;
  const loop = watchEventLoop(limits.eventLoopDelayMs);
  const admission = createAdmission(limits, poolWaitMs);
  const refuse = () => {
    metrics.shed.inc();
    return tooBusy();
  };
  app.decorateRequest('leavePlace', () => {});
  app.decorateRequest('visitor', 'stranger');
  let isClosing = false;
  app.addHook('preClose', (done) => {
    isClosing = true;
    loop.stop();
    done();
  });
  app.addHook('onClose', async () => admission.close());
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isOperation === true) return done();
    if (isVoter?.(request) === true) request.visitor = 'voter';
    if (loop.isBehind() || admission.isFull(request.visitor)) throw refuse();
    // Of the raw answer, because it comes for a visitor who hung up as well.
    reply.raw.once('close', () => {
      // What was busy when closing began is idle only now.
      if (isClosing) app.server.closeIdleConnections();
    });
    done();
  });
  // After the body has come: who sends it slowly takes nobody's place.
  app.addHook('preValidation', (request, reply, done) => {
    const { isOperation, isStream } = request.routeOptions.config;
    if (isOperation === true || isStream === true || reply.raw.destroyed) return done();
    const place = admission.enter(request.visitor, (isAdmitted) =>
      isAdmitted ? done() : done(refuse()),
    );
    request.leavePlace = place.leave;
    reply.raw.once('close', place.leave);
  });
}

const lookMs = 250;

/**
 * Whether the process is behind with its work: late at two looks running. A single long pause, as at the start, does
 * not count: it is over by the time a request can ask.
 *
 * @param mostMs 0: never
 */
function watchEventLoop(mostMs: number): { isBehind(): boolean; stop(): void } {
  if (mostMs === 0) return { isBehind: () => false, stop: () => {} };
  let lateLooks = 0;
  let dueAt = performance.now() + lookMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lateLooks = now - dueAt > mostMs ? lateLooks + 1 : 0;
    dueAt = now + lookMs;
  }, lookMs);
  timer.unref();
  return { isBehind: () => lateLooks >= 2, stop: () => clearInterval(timer) };
}
