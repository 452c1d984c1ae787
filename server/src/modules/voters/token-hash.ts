import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type HashCost,
  hashSlowly,
  isSlowHashOf,
  readSlowHash,
  recommendedCost,
  writeSlowHash,
} from '../../platform/slow-hash.ts';
import { normalizeToken } from './token.ts';

/**
 * How security tokens are stored (decision 099). A key outside the database turns a voter's token into two independent
 * halves. `comparison` is what the next import compares, and only imports may read it. `hash` is what sign-in compares: as
 * an import writes it at first, then replaced by scrypt over it, which takes a quarter of a second.
 *
 * | Stored hash | Meaning |
 * |---|---|
 * | `keyed$KEY$half` | by an import; the worker or the first right sign-in strengthens it |
 * | `keyed-scrypt$KEY$N$r$p$salt$hash` | scrypt over the half |
 * | `scrypt$4096$8$1$salt$hash` | by versions before the key; scrypt over the token itself |
 */
export interface StoredToken {
  readonly comparison: string;
  readonly hash: string;
}

/** Whose token it is. The same token of two voters has nothing in common in the database. */
export interface TokenOwner {
  readonly account_id: number;
  readonly registration_id: string;
}

export interface TokenKeys {
  /** Which key stores. Undefined: tokens can be neither stored nor compared, except those of versions before the key. */
  readonly newest: string | undefined;
  /** Of all keys, newest first. */
  readonly ids: readonly string[];
  /** @throws when no key is set */
  store(owner: TokenOwner, token: string): StoredToken;
  /** Whether this is the owner's stored token, by any of the keys. */
  isStored(owner: TokenOwner, token: string, comparison: string): boolean;
  /** Takes the same time whatever is stored, and when nobody is. */
  check(
    typed: string,
    candidate: (TokenOwner & { readonly token_hash: string | null }) | undefined,
  ): Promise<TokenCheck>;
}

export interface TokenCheck {
  readonly isRight: boolean;
  /** A right token's hash at full cost, to be stored in place of a weaker one. */
  readonly strengthened: string | undefined;
}

interface Key {
  /** Says which key it is and nothing of it. */
  readonly id: string;
  readonly secret: string;
}

/** Of versions before the key. */
const formerCost: HashCost = { N: 4096, r: 8, p: 1 };

/** @param secrets newest first: the first stores, any compares */
export function createTokenKeys(
  secrets: readonly string[],
  cost: HashCost = recommendedCost,
): TokenKeys {
  const keys = secrets.map((secret): Key => {
    const id = createHmac('sha256', secret).update('id').digest('base64url').slice(0, 8);
    return { id, secret };
  });
  const [newest] = keys;
  const split = (key: Key, { account_id, registration_id }: TokenOwner, token: string) => {
    const text = `token\0${account_id}\0${registration_id}\0${normalizeToken(token)}`;
    const both = createHmac('sha512', key.secret).update(text).digest();
    return { comparison: both.subarray(0, 32), half: both.subarray(32) };
  };
  return {
    newest: newest?.id,
    ids: keys.map(({ id }) => id),
    store(owner, token) {
      if (!newest) throw new Error('A token cannot be stored without a key.');
      const { comparison, half } = split(newest, owner, token);
      return {
        comparison: `${newest.id}$${comparison.toString('base64url')}`,
        hash: `keyed$${newest.id}$${half.toString('base64url')}`,
      };
    },
    isStored(owner, token, stored) {
      const [id, known = ''] = stored.split('$');
      const key = keys.find((one) => one.id === id);
      return (
        key !== undefined &&
        isSame(split(key, owner, token).comparison, Buffer.from(known, 'base64url'))
      );
    },
    async check(typed, candidate) {
      const stored = readTokenHash(candidate?.token_hash ?? '');
      const key = keys.find(({ id }) => id === stored?.keyId);
      const owner = candidate ?? { account_id: 0, registration_id: '' };
      const half =
        (key ?? newest) ? split((key ?? newest) as Key, owner, typed).half : randomBytes(32);
      // One hash at full cost and those of the former kind are always computed, so that the time says nothing.
      const { scrypt } = stored ?? {};
      const strong = await hashSlowly(half, scrypt?.cost ?? cost, scrypt?.salt);
      const isFormer = await isFormerHashOf(typed, stored?.former);
      if (stored?.former)
        return { isRight: isFormer, strengthened: isFormer ? write(newest, strong) : undefined };
      if (!key || !stored) return { isRight: false, strengthened: undefined };
      if (scrypt) return { isRight: isSame(strong.hash, scrypt.hash), strengthened: undefined };
      const isRight = isSame(half, stored.half);
      return { isRight, strengthened: isRight ? write(key, strong) : undefined };
    },
  };
}

function write(key: Key | undefined, hash: Parameters<typeof writeSlowHash>[0]) {
  return key && `keyed-scrypt$${key.id}$${writeSlowHash(hash)}`;
}

/** What is stored in place of an import's hash; undefined for any other. Needs no key. */
export async function strengthenTokenHash(
  stored: string,
  cost: HashCost = recommendedCost,
): Promise<string | undefined> {
  const { keyId, half } = readTokenHash(stored) ?? {};
  if (keyId === undefined || half === undefined || half.length === 0) return undefined;
  return `keyed-scrypt$${keyId}$${writeSlowHash(await hashSlowly(half, cost))}`;
}

interface ReadHash {
  readonly keyId?: string;
  readonly half: Buffer;
  readonly scrypt?: NonNullable<ReturnType<typeof readSlowHash>>;
  readonly former?: NonNullable<ReturnType<typeof readSlowHash>>;
}

function readTokenHash(text: string): ReadHash | undefined {
  const [, kind, rest = ''] = /^(scrypt|keyed|keyed-scrypt)\$(.+)$/.exec(text) ?? [];
  const none = Buffer.alloc(0);
  if (kind === 'scrypt') {
    const former = readSlowHash(rest);
    return former && { half: none, former };
  }
  const [, keyId = '', value = ''] = /^([\w-]+)\$(.+)$/.exec(rest) ?? [];
  if (kind === 'keyed') return { keyId, half: Buffer.from(value, 'base64url') };
  const scrypt = readSlowHash(value);
  return kind === undefined || !scrypt ? undefined : { keyId, half: none, scrypt };
}

const nobodys: Promise<NonNullable<ReturnType<typeof readSlowHash>>> = hashSlowly(
  randomBytes(16),
  formerCost,
);

/** Tokens from before they were normalized count as they were written. */
async function isFormerHashOf(
  typed: string,
  former: ReadHash['former'] | undefined,
): Promise<boolean> {
  const known = former ?? (await nobodys);
  let isRight = false;
  // How many there are depends on what was typed alone.
  for (const spelling of new Set([normalizeToken(typed), typed.trim()]))
    if (await isSlowHashOf(spelling, known)) isRight = true;
  return isRight && former !== undefined;
}

function isSame(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
