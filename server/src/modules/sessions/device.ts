import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../platform/secrets.ts';

/** A family's computer. */
const mostPeople = 6;
/** No browser keeps a cookie for longer. */
export const deviceLifetimeSeconds = 400 * 24 * 60 * 60;
const purposes = { person: 'sessions.device', details: 'sessions.device-details' } as const;
const entryPattern = /^(?<nonce>[\w-]{16})\.(?<person>[\w-]{43})\.(?<details>[\w-]{43})$/;

type EntryParts = Record<'nonce' | 'person' | 'details', string>;

interface Entry {
  readonly text: string;
  readonly nonce: string;
  /** Of the person’s name and ZIP code. */
  readonly person: Buffer;
  /** Of these and the birth date. */
  readonly details: Buffer;
}

/** Who signs in, as {@link identityOf} writes name and ZIP code. */
export interface Details {
  readonly identity: string;
  /** `YYYY-MM-DD` */
  readonly birthdate: string;
}

/** A browser that somebody of this name and ZIP code signed in with before. */
export interface KnownDevice {
  /** Its random text for that person. */
  readonly nonce: string;
  /** The birth date is that person’s, too. Otherwise it is a typing error, or a guess at a namesake’s. */
  readonly isSameDetails: boolean;
}

/**
 * The cookie of a browser that signed somebody in before: for each person a random text and its signatures, together with
 * name and ZIP code, and with the birth date too. It names nobody, and only with the installation's secret can it be
 * tried against a name.
 */
export function deviceCookieName(isHttps: boolean): string {
  return isHttps ? '__Host-beacon_device' : 'beacon_device';
}

/** What this browser is to the person with these details; undefined when nobody of that name signed in with it. */
export function findDevice(
  secrets: Secrets,
  cookie: string | undefined,
  details: Details,
): KnownDevice | undefined {
  const ofPerson = readEntries(cookie).filter(({ nonce, person }) =>
    secrets.verify(purposes.person, textOfPerson(nonce, details), person),
  );
  const own = ofPerson.find((entry) => isOfDetails(secrets, entry, details));
  const found = own ?? ofPerson[0];
  return found && { nonce: found.nonce, isSameDetails: found === own };
}

/** The cookie after a sign-in, the newest person first. Somebody who is in it already gets no second entry. */
export function rememberDevice(
  secrets: Secrets,
  cookie: string | undefined,
  details: Details,
): string {
  const entries = readEntries(cookie);
  const known = entries.find((entry) => isOfDetails(secrets, entry, details));
  const others = entries.filter((entry) => entry !== known).map((entry) => entry.text);
  const own = known?.text ?? createEntry(secrets, details);
  return [own, ...others].slice(0, mostPeople).join('~');
}

function createEntry(secrets: Secrets, details: Details): string {
  const nonce = randomBytes(12).toString('base64url');
  const signatures = [
    secrets.sign(purposes.person, textOfPerson(nonce, details)),
    secrets.sign(purposes.details, textOfDetails(nonce, details)),
  ];
  return [nonce, ...signatures.map((one) => one.toString('base64url'))].join('.');
}

function isOfDetails(secrets: Secrets, { nonce, details }: Entry, of: Details): boolean {
  return secrets.verify(purposes.details, textOfDetails(nonce, of), details);
}

function textOfPerson(nonce: string, { identity }: Details): string {
  return `${nonce}|${identity}`;
}

function textOfDetails(nonce: string, { identity, birthdate }: Details): string {
  return `${nonce}|${identity}|${birthdate}`;
}

// Stryker disable next-line StringLiteral: a text in which nobody is found reads as none does
function readEntries(cookie = ''): Entry[] {
  return cookie.split('~', mostPeople).flatMap((text) => {
    const parts = entryPattern.exec(text)?.groups as EntryParts | undefined;
    if (!parts) return [];
    const { nonce, person, details } = parts;
    const read = (signature: string) => Buffer.from(signature, 'base64url');
    return [{ text, nonce, person: read(person), details: read(details) }];
  });
}
