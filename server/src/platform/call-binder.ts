import { type Call, type CallName, calls } from '@ballot-beacon/contract/calls';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import { notModified } from './not-modified.ts';
import { problem } from './problem.ts';

/** A request and who makes it. What a session is, and what else is known of a visit, the modules define. */
export interface AnyVisit {
  readonly request: FastifyRequest;
  /** Undefined for a visitor who has not signed in. */
  readonly session: unknown;
}

/** Where the binder learns who makes a request. */
export interface Visits<Visit extends AnyVisit> {
  find(request: FastifyRequest, options?: VisitOptions): Promise<Visit>;
  /** Called before a call for voters only is refused to somebody without a session. */
  refuse(request: FastifyRequest, reply: FastifyReply): void;
}

type PartOf<
  Name extends CallName,
  Part extends 'body' | 'query' | 'params',
> = (typeof calls)[Name] extends {
  readonly [key in Part]: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : undefined;
type AnswerOf<Name extends CallName> = (typeof calls)[Name] extends {
  readonly answer: infer Schema extends z.ZodMiniType;
}
  ? z.output<Schema>
  : undefined;
type VisitOf<
  Name extends CallName,
  Visit extends AnyVisit,
> = (typeof calls)[Name]['access'] extends 'voter'
  ? Visit & { readonly session: NonNullable<Visit['session']> }
  : Visit;

export type CallHandler<Name extends CallName, Visit extends AnyVisit> = (
  visit: VisitOf<Name, Visit>,
  input: {
    readonly body: PartOf<Name, 'body'>;
    readonly query: PartOf<Name, 'query'>;
    readonly params: PartOf<Name, 'params'>;
    /** For headers beside the answer. */
    readonly reply: FastifyReply;
  },
) => Promise<AnswerOf<Name>>;

export interface VisitOptions {
  /** False for what a page does by itself: a tab that nobody looks at must not keep its session alive. */
  readonly isActivity?: boolean;
}

export interface CallOptions extends VisitOptions {
  /** Where the route is added, when it takes bodies that others do not. */
  readonly scope?: FastifyInstance;
  readonly crossSite?: (request: FastifyRequest) => boolean;
  /** Converts a body from another form into the contract's form. */
  readonly readBody?: (request: FastifyRequest) => unknown;
}

/** Binds the contract's calls to the functions that answer them, and finds out who calls. */
export interface CallBinder<Visit extends AnyVisit> {
  readonly app: FastifyInstance;
  answer<Name extends CallName>(
    name: Name,
    handler: CallHandler<Name, Visit>,
    options?: CallOptions,
  ): void;
  /** For routes that are not calls of the contract, such as pages. Throws 421 for a host that is not ours. */
  visit(request: FastifyRequest, options?: VisitOptions): Promise<Visit>;
}

export function createCallBinder<Visit extends AnyVisit>(
  app: FastifyInstance,
  visits: Visits<Visit>,
): CallBinder<Visit> {
  return {
    app,
    visit: visits.find,
    answer(name, handler, { scope = app, crossSite, readBody, ...options } = {}) {
      const call: Call = calls[name];
      scope.route({
        config: crossSite ? { crossSite } : {},
        method: call.method,
        url: call.path,
        schema: {
          ...(call.body && { body: call.body }),
          ...(call.query && { querystring: call.query }),
          ...(call.params && { params: call.params }),
          ...(call.answer && { response: { [call.success]: call.answer } }),
        },
        preValidation: async (request) => {
          if (readBody) request.body = readBody(request);
          refuseUnreadable(request);
        },
        handler: async (request, reply) => {
          const visit = await visits.find(request, options);
          if (call.access === 'voter' && !visit.session) {
            visits.refuse(request, reply);
            throw problem(403, 'Session expired');
          }
          const { body, query, params } = request;
          const answer = await handler(
            visit as VisitOf<typeof name, Visit>,
            { body, query, params, reply } as Parameters<typeof handler>[1],
          );
          if (reply.statusCode === notModified) return reply.send();
          return reply.code(call.success).send(answer);
        },
      });
    },
  };
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
  return Object.entries(value).some(
    ([key, member]) => key.includes('\0') || isUnreadable(member, depth + 1),
  );
}
