import { expect, test } from 'vitest';
import { createSecrets } from '../../platform/secrets.ts';
import { type ChallengePurpose, createChallenge, readChallenge } from './challenges.ts';
import { challengeLifetimeMs } from './rules.ts';

const secrets = createSecrets(['a secret of the tests, long enough to be one']);
const now = new Date('2026-10-05T15:00:00Z');
const signIn: ChallengePurpose = { accountId: 1 };
const invitation: ChallengePurpose = { accountId: 1, invitation: Buffer.from('first') };
const after = (milliseconds: number) => new Date(now.getTime() + milliseconds);

test.each([
  [-1, true],
  [0, false],
  [1, false],
])('%i milliseconds from its end a challenge is good: %s', (milliseconds, isGood) => {
  const challenge = createChallenge(secrets, signIn, now);
  const read = readChallenge(secrets, signIn, challenge, after(challengeLifetimeMs + milliseconds));
  expect(read).toEqual(
    isGood ? { hash: expect.any(Buffer), expiresAt: after(challengeLifetimeMs) } : undefined,
  );
});

test('a challenge is good for its own purpose alone', () => {
  const purposes: readonly ChallengePurpose[] = [
    signIn,
    { accountId: 2 },
    { accountId: 11 },
    invitation,
    { accountId: 2, invitation: Buffer.from('first') },
    { accountId: 1, invitation: Buffer.from('second') },
  ];
  for (const made of purposes) {
    const challenge = createChallenge(secrets, made, now);
    const good = purposes.filter(
      (one) => readChallenge(secrets, one, challenge, now) !== undefined,
    );
    expect(good).toEqual([made]);
  }
});

test('no two are alike, and each has a hash of its own', () => {
  const all = Array.from({ length: 50 }, () => createChallenge(secrets, signIn, now));
  expect(new Set(all).size).toBe(50);
  const hashes = all.map((one) => readChallenge(secrets, signIn, one, now)?.hash.toString('hex'));
  expect(new Set(hashes).size).toBe(50);
});

test('a challenge that somebody changed, or made up, is none', () => {
  const challenge = createChallenge(secrets, signIn, now);
  const bytes = Buffer.from(challenge, 'base64url');
  for (const place of [0, 14, 15, 30, 31, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    expect(readChallenge(secrets, signIn, changed.toString('base64url'), now)).toBeUndefined();
  }
  for (const text of ['', 'hello', challenge.slice(0, 40)])
    expect(readChallenge(secrets, signIn, text, now)).toBeUndefined();
  const other = createSecrets(['another secret of the tests, long enough too']);
  expect(readChallenge(other, signIn, challenge, now)).toBeUndefined();
});
