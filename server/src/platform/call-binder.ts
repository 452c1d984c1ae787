import type { Readable } from 'node:stream';
import type { Call, calls as voterCalls } from '@ballot-beacon/contract/calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { notModified } from './not-modified.ts';
import { problem } from './problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a call, once it is known who makes it. */
    visit: unknown;
  }
}

/** A request and who makes it. What a session is, and what else is known of a visit, the modules define. */
export interface AnyVisit {
  readonly request: FastifyRequest;
  /** Undefined for a visitor who has not signed in. */
  readonly session: unknown;
}

/** Where the binder learns who makes a request. */
export interface Visits<Visit extends AnyVisit> {
  find(request: FastifyRequest, options?: VisitOptions): Promise<Visit>;
  /** @throws {ProblemError} when this visitor may not make the call */
  admit(visit: Visit, call: Call<string>, reply: FastifyReply): void;
}

/** A table of calls in the contract. */
type Table = Readonly<Record<string, Call<string>>>;
type VoterCalls = typeof voterCalls;

type PartOf<
  Calls extends Table,
  Name extends keyof Calls,
  Part extends 'body' | 'query' | 'params',
> = Calls[Name] extends {
  readonly [key in Part]: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : undefined;
type BodyOf<Calls extends Table, Name extends keyof Calls> = Calls[Name] extends {
  readonly bodyBytes: number;
}
  ? Buffer
  : PartOf<Calls, Name, 'body'>;
type AnswerOf<Calls extends Table, Name extends keyof Calls> = Calls[Name] extends {
  readonly answer: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : Calls[Name] extends { readonly answerFile: string }
    ? Readable
    : undefined;
type VisitOf<
  Calls extends Table,
  Name extends keyof Calls,
  Visit extends AnyVisit,
> = Calls[Name]['access'] extends 'anyone'
  ? Visit
  : Visit & { readonly session: NonNullable<Visit['session']> };

export type CallHandler<Calls extends Table, Name extends keyof Calls, Visit extends AnyVisit> = (
  visit: VisitOf<Calls, Name, Visit>,
  input: {
    readonly body: BodyOf<Calls, Name>;
    readonly query: PartOf<Calls, Name, 'query'>;
    readonly params: PartOf<Calls, Name, 'params'>;
    /** For headers beside the answer. */
    readonly reply: FastifyReply;
  },
) => Promise<AnswerOf<Calls, Name>>;

export interface VisitOptions {
  /** False for what a page does by itself: a tab that nobody looks at must not keep its session alive. */
  readonly isActivity?: boolean;
}

export interface CallOptions {
  /** Where the route is added, when it takes bodies that others do not. */
  readonly scope?: FastifyInstance;
  readonly crossSite?: (request: FastifyRequest) => boolean;
  /** Converts a body from another form into the contract's form. */
  readonly readBody?: (request: FastifyRequest) => unknown;
}

/** Binds the contract's calls to the functions that answer them, and finds out who calls. */
export interface CallBinder<Visit extends AnyVisit, Calls extends Table = VoterCalls> {
  readonly app: FastifyInstance;
  answer<Name extends keyof Calls>(
    name: Name,
    handler: CallHandler<Calls, Name, Visit>,
    options?: CallOptions,
  ): void;
  /** For routes that are not calls of the contract, such as pages. Throws 421 for a host that is not ours. */
  visit(request: FastifyRequest, options?: VisitOptions): Promise<Visit>;
}

export function createCallBinder<Visit extends AnyVisit, Calls extends Table>(
  app: FastifyInstance,
  calls: Calls,
  visits: Visits<Visit>,
): CallBinder<Visit, Calls> {
  if (!app.hasRequestDecorator('visit')) app.decorateRequest('visit', undefined);
  return {
    app,
    visit: visits.find,
    answer(name, handler, { scope = app, crossSite, readBody } = {}) {
      const call = calls[name] as Call<string>;
      const { bodyBytes, isActivity = true } = call;
      const admit = async (request: FastifyRequest, reply: FastifyReply) => {
        // Who may not make the call learns nothing of what it takes.
        const visit = await visits.find(request, { isActivity });
        visits.admit(visit, call, reply);
        request.visit = visit;
      };
      const addRoute = (to: FastifyInstance) =>
        to.route({
          config: crossSite ? { crossSite } : {},
          ...(bodyBytes !== undefined && {
            bodyLimit: bodyBytes,
            // Nobody's bytes are taken before it is known whose they are.
            preParsing: (request: FastifyRequest, reply: FastifyReply) => admit(request, reply),
          }),
          method: call.method,
          url: call.path,
          schema: {
            ...(call.body && { body: call.body }),
            ...(call.query && { querystring: call.query }),
            ...(call.params && { params: call.params }),
            ...(call.answer && { response: { [call.success]: call.answer } }),
          },
          preValidation: async (request, reply) => {
            if (readBody) request.body = readBody(request);
            refuseUnreadable(request);
            if (bodyBytes === undefined) await admit(request, reply);
          },
          handler: async (request, reply) => {
            const visit = request.visit as Visit;
            const { body, query, params } = request;
            const answer = await handler(
              visit as VisitOf<Calls, typeof name, Visit>,
              { body, query, params, reply } as Parameters<typeof handler>[1],
            );
            if (reply.statusCode === notModified) return reply.send();
            if (call.answerFile) reply.type(typeOf(call.answerFile));
            return reply.code(call.success).send(answer);
          },
        });
      if (bodyBytes === undefined) addRoute(scope);
      else
        scope.register(async (bytes) => {
          bytes.removeAllContentTypeParsers();
          bytes.addContentTypeParser(
            'application/octet-stream',
            { parseAs: 'buffer' },
            (_request, body, done) => done(null, body),
          );
          addRoute(bytes);
        });
    },
  };
}

function typeOf(file: NonNullable<Call['answerFile']>): string {
  const isBinary = file === 'image/png' || file === 'application/pdf';
  return isBinary ? file : `${file}; charset=utf-8`;
}

/** No call takes more than an object of plain values. */
const deepestBody = 4;

/** PostgreSQL's texts cannot contain NUL, which nobody types; a bottomless body has no meaning either. */
function refuseUnreadable({ body, query, params }: FastifyRequest): void {
  if (isUnreadable([body, query, params], 0)) {
    throw problem(400, 'The request could not be read.');
  }
}

function isUnreadable(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  if (depth > deepestBody) return true;
  if (Buffer.isBuffer(value)) return false;
  return Object.entries(value).some(
    ([key, member]) => key.includes('\0') || isUnreadable(member, depth + 1),
  );
}
