import { createHash, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { possibleFirstNames, type TypedNames } from '../voters/index.ts';

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
  /** One IPv4 address, or the IPv6 /64 that a household or a phone has. */
  address: 20,
  /** The IPv6 /56 and /48 that one customer can choose its /64s from. */
  site: 40,
  organization: 80,
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

/** What was typed to sign in, read as the roll is. */
export interface TypedPerson {
  readonly names: TypedNames;
  readonly zipcode: string;
  /** `YYYY-MM-DD` */
  readonly birthdate: string;
}

/**
 * What a sign-in attempt counts against. Keys are keyed hashes, so that the table names nobody. A failure counts for
 * every first name on a roll that the typed one can stand for: spellings that match the same voter share its counter,
 * on every host.
 */
export function throttlesOfSignIn(sign: Sign, person: TypedPerson, address: string): Throttle[] {
  const { names, zipcode, birthdate } = person;
  const people = possibleFirstNames(names.firstWords).map((firstname) =>
    [names.lastname, firstname, zipcode].join('|'),
  );
  return [
    ...people.map((one) => throttle(sign, 'identity', `${one}|${birthdate}`)),
    ...people.map((one) => throttle(sign, 'name', one)),
    ...throttlesOfNetwork(sign, address),
  ];
}

/** Stands for exactly what was typed, so that a solved CAPTCHA goes on with this person only. */
export function keyOfAttempt(sign: Sign, { names, zipcode, birthdate }: TypedPerson): Buffer {
  const typed = [names.lastname, names.firstWords.join(''), zipcode, birthdate];
  return sign('attempt', typed.join('|'));
}

/** What an attempt with a ballot's QR code counts against. */
export function throttlesOfQrCode(sign: Sign, guid: string, address: string): Throttle[] {
  return [throttle(sign, 'ballot', guid), ...throttlesOfNetwork(sign, address)];
}

/** What a wrong password of whoever pushes scans counts against. @param scope the account */
export function throttleOfPush(sign: Sign, scope: string, address: string): Throttle {
  return throttle(sign, 'push', `${scope}|${networksOf(address)[0]}`);
}

function throttlesOfNetwork(sign: Sign, address: string): Throttle[] {
  const kinds = ['address', 'site', 'organization'] as const;
  return networksOf(address).map((network, index) =>
    throttle(sign, kinds[index] ?? 'organization', network),
  );
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

/** The networks of an address, narrowest first: an IPv4 address itself; of IPv6 the /64, the /56 and the /48. */
export function networksOf(address: string): readonly [string, ...string[]] {
  const [plain = ''] = address.split('%');
  const bytes = isIPv6(plain) ? readIPv6(plain) : undefined;
  if (!bytes) return [plain];
  const isMapped =
    bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return [bytes.slice(12).join('.')];
  const prefix = (length: number) =>
    `${Buffer.from(bytes.slice(0, length / 8)).toString('hex')}/${length}`;
  return [prefix(64), prefix(56), prefix(48)];
}

/** The 16 bytes of an IPv6 address in any of its spellings, also one that ends in an IPv4 address. */
function readIPv6(address: string): number[] {
  const ipv4 = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const [first, second] = [ipv4?.slice(2, 4), ipv4?.slice(4, 6)].map((pair) =>
    pair?.map((byte) => Number(byte).toString(16).padStart(2, '0')).join(''),
  );
  const [head = '', tail] = (ipv4 ? `${ipv4[1]}${first}:${second}` : address).split('::');
  const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...gap, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
