import { hash as hashText } from 'node:crypto';
import type { Details } from './device.ts';
import { hashSessionSecret } from './rules.ts';

/** What a process remembers of the sessions that it has found alive of late. Any of it may be missing at any moment. */
export interface KnownSessions {
  /** @param lastActiveAt when the database has noted the voter's activity last */
  add(hash: Buffer, lastActiveAt: Date): void;
  /** Whether activity at this moment needs no noting, because the database has noted some since `since`. */
  wasActiveSince(hash: Buffer, since: Date): boolean;
  /**
   * Whether the request has the cookie of such a session. Under load these come first, which is decided without asking the database; a cookie that
   * somebody made up is not among them. A session that has ended since may still be: that is worth a place in line and nothing else.
   *
   * @param cookies the request's `Cookie` header
   */
  hasOneOf(cookies: string | undefined): boolean;
  /** A device's cookie whose signatures are right for a person, so that they need not be computed again with each request. */
  addDevice(cookie: string, details: Details): void;
  hasDevice(cookie: string, details: Details): boolean;
}

/** Some 2 MB when full. */
const mostOfGeneration = 10_000;
const cookiePattern = /(?:^|;\s*)(?:__Host-)?beacon_session=([\w-]{43})(?:;|$)/;

export function createKnownSessions(): KnownSessions {
  const sessions = createRecent<number>();
  const devices = createRecent<true>();
  return {
    add: (hash, lastActiveAt) => sessions.set(keyOf(hash), lastActiveAt.getTime()),
    wasActiveSince: (hash, since) => (sessions.get(keyOf(hash)) ?? 0) > since.getTime(),
    hasOneOf(cookies) {
      const secret = cookies === undefined ? undefined : cookiePattern.exec(cookies)?.[1];
      return secret !== undefined && sessions.get(keyOf(hashSessionSecret(secret))) !== undefined;
    },
    addDevice: (cookie, details) => devices.set(keyOfDevice(cookie, details), true),
    hasDevice: (cookie, details) => devices.get(keyOfDevice(cookie, details)) === true,
  };
}

function keyOf(hash: Buffer): string {
  return hash.toString('latin1');
}

/** Of the same length however long the cookie is, and nothing of the person in it. */
function keyOfDevice(cookie: string, { identity, birthdate }: Details): string {
  return hashText('sha256', `${cookie}\0${identity}\0${birthdate}`, 'base64url');
}

/** Two maps in turns: when the newer is full, what is only in the older is gone with it. */
function createRecent<Value>() {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();
  return {
    get: (key: string) => newer.get(key) ?? older.get(key),
    set(key: string, value: Value): void {
      newer.set(key, value);
      if (newer.size < mostOfGeneration) return;
      older = newer;
      newer = new Map();
    },
  };
}
