import { hash, randomBytes } from 'node:crypto';

/** Without activity for this long a session ends (product spec §9). */
export const idleTimeoutMs = 24 * 60_000;
/** However active, a session ends after this long. */
export const sessionMaximumMs = 12 * 60 * 60_000;
/** Activity is written down at most this often; the idle time-out is exact to within it. */
export const activityGrainMs = 15_000;
/** How long a CAPTCHA's solution may answer the further question (voter ID, token) that it led to. */
export const continuationMs = 10 * 60_000;

/** The secret a cookie carries: 256 bits, as 43 letters. */
export function createSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database stores of the secret: enough to recognize it, not to use it. */
export function hashSessionSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * The cookie's name. Over https the browser guarantees that no other host set it (`__Host-`); plain http
 * is only for the local machine, where the browser gives no such guarantee.
 */
export function sessionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_session' : 'beacon_session';
}
