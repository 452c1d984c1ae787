import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

/** A family's computer. */
const mostPeople = 6;
/** No browser keeps a cookie for longer. */
export const deviceLifetimeSeconds = 400 * 24 * 60 * 60;
const purpose = 'sessions.device';
const entryPattern = /^([\w-]{16})\.([\w-]{43})$/;

interface Entry {
  readonly text: string;
  readonly nonce: string;
  readonly signature: Buffer;
}

/**
 * The cookie of a browser that signed somebody in before: for each person a random text and its signature together with
 * the person. It names nobody, and only with the installation's secret can it be tried against a name.
 */
export function deviceCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_device' : 'beacon_device';
}

/** The random text under which this browser signed in as this person before; undefined when it never did. */
export function findDevice(
  secrets: Secrets,
  cookie: string | undefined,
  identity: string,
): string | undefined {
  return findEntry(secrets, readEntries(cookie), identity)?.nonce;
}

/** The cookie after a sign-in, the newest person first. Somebody who is in it already gets no second entry. */
export function rememberDevice(
  secrets: Secrets,
  cookie: string | undefined,
  identity: string,
): string {
  const entries = readEntries(cookie);
  const known = findEntry(secrets, entries, identity);
  const others = entries.filter((entry) => entry !== known).map((entry) => entry.text);
  const own = known?.text ?? createEntry(secrets, identity);
  return [own, ...others].slice(0, mostPeople).join('~');
}

function createEntry(secrets: Secrets, identity: string): string {
  const nonce = randomBytes(12).toString('base64url');
  return `${nonce}.${secrets.sign(purpose, `${nonce}|${identity}`).toString('base64url')}`;
}

function findEntry(
  secrets: Secrets,
  entries: readonly Entry[],
  identity: string,
): Entry | undefined {
  return entries.find(({ nonce, signature }) =>
    secrets.verify(purpose, `${nonce}|${identity}`, signature),
  );
}

function readEntries(cookie = ''): Entry[] {
  return cookie.split('~', mostPeople).flatMap((text) => {
    const [, nonce, signature] = entryPattern.exec(text) ?? [];
    return nonce && signature
      ? [{ text, nonce, signature: Buffer.from(signature, 'base64url') }]
      : [];
  });
}
