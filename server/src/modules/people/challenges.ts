import { createHash, randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';
import { challengeLifetimeMs } from './rules.ts';

/**
 * What a challenge is for: a sign-in to an office, or one invitation to it. A passkey's answer is good for nothing
 * else.
 */
export interface ChallengePurpose {
  readonly accountId: number;
  /** Undefined: a sign-in. */
  readonly invitation?: Buffer;
}

/** A challenge that this installation signed: asking for many of them costs no row. */
export function createChallenge(secrets: Secrets, purpose: ChallengePurpose, now: Date): string {
  const body = Buffer.concat([
    Buffer.from(String(now.getTime() + challengeLifetimeMs).padStart(15, '0')),
    randomBytes(16),
  ]);
  const signature = secrets.sign('office-challenge', textOf(purpose, body));
  return Buffer.concat([body, signature]).toString('base64url');
}

/** @returns undefined unless the challenge is ours, for this purpose, and not too old */
export function readChallenge(
  secrets: Secrets,
  purpose: ChallengePurpose,
  challenge: string,
  now: Date,
): { readonly hash: Buffer; readonly expiresAt: Date } | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, bodyLength);
  const signature = bytes.subarray(bodyLength);
  if (!secrets.verify('office-challenge', textOf(purpose, body), signature)) return undefined;
  const expiresAt = new Date(Number(body.subarray(0, 15).toString()));
  if (expiresAt <= now) return undefined;
  return { hash: createHash('sha256').update(bytes).digest(), expiresAt };
}

/** The instant in 15 digits, and 16 random bytes. */
const bodyLength = 31;

function textOf({ accountId, invitation }: ChallengePurpose, body: Buffer): string {
  return `${accountId}|${invitation?.toString('base64url') ?? ''}|${body.toString('base64url')}`;
}
