import * as oidc from 'openid-client';
import { type IdentityProvider, isPlainHttp } from '../../platform/identity-providers.ts';
import { codeOf } from '../../platform/log.ts';
import type { PlainText } from '../../platform/log-events.ts';
import type { Identity } from './people-store.ts';
import { isProvenSince, personName, provenAt, readClaims, sessionMaximumMs } from './rules.ts';

/** A person as an identity provider just proved it. */
export interface ProvenIdentity extends Identity {
  readonly name: string;
  readonly groups: readonly string[];
  /** When the person signed in there; null where the provider does not say. */
  readonly provenAt: Date | null;
}

/** A sign-in that has begun; only the browser that began it can finish it. */
export interface SignInTransaction {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636). */
  readonly verifier: string;
  readonly startedAt: Date;
  /** The provider must ask the person, even one who is signed in there. */
  readonly isAgain: boolean;
}

/** A sign-in that came to nothing at the provider, or between it and us. */
export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  /**
   * `unreachable`: the provider does not answer. `denied`: it did not let the person in. `not-asked`: it let the person in without asking, though a
   * new sign-in was needed. `unusable`: what it answered proves nothing.
   */
  readonly reason: 'unreachable' | 'denied' | 'not-asked' | 'unusable';
  /** For the log: of the library or of the provider. */
  readonly code: PlainText;

  constructor(reason: SignInFailed['reason'], code: string) {
    super(reason);
    this.reason = reason;
    this.code = codeOf({ code });
  }
}

/** Seconds. */
const patience = 10;
const descriptionLifetimeMs = 60 * 60_000;

const descriptions = new Map<
  IdentityProvider,
  { at: number; found: Promise<oidc.Configuration> }
>();

/** What the provider says of itself, asked once an hour. @throws {SignInFailed} */
async function describe(provider: IdentityProvider): Promise<oidc.Configuration> {
  const known = descriptions.get(provider);
  if (known && performance.now() - known.at < descriptionLifetimeMs) return known.found;
  const { issuer, client_id: id, client_secret: secret } = provider;
  const found = oidc
    .discovery(
      new URL(issuer),
      id,
      undefined,
      secret === undefined ? oidc.None() : oidc.ClientSecretPost(secret),
      {
        timeout: patience,
        // Production has refused such a provider at its start.
        execute: isPlainHttp(provider) ? [oidc.allowInsecureRequests] : [],
      },
    )
    .catch((error: unknown) => {
      descriptions.delete(provider);
      throw new SignInFailed('unreachable', codeOf(error));
    });
  descriptions.set(provider, { at: performance.now(), found });
  return found;
}

/** Where the browser goes to sign in, and what it must come back with. @throws {SignInFailed} */
export async function startSignIn(
  provider: IdentityProvider,
  of: { readonly redirectUri: string; readonly isAgain: boolean },
  now: Date,
): Promise<{ readonly url: string; readonly transaction: SignInTransaction }> {
  const configuration = await describe(provider);
  const transaction = {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    startedAt: now,
    isAgain: of.isAgain,
  };
  const url = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: of.redirectUri,
    scope: provider.scope,
    state: transaction.state,
    nonce: transaction.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: 'S256',
    // Some providers know one of the two alone. With any max_age the token says when the person signed in there.
    ...(of.isAgain
      ? { max_age: '0', prompt: 'login' }
      : { max_age: String(sessionMaximumMs / 1000) }),
  });
  return { url: url.href, transaction };
}

/** @param answer the address with which the provider sent the browser back @throws {SignInFailed} */
export async function finishSignIn(
  provider: IdentityProvider,
  transaction: SignInTransaction,
  answer: URL,
  now: Date,
): Promise<ProvenIdentity> {
  const configuration = await describe(provider);
  const { state, nonce, verifier, startedAt, isAgain } = transaction;
  const tokens = await oidc
    .authorizationCodeGrant(configuration, answer, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    .catch(explain);
  const identity = await readIdentity(provider, configuration, tokens, now);
  if (isAgain && !isProvenSince(identity.provenAt, startedAt))
    throw new SignInFailed('not-asked', identity.provenAt ? 'auth_time_old' : 'auth_time_missing');
  return identity;
}

/** A sign-in on another device: the person types the code at the address there. */
export interface DeviceSignIn {
  readonly userCode: string;
  readonly address: string;
  /** With the code in it, where the provider has such an address. */
  readonly completeAddress: string | undefined;
  /** Waits for the person. @throws {SignInFailed} also when the code has expired */
  wait(now: () => Date, signal: AbortSignal): Promise<ProvenIdentity>;
}

/** Begins a sign-in for a program without a browser (RFC 8628). @throws {SignInFailed} */
export async function startDeviceSignIn(provider: IdentityProvider): Promise<DeviceSignIn> {
  const configuration = await describe(provider);
  if (configuration.serverMetadata().device_authorization_endpoint === undefined)
    throw new SignInFailed('unusable', 'no_device_authorization_endpoint');
  const begun = await oidc
    .initiateDeviceAuthorization(configuration, { scope: provider.scope, max_age: '0' })
    .catch(explain);
  return {
    userCode: begun.user_code,
    address: begun.verification_uri,
    completeAddress: begun.verification_uri_complete,
    async wait(now, signal) {
      const tokens = await oidc
        .pollDeviceAuthorizationGrant(configuration, begun, undefined, { signal })
        .catch(explain);
      const identity = await readIdentity(provider, configuration, tokens, now());
      // The person has just confirmed the code there, whether or not the provider asked for more.
      return { ...identity, provenAt: now() };
    },
  };
}

/**
 * Where a person signs out of the provider, too; undefined where it has no such address, or does not answer.
 *
 * @param returnTo where the provider sends the browser afterwards
 */
export async function signOutAddress(
  provider: IdentityProvider,
  returnTo: string,
): Promise<string | undefined> {
  const configuration = await describe(provider).catch(() => undefined);
  if (configuration?.serverMetadata().end_session_endpoint === undefined) return undefined;
  return oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href;
}

type Tokens = Awaited<ReturnType<typeof oidc.authorizationCodeGrant>>;

async function readIdentity(
  provider: IdentityProvider,
  configuration: oidc.Configuration,
  tokens: Tokens,
  now: Date,
): Promise<ProvenIdentity> {
  const token = tokens.claims();
  if (!token) throw new SignInFailed('unusable', 'id_token_missing');
  const named = readClaims(token, provider.groups_claim);
  const { userinfo_endpoint: more } = configuration.serverMetadata();
  const isComplete = named.groups !== undefined && named.name !== undefined;
  const asked =
    isComplete || more === undefined
      ? named
      : readClaims(
          await oidc.fetchUserInfo(configuration, tokens.access_token, token.sub).catch(explain),
          provider.groups_claim,
        );
  return {
    issuer: token.iss,
    subject: token.sub,
    name: personName(named.name ?? asked.name ?? token.sub),
    groups: named.groups ?? asked.groups ?? [],
    provenAt: provenAt(token, now),
  };
}

function explain(error: unknown): never {
  if (error instanceof oidc.AuthorizationResponseError)
    throw new SignInFailed('denied', error.error);
  if (error instanceof oidc.ResponseBodyError)
    throw new SignInFailed(error.error === 'access_denied' ? 'denied' : 'unusable', error.error);
  const code = codeOf(error);
  const isLost = error instanceof TypeError || code === 'OAUTH_TIMEOUT';
  throw new SignInFailed(isLost ? 'unreachable' : 'unusable', code);
}
