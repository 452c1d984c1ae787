import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * A county's file may bring a token for every voter, so one hash has to take milliseconds; guessing one at the login
 * is limited by its throttle.
 */
const cost = { N: 4096, r: 8, p: 1 };
const length = 32;

/** A salted scrypt hash of a short secret: `scrypt$N$r$p$salt$hash`, the last two in base64url. */
export async function hashSlowly(text: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(text, salt, length, cost);
  const parts = [cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')];
  return `scrypt$${parts.join('$')}`;
}

/** Whether `text` is what {@link hashSlowly} was given; false for anything that is no such hash. */
export async function isSlowHashOf(text: string, stored: string): Promise<boolean> {
  const [kind, N, r, p, salt, hash] = stored.split('$');
  if (kind !== 'scrypt' || salt === undefined || hash === undefined) return false;
  const expected = Buffer.from(hash, 'base64url');
  const options = { N: Number(N), r: Number(r), p: Number(p) };
  const actual = await derive(text, Buffer.from(salt, 'base64url'), expected.length, options);
  return timingSafeEqual(actual, expected);
}
