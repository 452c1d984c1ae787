import { hashSessionSecret } from './rules.ts';

/**
 * Sessions that this process has found alive of late. Under load their requests come first, which is decided without
 * asking the database; a cookie that somebody made up is not among them. A session that has ended since may still be: that is
 * worth a place in line and nothing else.
 */
export interface KnownSessions {
  add(hash: Buffer): void;
  /** @param cookies the request's `Cookie` header */
  hasOneOf(cookies: string | undefined): boolean;
}

/** Some 2 MB when full. */
const mostOfGeneration = 10_000;
const cookiePattern = /(?:^|;\s*)(?:__Host-)?beacon_session=([\w-]{43})(?:;|$)/;

export function createKnownSessions(): KnownSessions {
  // Two sets in turns: when the newer is full, the older's sessions that did not come again are gone with it.
  let newer = new Set<string>();
  let older = new Set<string>();
  const has = (key: string) => newer.has(key) || older.has(key);
  return {
    add(hash) {
      newer.add(hash.toString('latin1'));
      if (newer.size < mostOfGeneration) return;
      older = newer;
      newer = new Set();
    },
    hasOneOf(cookies) {
      const secret = cookies === undefined ? undefined : cookiePattern.exec(cookies)?.[1];
      return secret !== undefined && has(hashSessionSecret(secret).toString('latin1'));
    },
  };
}
