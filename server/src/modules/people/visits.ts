import type { OfficeCall, officeCalls } from '@ballot-beacon/contract/office/calls';
import { officeErrorCodes } from '@ballot-beacon/contract/office/calls';
import { mayDo } from '@ballot-beacon/contract/office/roles';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallBinder, Visits } from '../../platform/call-binder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Account } from '../accounts/index.ts';
import type { Actor } from '../audit/index.ts';
import type { Sites } from '../sites/index.ts';
import { actorOf } from './actors.ts';
import { hashSecretText, officeCookieName, proofEndsAt } from './rules.ts';
import { type LivingSession, useSession } from './session-store.ts';

/** A person who is signed in to the office of the host. */
export interface OfficeSession extends LivingSession {
  /** Until then no further sign-in is asked for. */
  readonly proofEndsAt: Date;
  /** As the audit names the person. */
  readonly actor: Actor;
}

/** A request to an office's console. */
export interface OfficeVisit {
  readonly request: FastifyRequest;
  readonly account: Account;
  /** Reaches this office's rows alone, by the rights of the console. */
  readonly db: Db;
  readonly session: OfficeSession | undefined;
  readonly now: Date;
}

/** A visit of a call that asks for a session. */
export interface SignedInVisit extends OfficeVisit {
  readonly session: OfficeSession;
}

/** The calls of the console as the modules answer them. */
export type OfficeApi = CallBinder<OfficeVisit, typeof officeCalls>;

/** The cookie of a person's session. */
export interface OfficeCookies {
  set(reply: FastifyReply, request: FastifyRequest, secret: string): void;
  clear(reply: FastifyReply, request: FastifyRequest): void;
  /** The hash of the secret in the request's cookie; undefined without one. */
  readHash(request: FastifyRequest): Buffer | undefined;
}

export function createOfficeCookies(): OfficeCookies {
  // Strict: nobody comes to the console by a link from another site and has to be signed in at once.
  const options = { path: '/', httpOnly: true, sameSite: 'strict' } as const;
  return {
    set(reply, request, secret) {
      const secure = request.isSecure;
      reply.setCookie(officeCookieName(secure), secret, { ...options, secure });
    },
    clear(reply, request) {
      const secure = request.isSecure;
      reply.clearCookie(officeCookieName(secure), { ...options, secure });
    },
    readHash(request) {
      const secret = request.cookies[officeCookieName(request.isSecure)];
      return secret && /^[\w-]{43}$/.test(secret) ? hashSecretText(secret) : undefined;
    },
  };
}

/** Finds out for each call of the console which office it is for and who makes it. */
export function createOfficeVisits(parts: {
  readonly database: Database;
  readonly sites: Sites;
  readonly clock: Clock;
  readonly cookies: OfficeCookies;
}): Visits<OfficeVisit> {
  const { database, sites, clock, cookies } = parts;
  return {
    async find(request, { isActivity = true } = {}) {
      const now = clock.now();
      const site = await sites.ofHost(request.headers.host);
      if (!site) throw problem(421, 'This server does not serve that host.');
      if (site.kind !== 'account') throw problem(404, 'No election office is at this address.');
      const { account } = site;
      const db = database.forOffice(account.accountId);
      const hash = cookies.readHash(request);
      const living = hash && (await useSession(db, hash, now, { usedBy: 'console', isActivity }));
      return { request, account, db, now, session: living && toSession(living) };
    },
    admit(visit, call, reply) {
      const { access, needsProof } = call as OfficeCall;
      if (access === 'anyone') return;
      const { request, session, now } = visit;
      if (!session) {
        cookies.clear(reply, request);
        throw problem(401, 'You are not signed in, or your session has ended. Please sign in.');
      }
      if (access !== 'signed-in' && !mayDo(session.roles, access))
        throw problem(403, 'Your roles in this office do not allow this. Ask an administrator.');
      if (needsProof && now >= session.proofEndsAt)
        throw problem(403, 'Please confirm that it is you: sign in again.', {
          errorCode: officeErrorCodes.proofNeeded,
        });
    },
  };
}

function toSession(living: LivingSession): OfficeSession {
  return {
    ...living,
    proofEndsAt: proofEndsAt(living),
    actor: actorOf(living),
  };
}
