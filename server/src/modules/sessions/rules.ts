import { createHash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';

/** Without activity for this long a session ends (product spec §9). */
export const idleTimeoutMs = 24 * 60_000;
/** However active, a session ends after this long. */
export const sessionMaximumMs = 12 * 60 * 60_000;
/** Activity is written down at most this often; the idle time-out is exact to within it. */
export const activityGrainMs = 15_000;
/** How long a CAPTCHA's solution may answer the further question (voter ID, token) that it led to. */
export const continuationMs = 10 * 60_000;

export const throttleWindowMs = 60 * 60_000;
/** Failures an hour, after which the next attempt is answered 429. */
export const throttleLimits = {
  /** One name, ZIP and birth date. */
  identity: 10,
  /** One address; of IPv6 the /64 that a household or a phone has. */
  address: 20,
  /** One name and ZIP from everywhere: birth dates tried for a known name, address after address. */
  name: 60,
  /** One QR code. */
  ballot: 10,
  /** One address that pushes scans to one office with a wrong password. */
  push: 20,
} as const;
export type ThrottleKind = keyof typeof throttleLimits;

export interface Throttle {
  readonly kind: ThrottleKind;
  readonly key: Buffer;
  readonly limit: number;
}

/** HMAC with the installation's secret: the same text gives the same bytes, and nobody else can try texts. */
export type Sign = (purpose: string, text: string) => Buffer;

export interface TypedPerson {
  readonly firstname: string;
  readonly lastname: string;
  readonly zipcode: string;
  readonly birthdate: string;
}

/**
 * What a sign-in attempt counts against, the person first. Keys are keyed hashes, so that the table names nobody;
 * spellings that match the same voter make the same key.
 *
 * @param scope the account, or what stands for all of them
 */
export function throttlesOfSignIn(
  sign: Sign,
  scope: string,
  person: TypedPerson,
  address: string,
): [Throttle, ...Throttle[]] {
  const name = [firstWord(person.firstname), person.lastname].map(fold).join('|');
  const place = `${scope}|${name}|${person.zipcode}`;
  return [
    throttle(sign, 'identity', `${place}|${person.birthdate}`),
    throttle(sign, 'address', networkOf(address)),
    throttle(sign, 'name', place),
  ];
}

/** What an attempt with a ballot's QR code counts against. */
export function throttlesOfQrCode(
  sign: Sign,
  guid: string,
  address: string,
): [Throttle, ...Throttle[]] {
  return [throttle(sign, 'ballot', guid), throttle(sign, 'address', networkOf(address))];
}

/** What a wrong password of whoever pushes scans counts against. @param scope the account */
export function throttleOfPush(sign: Sign, scope: string, address: string): Throttle {
  return throttle(sign, 'push', `${scope}|${networkOf(address)}`);
}

function throttle(sign: Sign, kind: ThrottleKind, what: string): Throttle {
  return { kind, key: sign(`throttle.${kind}`, what), limit: throttleLimits[kind] };
}

/** The secret a cookie carries: 256 bits, as 43 letters. */
export function createSessionSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of the secret: enough to recognise it, not to use it. */
export function hashSessionSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/**
 * The cookie's name. Over https the browser itself sees to it that no other host set it (`__Host-`); plain http
 * is for the own machine, where no such promise can be had.
 */
export function sessionCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_session' : 'beacon_session';
}

/** The address as it is counted: an IPv6 subscriber has at least a /64 to choose from. */
function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain);
  if (mapped?.[1]) return mapped[1];
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function firstWord(text: string): string {
  return text.trim().split(/\s+/u)[0] ?? '';
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
