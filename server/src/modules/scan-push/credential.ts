import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { AccountId } from '../../platform/ids.ts';
import type { Tx } from '../../platform/postgres.ts';
import { type Actor, recordAudit } from '../audit/index.ts';
import { saveCredential } from './store.ts';

/** The path on an account's host to which USPS pushes scans. */
export const pushPath = '/api/usps/iv-mtr';

/** There is one for all that USPS pushes to an office. */
export const pushUser = 'usps';

export interface Credential {
  readonly user: string;
  /** Shown once, and stored only as a hash. */
  readonly password: string;
}

/** Creates the password with which USPS pushes an account's scans. The previous password stops working. */
export async function drawCredential(tx: Tx, accountId: AccountId, now: Date): Promise<Credential> {
  const credential = { user: pushUser, password: randomBytes(32).toString('base64url') };
  const { user, password } = credential;
  await saveCredential(tx, accountId, hashPair(`${user}:${password}`), now);
  return credential;
}

/** {@link drawCredential}, and records who did. */
export async function renewCredential(
  tx: Tx,
  { accountId, subdomain }: { readonly accountId: AccountId; readonly subdomain: string },
  actor: Actor,
  now: Date,
): Promise<Credential> {
  await recordAudit(tx, accountId, { actor, action: 'scan-push.draw', target: subdomain });
  return drawCredential(tx, accountId, now);
}

/**
 * Whether an `Authorization` header is HTTP Basic (RFC 7617) with this credential; in constant time.
 *
 * @param hash null when the account has no password: every credential is refused
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
