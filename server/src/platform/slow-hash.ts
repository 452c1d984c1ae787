import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string | Buffer, Buffer, number, object, Buffer>(scrypt);

/** Parameters of scrypt (RFC 7914). One hash takes about N·r·p steps and 128·N·r bytes. */
export interface HashCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

/** The set of OWASP's equivalent ones that takes little time here and much memory (decision 099). */
export const recommendedCost: HashCost = { N: 2 ** 14, r: 8, p: 5 };

export interface SlowHash {
  readonly cost: HashCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

const hashBytes = 32;

/** A salted scrypt hash of 32 bytes. Without a salt, a new random one. */
export async function hashSlowly(
  secret: string | Buffer,
  cost: HashCost = recommendedCost,
  salt: Buffer = randomBytes(16),
): Promise<SlowHash> {
  return { cost, salt, hash: await derive(secret, salt, hashBytes, { ...cost, maxmem: 2 ** 28 }) };
}

/** `N$r$p$salt$hash`, the last two in base64url. */
export function writeSlowHash({ cost: { N, r, p }, salt, hash }: SlowHash): string {
  return [N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** @returns undefined for what {@link writeSlowHash} did not write */
export function readSlowHash(text: string): SlowHash | undefined {
  const [, N, r, p, salt = '', hash = ''] =
    /^(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]{43})$/.exec(text) ?? [];
  if (hash === '') return undefined;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** Whether `secret` is what this is the hash of, in constant time. */
export async function isSlowHashOf(secret: string | Buffer, known: SlowHash): Promise<boolean> {
  const { hash } = await hashSlowly(secret, known.cost, known.salt);
  return timingSafeEqual(hash, known.hash);
}
