import { createHash, randomBytes } from 'node:crypto';

/** Without activity for this long a session ends. */
export const idleTimeoutMs = 30 * 60_000;
/** However active, a session ends after this long. */
export const sessionMaximumMs = 12 * 60 * 60_000;
/** Activity is written down at most this often; the idle time-out is exact to within it. */
export const activityGrainMs = 15_000;
/** How long after a sign-in a person may release, correct or change people without another one. */
export const proofLifetimeMs = 5 * 60_000;
export const invitationLifetimeMs = 24 * 60 * 60_000;
/** How long a passkey's challenge may be answered. */
export const challengeLifetimeMs = 5 * 60_000;

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
