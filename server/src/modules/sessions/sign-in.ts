import { type Credentials, parseBirthdate } from '@ballot-beacon/contract/session';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Db } from '../../platform/postgres.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { hashSlowly, isSlowHashOf } from '../../platform/slow-hash.ts';
import { recordAudit } from '../audit/index.ts';
import type { Site, Sites } from '../sites/index.ts';
import { findVoters, readTypedNames } from '../voters/index.ts';
import type { CaptchaCheck } from './captcha-check.ts';
import {
  continuationMs,
  createSessionSecret,
  hashSessionSecret,
  keyOfAttempt,
  sessionMaximumMs,
  type TypedPerson,
  throttlesOfSignIn,
} from './rules.ts';
import {
  countAttempt,
  forgiveAttempt,
  insertSession,
  isCaptchaKeptFor,
  keepCaptchaFor,
  spendCaptcha,
} from './store.ts';

export type SignInOutcome =
  | {
      readonly kind: 'signed-in';
      /** Public. */
      readonly sessionId: string;
      /** For the cookie alone. */
      readonly secret: string;
    }
  | { readonly kind: 'invalid-captcha' | 'no-match' | 'ambiguous' | 'token-required' }
  | { readonly kind: 'throttled'; readonly until: Date };

export interface SignInParts {
  readonly database: Database;
  readonly sites: Sites;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly checkCaptcha: CaptchaCheck;
}

export interface Attempt {
  readonly site: Site;
  readonly credentials: Credentials;
  /** Where it came from. */
  readonly address: string;
}

/**
 * Signs a voter in, or says as little as possible about why not: a wrong person, no such voter, an inactive and a
 * confidential one are the same outcome by the same steps.
 */
export async function signIn(parts: SignInParts, attempt: Attempt): Promise<SignInOutcome> {
  const { secrets, clock, database } = parts;
  const { site, credentials } = attempt;
  const now = clock.now();
  const db = site.kind === 'account' ? site.db : database.unscoped;
  const birthdate = parseBirthdate(credentials.birthdate) ?? '';

  const typed: TypedPerson = {
    names: await readTypedNames(db, credentials),
    zipcode: credentials.zipcode,
    birthdate,
  };
  const throttles = throttlesOfSignIn(secrets.sign, typed, attempt.address);
  const person = keyOfAttempt(secrets.sign, typed);

  const captcha = await parts.checkCaptcha({
    site,
    text: credentials.recaptcha,
    address: attempt.address,
    now,
    isKept: (hash) => isCaptchaKeptFor(db, hash, person, now),
  });
  if (captcha.kind === 'refused') return { kind: 'invalid-captcha' };
  const until = await countAttempt(db, throttles, now);
  if (until) return { kind: 'throttled', until };

  if (captcha.kind === 'solved' && !(await spendCaptcha(db, captcha.solution, person))) {
    await forgiveAttempt(db, throttles);
    return { kind: 'invalid-captcha' };
  }

  const outcome = await match(parts, attempt, typed, now);
  if (outcome.kind !== 'no-match') await forgiveAttempt(db, throttles);
  const asksBack = outcome.kind === 'ambiguous' || outcome.kind === 'token-required';
  if (captcha.kind === 'solved' && asksBack) {
    const goodUntil = new Date(now.getTime() + continuationMs);
    await keepCaptchaFor(db, captcha.solution.hash, person, goodUntil);
  }
  return finish(attempt, db, person, outcome);
}

async function match(
  parts: SignInParts,
  { site, credentials }: Attempt,
  typed: TypedPerson,
  now: Date,
): Promise<SignInOutcome> {
  const { provided_voter_id: voterId, token } = credentials;
  if (site.kind === 'unserved') return { kind: 'no-match' };
  const isAcrossAccounts = site.kind === 'unbranded';
  const db = isAcrossAccounts ? parts.database.unscoped : site.db;
  const found = await findVoters({ db, isAcrossAccounts }, { ...typed, voterId });
  const [voter] = found;
  // The hash is worked out whether or not there is anybody to compare with, so that time tells nothing.
  const isTokenRight =
    token !== undefined &&
    (await isSlowHashOf(
      token,
      (found.length === 1 ? voter?.token_hash : null) ?? (await nobodysHash),
    ));
  if (!voter) return { kind: 'no-match' };
  if (found.length > 1) return { kind: 'ambiguous' };

  const own = site.kind === 'account' ? site : await parts.sites.ofAccount(voter.account_id);
  if (!own) return { kind: 'no-match' };
  if (own.account.settings.is_token_required) {
    if (token === undefined) return { kind: 'token-required' };
    if (!isTokenRight) return { kind: 'no-match' };
  }
  return startSession(own.db, own.account.accountId, voter.voter_id, now);
}

/** A new secret at each sign-in: a session that was planted in a browser before never becomes the voter's. */
export async function startSession(
  db: Db,
  accountId: number,
  voterId: number,
  now: Date,
): Promise<SignInOutcome & { kind: 'signed-in' }> {
  const secret = createSessionSecret();
  const sessionId = await insertSession(db, {
    hash: hashSessionSecret(secret),
    voterId,
    now,
    expiresAt: new Date(now.getTime() + sessionMaximumMs),
  });
  await recordAudit(db, accountId, { actor: `voter:${voterId}`, action: 'session.create' });
  return { kind: 'signed-in', sessionId, secret };
}

/** Writes down what did not become a session: by keyed hash, never by name. */
async function finish(
  { site }: Attempt,
  db: Db,
  person: Buffer,
  outcome: SignInOutcome,
): Promise<SignInOutcome> {
  if (outcome.kind === 'signed-in' || site.kind !== 'account') return outcome;
  await recordAudit(db, site.account.accountId, {
    actor: `visitor:${person.toString('hex').slice(0, 16)}`,
    action: 'session.refuse',
    details: { outcome: outcome.kind },
  });
  return outcome;
}

const nobodysHash = hashSlowly('no voter has this token');
