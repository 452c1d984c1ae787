import { type Credentials, parseBirthdate } from '@ballot-beacon/contract/session';
import type { Clock } from '../../platform/clock.ts';
import { type FairQueue, QueueFull } from '../../platform/fair-queue.ts';
import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import { problem } from '../../platform/problem.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { recordAudit, type SecurityEventKind, type SecurityEvents } from '../audit/index.ts';
import type { Site, Sites } from '../sites/index.ts';
import {
  type Candidate,
  findVoters,
  readTypedNames,
  strengthenToken,
  type TokenCheck,
  type TokenKeys,
} from '../voters/index.ts';
import { type AllowedPeople, openAttempt } from './attempt.ts';
import type { CaptchaCheck, CaptchaSolution } from './captcha-check.ts';
import { networksOf } from './networks.ts';
import {
  continuationMs,
  createSessionSecret,
  hashSessionSecret,
  sessionMaximumMs,
} from './rules.ts';
import { findKeptCaptcha, insertSession, keepCaptchaFor, spendCaptcha } from './store.ts';
import { keyOfAttempt, type TypedPerson, type WorkLevel } from './throttle-rules.ts';
import type { Refusal, Welcome } from './throttle-store.ts';

export type SignInRefusal =
  | { readonly kind: 'invalid-captcha' | 'no-match' | 'ambiguous' | 'token-required' }
  /** Too many failures for this name: details alone are no longer enough. */
  | { readonly kind: 'proof-required' }
  /** The same again with a proof of work of this level. */
  | { readonly kind: 'more-work'; readonly level: WorkLevel }
  | { readonly kind: 'throttled'; readonly until: Date };

export interface SignedIn {
  readonly kind: 'signed-in';
  /** Public. */
  readonly sessionId: string;
  /** For the cookie alone. */
  readonly secret: string;
}

export type SignInOutcome = SignedIn | SignInRefusal;

export interface SignInParts {
  readonly database: Database;
  readonly sites: Sites;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly checkCaptcha: CaptchaCheck;
  readonly securityEvents: SecurityEvents;
  readonly tokenKeys: TokenKeys;
  /** Hashing typed tokens takes turns by network. */
  readonly tokenTurns: FairQueue;
}

/** Where an attempt came from. */
export interface Origin {
  readonly address: string;
  /** The device's cookie. */
  readonly device: string | undefined;
}

export interface Attempt extends Origin {
  readonly site: Site;
  readonly credentials: Credentials;
  /** Called before a wait for a turn to hash the token, in a line of its own. */
  readonly leavePlace: () => void;
}

/**
 * Signs a voter in, or says as little as possible about why not: a wrong person, no such voter, an inactive and a
 * confidential one are the same outcome by the same steps. More work, another proof and waiting depend on what was
 * typed and where it came from, never on whom the roll has.
 */
export async function signIn(parts: SignInParts, attempt: Attempt): Promise<SignInOutcome> {
  const { secrets, clock, database } = parts;
  const { site, credentials, address } = attempt;
  const now = clock.now();
  const db = site.kind === 'account' ? site.db : database.unscoped;
  const typed: TypedPerson = {
    names: await readTypedNames(db, credentials),
    zipcode: credentials.zipcode,
    birthdate: parseBirthdate(credentials.birthdate) ?? '',
  };
  const person = keyOfAttempt(secrets.sign, typed);
  const accountId = site.kind === 'account' ? site.account.accountId : undefined;
  const record = (kind: SecurityEventKind) =>
    parts.securityEvents.record({ kind, address, ...(accountId !== undefined && { accountId }) });
  const captcha = await parts.checkCaptcha({
    site,
    text: credentials.recaptcha,
    address,
    now,
    findKept: (hash) => findKeptCaptcha(db, hash, person, now),
  });
  if (captcha.kind === 'refused') {
    record('captcha-refused');
    return { kind: 'invalid-captcha' };
  }

  const solution = captcha.kind === 'solved' ? captcha.solution : undefined;
  const hasToken = credentials.token !== undefined;
  const opened = await openAttempt(db, secrets, { typed, hasToken, now, ...attempt });
  const refuse = async (refusal: SignInRefusal) => {
    await opened.forgive();
    return refusal;
  };
  if (opened.isSpraying) record('spraying');
  if (opened.waitUntil) return refuse({ kind: 'throttled', until: opened.waitUntil });
  const isAskedInstead = solution?.isInstead !== true || opened.work > 0;
  if (solution && !(isAskedInstead && (await spendCaptcha(db, solution, person)))) {
    record('captcha-refused');
    return refuse({ kind: 'invalid-captcha' });
  }
  if (solution && solution.level < opened.work) {
    return refuse({ kind: 'more-work', level: opened.work });
  }
  // Where every voter has a token, it is the further proof; the form asks for it as it always does.
  const isTokenAsked =
    site.kind === 'account' && site.account.settings.is_token_required && !hasToken;
  if (opened.allowed.size === 0) {
    if (solution && isTokenAsked) await keepCaptcha(db, solution, person, now);
    return refuse({ kind: isTokenAsked ? 'token-required' : 'proof-required' });
  }

  const found = await match(parts, attempt, typed, opened.allowed);
  if (found.kind === 'match') {
    const { voter, site: own, isTokenRight: hasContactProof } = found;
    const { accountId: ownId } = own.account;
    const start = { voterId: voter.voter_id, hasContactProof };
    return startSession(own.db, ownId, start, now, opened.succeed(voter.firstname, start.voterId));
  }
  const isNowLocked = found.kind === 'no-match' && opened.locksNow;
  const refusal = describeRefusal(attempt, person, found.kind, isNowLocked);
  if (found.kind === 'no-match') {
    record(accountId === undefined ? 'unbranded-sign-in-failed' : 'sign-in-failed');
    await opened.fail(refusal);
  } else {
    await opened.forgive();
    if (solution) await keepCaptcha(db, solution, person, now);
    if (refusal) await recordAudit(db, refusal.accountId, refusal);
  }
  // Another person with a similar name is not locked, but was not the person typed.
  return found.kind === 'no-match' && opened.isPartlyLocked && !hasToken
    ? { kind: 'proof-required' }
    : found;
}

function keepCaptcha(db: Db, solution: CaptchaSolution, person: Buffer, now: Date): Promise<void> {
  return keepCaptchaFor(db, solution, person, new Date(now.getTime() + continuationMs));
}

type Match =
  | {
      readonly kind: 'match';
      readonly voter: Candidate;
      readonly site: Site & { kind: 'account' };
      readonly isTokenRight: boolean;
    }
  | { readonly kind: 'no-match' | 'ambiguous' | 'token-required' };

async function match(
  parts: SignInParts,
  { site, credentials, address, leavePlace }: Attempt,
  typed: TypedPerson,
  allowed: AllowedPeople,
): Promise<Match> {
  const { provided_voter_id: voterId, token } = credentials;
  if (site.kind === 'unserved') return { kind: 'no-match' };
  const isAcrossAccounts = site.kind === 'unbranded';
  const db = isAcrossAccounts ? parts.database.unscoped : site.db;
  const everyone = await findVoters({ db, isAcrossAccounts }, { ...typed, voterId });
  const found = everyone.filter(({ firstname }) => allowed.has(firstname));
  const [voter] = found;
  // The hash is computed whether or not there is anybody to compare with, so that the time says nothing.
  if (token !== undefined) leavePlace();
  const checked =
    token === undefined
      ? undefined
      : await checkTokenInTurn(parts, address, token, found.length === 1 ? voter : undefined);
  const isTokenRight = checked?.isRight === true;
  if (!voter) return { kind: 'no-match' };
  const needsToken = found.some(({ firstname }) => allowed.get(firstname)?.needsToken);
  // With the lifetime limit reached, no answer says that the details were right.
  if (needsToken && !isTokenRight) return { kind: 'no-match' };
  if (found.length > 1) return { kind: 'ambiguous' };

  const own = site.kind === 'account' ? site : await parts.sites.ofAccount(voter.account_id);
  if (!own) return { kind: 'no-match' };
  if (own.account.settings.is_token_required) {
    if (token === undefined) return { kind: 'token-required' };
    if (!isTokenRight) return { kind: 'no-match' };
  }
  if (checked?.strengthened !== undefined)
    await strengthenToken(own.db, voter, checked.strengthened);
  return { kind: 'match', voter, site: own, isTokenRight };
}

/** @throws a 503 where too many wait already: the visitor's browser is asked to come back */
async function checkTokenInTurn(
  { tokenTurns, tokenKeys }: SignInParts,
  address: string,
  token: string,
  voter: Candidate | undefined,
): Promise<TokenCheck> {
  try {
    return await tokenTurns.run(networksOf(address)[0], () => tokenKeys.check(token, voter));
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw problem(503, 'Too many visitors sign in with a token at once.', {
      headers: { 'retry-after': '5' },
    });
  }
}

interface SessionStart {
  readonly voterId: VoterId;
  readonly hasContactProof: boolean;
  /** Of the letter that it was started with. */
  readonly letterCodeId?: number | null;
}

/**
 * A new secret at each sign-in: a session that was planted in a browser before never becomes the voter's.
 *
 * @param welcome counts the sign-in in the same statement
 */
export async function startSession(
  db: Db,
  accountId: AccountId,
  { voterId, hasContactProof, letterCodeId = null }: SessionStart,
  now: Date,
  welcome?: Welcome,
): Promise<SignedIn> {
  const secret = createSessionSecret();
  const hash = hashSessionSecret(secret);
  const expiresAt = new Date(now.getTime() + sessionMaximumMs);
  const session = { hash, voterId, hasContactProof, letterCodeId, now, expiresAt };
  const sessionId = await insertSession(db, accountId, session, welcome);
  return { kind: 'signed-in', sessionId, secret };
}

/** What did not become a session, for the office's record: by keyed hash, never by name. */
function describeRefusal(
  { site }: Attempt,
  person: Buffer,
  outcome: string,
  isNowLocked: boolean,
): Refusal | undefined {
  if (site.kind !== 'account') return;
  return {
    accountId: site.account.accountId,
    actor: `visitor:${person.toString('hex').slice(0, 16)}`,
    action: isNowLocked ? 'session.lock' : 'session.refuse',
    details: { outcome },
  };
}
