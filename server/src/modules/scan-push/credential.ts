import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Tx } from '../../platform/postgres.ts';
import { saveCredential } from './store.ts';

/** Where the post office pushes scans, on an account's own host. */
export const pushPath = '/api/usps/iv-mtr';

export interface Credential {
  readonly user: string;
  /** Known to nobody but who is shown it now. */
  readonly password: string;
}

/** Draws what the post office signs in with to push an account's scans; whatever it had before stops working. */
export async function drawCredential(tx: Tx, accountId: number, now: Date): Promise<Credential> {
  const credential = { user: 'usps', password: randomBytes(32).toString('base64url') };
  const { user, password } = credential;
  await saveCredential(tx, accountId, hashPair(`${user}:${password}`), now);
  return credential;
}

/**
 * Whether an `Authorization` header is HTTP Basic (RFC 7617) with this credential; in constant time.
 *
 * @param hash null where the account has none: nothing fits
 */
export function isCredential(header: string | undefined, hash: Buffer | null): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]{1,400})$/i.exec(header ?? '')?.[1] ?? '';
  const given = hashPair(Buffer.from(encoded, 'base64').toString('utf8'));
  return timingSafeEqual(given, hash ?? Buffer.alloc(given.length)) && hash !== null;
}

/** A password of 256 random bits needs no slow hash. */
function hashPair(pair: string): Buffer {
  return createHash('sha256').update(pair).digest();
}
