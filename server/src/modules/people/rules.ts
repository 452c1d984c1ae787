import { createHash, randomBytes } from 'node:crypto';
import { personNameMaximum } from '@ballot-beacon/contract/office/people';
import { type Role, roleNames } from '@ballot-beacon/contract/office/roles';
import type { IdentityProvider } from '../../platform/identity-providers.ts';

/** Without activity for this long a session ends. */
export const idleTimeoutMs = 30 * 60_000;
/** However active, a session ends after this long. */
export const sessionMaximumMs = 12 * 60 * 60_000;
/** Activity is written down at most this often; the idle time-out is exact to within it. */
export const activityGrainMs = 15_000;
/** How long after a sign-in a person may release, correct or change people without another one. */
const proofLifetimeMs = 5 * 60_000;
export const invitationLifetimeMs = 24 * 60 * 60_000;
/** How long a passkey's challenge may be answered. */
export const challengeLifetimeMs = 5 * 60_000;
/** How long a person may take at the identity provider. */
export const providerSignInLifetimeMs = 10 * 60_000;

/** The issuer of people who sign in with a passkey of this product; every other one is the address of a provider. */
export const passkeyIssuer = 'passkey';

/** 256 bits, as 43 letters: what a cookie or an invitation's link carries. */
export function createSecretText(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of such a secret: enough to recognize it, not to use it. */
export function hashSecretText(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * The cookie's name. Over https the browser guarantees that no other host set it (`__Host-`); plain http is only for
 * the local machine, where the browser gives no such guarantee.
 */
export function officeCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_office' : 'beacon_office';
}

/** The name of the cookie that a sign-in at the identity provider has until it is finished. */
export function transactionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_office_sign_in' : 'beacon_office_sign_in';
}

/**
 * The roles that a person's groups give in an account, in the order of the contract's table.
 *
 * @param groups as the provider wrote them; case counts
 */
export function rolesOfGroups(
  { groups: mapped }: IdentityProvider,
  subdomain: string,
  groups: readonly string[],
): Role[] {
  const given = new Set(
    mapped
      .filter(({ group, accounts }) => {
        const isHere = accounts === undefined || accounts.includes(subdomain);
        return isHere && groups.includes(group);
      })
      .flatMap(({ roles }) => roles),
  );
  return roleNames.filter((role) => given.has(role));
}

/** Name and groups in the claims of a token or of the provider's user information; undefined where they are not there. */
export function readClaims(
  claims: Readonly<Record<string, unknown>>,
  groupsClaim: string,
): { readonly name: string | undefined; readonly groups: readonly string[] | undefined } {
  const { name, preferred_username: login } = claims;
  const listed = claims[groupsClaim];
  const groups = typeof listed === 'string' ? [listed] : listed;
  return {
    name: [name, login].find((one) => typeof one === 'string' && one.trim() !== '') as
      | string
      | undefined,
    groups: Array.isArray(groups)
      ? groups.filter((group): group is string => typeof group === 'string')
      : undefined,
  };
}

/** A name from elsewhere in the form of a name that is typed here. */
export function personName(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, personNameMaximum);
}

/**
 * When the person of this token signed in at the provider, by our clock: the provider's own is compared with itself
 * alone. Null where the token does not say.
 */
export function provenAt(
  { auth_time: signedIn, iat: issued }: { readonly auth_time?: unknown; readonly iat?: unknown },
  now: Date,
): Date | null {
  if (typeof signedIn !== 'number' || typeof issued !== 'number') return null;
  return new Date(now.getTime() - Math.max(0, issued - signedIn) * 1000);
}

/** Until when no further sign-in is asked for; long ago for a session without any proof. */
export function proofEndsAt({ provenAt: proven }: { readonly provenAt: Date | null }): Date {
  return new Date((proven?.getTime() ?? 0) + proofLifetimeMs);
}

/** Providers count whole seconds, and rounding must refuse nobody. */
const roundingMs = 2_000;

export function isProvenSince(proven: Date | null, since: Date): boolean {
  return proven !== null && proven.getTime() + roundingMs >= since.getTime();
}
