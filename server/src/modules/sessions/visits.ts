import { type Call, type CallName, calls } from '@ballot-beacon/contract/calls';
import {
  chooseLanguage,
  type Language,
  languageCookieName,
} from '@ballot-beacon/contract/languages';
import type { Translate } from '@ballot-beacon/contract/translate';
import type {} from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { isHttps } from '../../platform/http.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { AccountSite, Site, Sites } from '../sites/index.ts';
import { hashSessionSecret, sessionCookieName } from './rules.ts';
import { findSessionAccount, type LivingSession, useSession } from './store.ts';

export interface Session {
  readonly sessionId: string;
  readonly voterId: number;
  /** The voter's own account, whatever the host. */
  readonly site: AccountSite;
}

/** A request and who makes it, as far as is known. */
export interface Visit {
  readonly request: FastifyRequest;
  /** Of the host; where the host has none, of the signed-in voter. */
  readonly site: Site;
  readonly session: Session | undefined;
  readonly language: Language;
  readonly translate: Translate;
  readonly now: Date;
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
type VisitOf<Name extends CallName> = (typeof calls)[Name]['access'] extends 'voter'
  ? Visit & { readonly session: Session }
  : Visit;

export type CallHandler<Name extends CallName> = (
  visit: VisitOf<Name>,
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
  /** Makes the body that the contract describes of one that came in another form. */
  readonly readBody?: (request: FastifyRequest) => unknown;
}

/** Binds the contract's calls to what answers them, and finds out who calls. */
export interface VoterApi {
  readonly app: FastifyInstance;
  answer<Name extends CallName>(
    name: Name,
    handler: CallHandler<Name>,
    options?: CallOptions,
  ): void;
  /** For routes that are no calls, such as pages. Throws 421 for a host that is none of ours. */
  visit(request: FastifyRequest, options?: VisitOptions): Promise<Visit>;
  setSessionCookie(reply: FastifyReply, request: FastifyRequest, secret: string): void;
  clearSessionCookie(reply: FastifyReply, request: FastifyRequest): void;
  /** The hash of the secret in the request's cookie. */
  sessionHash(request: FastifyRequest): Buffer | undefined;
}

export interface VisitParts {
  readonly config: Config;
  readonly database: Database;
  readonly sites: Sites;
  readonly clock: Clock;
}

export function createVoterApi(app: FastifyInstance, parts: VisitParts): VoterApi {
  const { config, database, sites, clock } = parts;

  const isSecure = (request: FastifyRequest) => isHttps(config) || request.protocol === 'https';
  const sessionHash = (request: FastifyRequest) => {
    const secret = request.cookies[sessionCookieName(isSecure(request))];
    return secret && /^[\w-]{43}$/.test(secret) ? hashSessionSecret(secret) : undefined;
  };

  async function findSession(
    request: FastifyRequest,
    hostSite: Site,
    now: Date,
    isActivity: boolean,
  ): Promise<Session | undefined> {
    const hash = sessionHash(request);
    if (!hash || hostSite.kind === 'unserved') return undefined;
    const site = hostSite.kind === 'account' ? hostSite : await findSite(hash);
    const living = site && (await useSession(site.db, hash, now, isActivity));
    return living && toSession(living, site);
  }

  async function findSite(hash: Buffer): Promise<AccountSite | undefined> {
    const accountId = await findSessionAccount(database.unscoped, hash);
    return accountId === undefined ? undefined : sites.ofAccount(accountId);
  }

  async function visit(
    request: FastifyRequest,
    { isActivity = true }: VisitOptions = {},
  ): Promise<Visit> {
    const now = clock.now();
    const hostSite = await sites.ofHost(request.headers.host);
    if (!hostSite) throw problem(421, 'This server does not serve that host.');
    const session = await findSession(request, hostSite, now, isActivity);
    const site = session?.site ?? hostSite;
    const { language: query } = request.query as { language?: unknown };
    const language = chooseLanguage(
      {
        query: typeof query === 'string' ? query : undefined,
        cookie: request.cookies[languageCookieName],
      },
      site.languages,
    );
    return {
      request,
      site,
      session,
      language,
      translate: site.texts.translator(language),
      now,
    };
  }

  function clearSessionCookie(reply: FastifyReply, request: FastifyRequest): void {
    const secure = isSecure(request);
    reply.clearCookie(sessionCookieName(secure), { ...cookieOptions, secure });
  }

  return {
    app,
    visit,
    sessionHash,
    clearSessionCookie,
    setSessionCookie(reply, request, secret) {
      const secure = isSecure(request);
      reply.setCookie(sessionCookieName(secure), secret, { ...cookieOptions, secure });
    },
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
          const visitor = await visit(request, options);
          if (call.access === 'voter' && !visitor.session) {
            clearSessionCookie(reply, request);
            throw problem(403, 'Session expired');
          }
          const { body, query, params } = request;
          const answer = await handler(
            visitor as VisitOf<typeof name>,
            { body, query, params, reply } as Parameters<typeof handler>[1],
          );
          if (reply.sent) return reply;
          return reply.code(call.success).send(answer);
        },
      });
    },
  };
}

const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

function toSession(living: LivingSession, site: AccountSite): Session {
  return { sessionId: living.session_id, voterId: living.voter_id, site };
}

/** No call takes more than an object of plain values. */
const deepestBody = 4;

/** PostgreSQL's texts hold every character but NUL, which nobody types; a bottomless body has no meaning either. */
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
