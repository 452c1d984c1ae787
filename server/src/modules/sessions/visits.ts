import {
  chooseLanguage,
  type Language,
  languageCookieName,
} from '@ballot-beacon/contract/languages';
import type { Translate } from '@ballot-beacon/contract/translate';
import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallBinder, VisitOptions, Visits } from '../../platform/call-binder.ts';
import type { Clock } from '../../platform/clock.ts';
import type { VoterId } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { AccountSite, Site, Sites } from '../sites/index.ts';
import {
  type Details,
  deviceCookieName,
  deviceLifetimeSeconds,
  findDevice,
  rememberDevice,
} from './device.ts';
import { createKnownSessions } from './known-sessions.ts';
import { activityGrainMs, hashSessionSecret, sessionCookieName } from './rules.ts';
import { findSessionAccount, type LivingSession, useSession } from './store.ts';
import { identityOf } from './throttle-rules.ts';

export interface Session {
  readonly sessionId: string;
  readonly voterId: VoterId;
  /** The voter's own account, whatever the host. */
  readonly site: AccountSite;
  /** A letter's code, the token or a code at one of the voter's addresses has shown that it is the voter's. */
  readonly hasContactProof: boolean;
  /** Signed in by a letter's code: sees the ballots' status, and gets no messages. */
  readonly isConfidential: boolean;
  /** What the voter signs in with; undefined where the roll has no birth date any more. */
  readonly details: Details | undefined;
}

/** What decides which of a voter's data the page shows. */
export type OwnView = Pick<Session, 'voterId' | 'site' | 'hasContactProof' | 'isConfidential'>;

/** A request and its visitor, as far as known. */
export interface Visit {
  readonly request: FastifyRequest;
  /** Of the host; where the host has none, of the signed-in voter. */
  readonly site: Site;
  readonly session: Session | undefined;
  readonly language: Language;
  readonly translate: Translate;
  readonly now: Date;
}

/** The calls as the modules answer them, for visits of this product. */
export type VoterApi = CallBinder<Visit>;

/** The cookies of signing in: the session's secret, and the device's random texts that stay after it. */
export interface SessionCookies {
  set(reply: FastifyReply, request: FastifyRequest, secret: string): void;
  clear(reply: FastifyReply, request: FastifyRequest): void;
  /** The hash of the secret in the request's cookie; undefined without one. */
  readHash(request: FastifyRequest): Buffer | undefined;
  readDevice(request: FastifyRequest): string | undefined;
  /** From now on requests with this session's cookie come first under load. @param lastActiveAt as the database has noted it */
  recognize(hash: Buffer, lastActiveAt: Date): void;
  /** Whether the database has noted activity of this session since then, as far as this process knows. */
  wasActiveSince(hash: Buffer, since: Date): boolean;
  /** Whether the request has the cookie of such a session; of nothing but its headers. */
  isKnown(request: Pick<FastifyRequest, 'headers'>): boolean;
  /** Adds a cookie to the answer that records that this browser signed this person in. */
  rememberDevice(request: FastifyRequest, details: Details): void;
  /** To be called before an answer is sent. */
  sendDevice(reply: FastifyReply, request: FastifyRequest): void;
}

export interface VisitParts {
  readonly database: Database;
  readonly sites: Sites;
  readonly clock: Clock;
  readonly cookies: SessionCookies;
}

export function createSessionCookies(secrets: Secrets): SessionCookies {
  const newDevices = new WeakMap<FastifyRequest, string>();
  const known = createKnownSessions();
  return {
    set(reply, request, secret) {
      const secure = request.isSecure;
      reply.setCookie(sessionCookieName(secure), secret, { ...cookieOptions, secure });
    },
    clear(reply, request) {
      const secure = request.isSecure;
      reply.clearCookie(sessionCookieName(secure), { ...cookieOptions, secure });
    },
    readHash(request) {
      const secret = request.cookies[sessionCookieName(request.isSecure)];
      return secret && /^[\w-]{43}$/.test(secret) ? hashSessionSecret(secret) : undefined;
    },
    recognize: known.add,
    wasActiveSince: known.wasActiveSince,
    isKnown: ({ headers }) => known.hasOneOf(headers.cookie),
    readDevice: (request) => request.cookies[deviceCookieName(request.isSecure)],
    rememberDevice(request, details) {
      const cookie = request.cookies[deviceCookieName(request.isSecure)];
      if (cookie !== undefined && known.hasDevice(cookie, details)) return;
      if (cookie !== undefined && findDevice(secrets, cookie, details)?.isSameDetails)
        return known.addDevice(cookie, details);
      newDevices.set(request, rememberDevice(secrets, cookie, details));
    },
    sendDevice(reply, request) {
      const device = newDevices.get(request);
      if (device === undefined) return;
      const secure = request.isSecure;
      const options = { ...cookieOptions, secure, maxAge: deviceLifetimeSeconds };
      reply.setCookie(deviceCookieName(secure), device, options);
    },
  };
}

/** Finds out for each request whose site it visits and who is signed in. */
export function createVisits(parts: VisitParts): Visits<Visit> {
  const { database, sites, clock, cookies } = parts;

  async function findSession(
    request: FastifyRequest,
    hostSite: Site,
    now: Date,
    isActivity: boolean,
  ): Promise<Session | undefined> {
    const hash = cookies.readHash(request);
    if (!hash || hostSite.kind === 'unserved') return undefined;
    const site = hostSite.kind === 'account' ? hostSite : await findSite(hash);
    const notedSince = new Date(now.getTime() - activityGrainMs);
    const isToNote = isActivity && !cookies.wasActiveSince(hash, notedSince);
    const living = site && (await useSession(site.db, hash, now, isToNote));
    if (!living) return undefined;
    const isNoted = isToNote && living.last_active_at <= notedSince;
    cookies.recognize(hash, isNoted ? now : living.last_active_at);
    return toSession(living, site);
  }

  async function findSite(hash: Buffer): Promise<AccountSite | undefined> {
    const accountId = await findSessionAccount(database.unscoped, hash);
    return accountId === undefined ? undefined : sites.ofAccount(accountId);
  }

  async function find(
    request: FastifyRequest,
    { isActivity = true }: VisitOptions = {},
  ): Promise<Visit> {
    const now = clock.now();
    const hostSite = await sites.ofHost(request.headers.host);
    if (!hostSite) throw problem(421, 'This server does not serve that host.');
    const session = await findSession(request, hostSite, now, isActivity);
    // A device that is known would have limits of its own, and show that there is such a voter.
    if (session?.details && !session.isConfidential)
      cookies.rememberDevice(request, session.details);
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

  return {
    find,
    admit({ request, session }, { access }, reply) {
      if (access === 'anyone' || session) return;
      cookies.clear(reply, request);
      throw problem(403, 'Session expired');
    },
  };
}

const cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

function toSession(living: LivingSession, site: AccountSite): Session {
  const { birthdate } = living;
  return {
    sessionId: living.session_id,
    voterId: living.voter_id,
    site,
    hasContactProof: living.has_contact_proof,
    isConfidential: living.is_confidential,
    details: birthdate === null ? undefined : { identity: identityOf(living), birthdate },
  };
}
