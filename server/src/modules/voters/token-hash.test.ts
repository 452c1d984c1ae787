import { expect, test } from 'vitest';
import { hashSlowly, writeSlowHash } from '../../platform/slow-hash.ts';
import { createTokenKeys, strengthenTokenHash } from './token-hash.ts';

const cheap = { N: 64, r: 8, p: 1 };
const older = createTokenKeys(['the older key of these tests, 32+'], cheap);
const keys = createTokenKeys(
  ['the newer key of these tests, 32+', 'the older key of these tests, 32+'],
  cheap,
);
const none = createTokenKeys([], cheap);
const ann = { account_id: 1, registration_id: 'R1' };
const bob = { account_id: 1, registration_id: 'R2' };
const token = 'K7QM-3XPD';
const strong = /^keyed-scrypt\$[\w-]{8}\$64\$8\$1\$[\w-]{22}\$[\w-]{43}$/;

const stored = (hash: string | null) => ({ ...ann, token_hash: hash });
const former = async (text: string) =>
  `scrypt$${writeSlowHash(await hashSlowly(text, { N: 4096, r: 8, p: 1 }))}`;

test('a token opens as an import stored it, and by its strong hash, in any case and with any spaces and dashes', async () => {
  const { hash } = keys.store(ann, token);
  const first = await keys.check(token, stored(hash));
  expect(first).toEqual({ isRight: true, strengthened: expect.stringMatching(strong) });
  const byWorker = (await strengthenTokenHash(hash, cheap)) ?? '';
  expect(byWorker).toMatch(strong);
  for (const kept of [hash, first.strengthened ?? '', byWorker]) {
    for (const typed of ['k7qm3xpd', ' K7QM 3XPD ', 'k7-qm–3x—pd', 'Ｋ7QM-3XPD', 'K7QM‑3XPD'])
      expect(await keys.check(typed, stored(kept)), typed).toMatchObject({ isRight: true });
    expect(await keys.check('K7QM-3XPE', stored(kept))).toEqual({ isRight: false });
    expect(await keys.check(token, { ...bob, token_hash: kept })).toMatchObject({ isRight: false });
    expect(await none.check(token, stored(kept))).toMatchObject({ isRight: false });
  }
  expect(await keys.check(token, stored(byWorker))).toEqual({ isRight: true });
  for (const kept of [byWorker, await former(token), 'keyed$x$'])
    expect(await strengthenTokenHash(kept, cheap), kept).toBeUndefined();
});

test('a token from before the key opens, as it was written too, and is strengthened', async () => {
  for (const text of [token, 'K7QM3XPD']) {
    const hash = await former(text);
    const { isRight, strengthened = '' } = await keys.check(` ${token} `, stored(hash));
    expect(isRight).toBe(true);
    expect(await keys.check('k7qm3xpd', stored(strengthened))).toMatchObject({ isRight: true });
    expect(await keys.check('K7QM-3XPE', stored(hash))).toEqual({ isRight: false });
    expect(await none.check(token, stored(hash))).toEqual({ isRight: true });
  }
});

test('nobody, a voter without a token and a damaged hash have no right token', async () => {
  for (const hash of [null, '', 'keyed$', 'keyed$x$', 'scrypt$1', 'keyed-scrypt$x$1$1$1$a$b'])
    expect(await keys.check('', stored(hash)), hash ?? 'null').toMatchObject({ isRight: false });
  expect(await keys.check(token, undefined)).toMatchObject({ isRight: false });
});

test('two voters with the same token have nothing in common in the database, and one half says nothing of the other', () => {
  const [one, other] = [keys.store(ann, token), keys.store(bob, token)];
  expect(one.hash).not.toBe(other.hash);
  expect(one.comparison).not.toBe(other.comparison);
  expect(one.hash.split('$').at(-1)).not.toBe(one.comparison.split('$').at(-1));
});

test('a replaced key still compares and opens, and the new one stores', async () => {
  const before = older.store(ann, token);
  expect(keys.isStored(ann, token, before.comparison)).toBe(true);
  expect(keys.isStored(ann, 'K7QM-3XPE', before.comparison)).toBe(false);
  const { isRight, strengthened = '' } = await keys.check(token, stored(before.hash));
  expect(isRight).toBe(true);
  expect(await keys.check(token, stored(strengthened))).toEqual({ isRight: true });
  const after = keys.store(ann, token);
  expect(after.comparison).not.toBe(before.comparison);
  expect(older.isStored(ann, token, after.comparison)).toBe(false);
  expect(await older.check(token, stored(after.hash))).toMatchObject({ isRight: false });
});
