import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in constant time, whatever their lengths. */
export function isSameToken(expected: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(expected), digest(given));
}
