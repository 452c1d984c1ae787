import { randomInt } from 'node:crypto';
import type { CaptchaChallenge } from '@ballot-beacon/contract/captcha';
import { createChallenge, type Payload, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { WorkLevel } from './throttle-rules.ts';

/**
 * The proof of work asked of a browser: about 0.2 s on one thread of an ordinary phone, 0.3 ms to check.
 * (Measured with WebCrypto at 1,000 rounds: 0.25 ms a try.)
 */
const roundsPerTry = 1000;
const fewestTries = 300;
const mostTries = 700;
/** How many times the tries at each level: about 0.2, 0.6, 2 and 6 s on an ordinary phone. */
const workFactors = [1, 3, 10, 30] as const;
const challengeLifetimeMs = 20 * 60_000;

/** Makes a signed challenge; nothing of it is stored. */
export async function createAltchaChallenge(
  secret: string,
  now: Date,
  level: WorkLevel = 0,
): Promise<CaptchaChallenge> {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: roundsPerTry,
    counter: randomInt(fewestTries, mostTries) * workFactors[level],
    deriveKey,
    // The library and the browser go by the machine's clock; our own decides, so that a test's clock does too.
    expiresAt: new Date(Date.now() + challengeLifetimeMs),
    data: { expires_at: now.getTime() + challengeLifetimeMs, level },
    hmacSignatureSecret: `${secret}.challenge`,
    hmacKeySignatureSecret: `${secret}.key`,
  });
  return { ...challenge, parameters: { ...challenge.parameters } };
}

/** What came back: base64 of altcha-lib's `Payload` as JSON. Not verified yet. */
export interface AltchaSolution {
  /** Of the challenge: the same challenge solved again is the same solution. */
  readonly nonce: string;
  readonly payload: Payload;
}

/** Undefined for what is not even shaped like a solution to one of our challenges. */
export function readAltchaSolution(text: string): AltchaSolution | undefined {
  const payload = parsePayload(text);
  return payload && { payload, nonce: payload.challenge.parameters.nonce };
}

/**
 * Whether a solution is right, alive and of a challenge signed with one of `secrets` (two while a key is rotated).
 *
 * @returns until when its challenge lives, and how hard it was; undefined for a solution that is not good.
 */
export async function verifyAltchaSolution(
  secrets: readonly string[],
  { payload }: AltchaSolution,
  now: Date,
): Promise<{ readonly expiresAt: Date; readonly level: WorkLevel } | undefined> {
  const { expires_at: expiresAt, level = 0 } = payload.challenge.parameters.data ?? {};
  if (typeof expiresAt !== 'number' || expiresAt <= now.getTime()) return undefined;
  for (const secret of secrets) {
    const result = await verifySolution({
      challenge: payload.challenge,
      solution: payload.solution,
      deriveKey,
      hmacSignatureSecret: `${secret}.challenge`,
      hmacKeySignatureSecret: `${secret}.key`,
    }).catch(() => undefined); // it throws on text that is no hexadecimal number
    if (result?.verified) return { expiresAt: new Date(expiresAt), level: level as WorkLevel };
  }
  return undefined;
}

/** The parts of a payload that are read above, checked; the rest is checked by its signature. */
function parsePayload(text: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return isPayload(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isPayload(value: unknown): value is Payload {
  if (!isRecord(value) || !isRecord(value.challenge) || !isRecord(value.solution)) return false;
  const { parameters, signature } = value.challenge;
  const { counter, derivedKey } = value.solution;
  return (
    isRecord(parameters) &&
    parameters.algorithm === 'PBKDF2/SHA-256' &&
    // An unsigned cost is never run: it could be anything.
    parameters.cost === roundsPerTry &&
    typeof parameters.nonce === 'string' &&
    typeof signature === 'string' &&
    typeof counter === 'number' &&
    typeof derivedKey === 'string'
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
