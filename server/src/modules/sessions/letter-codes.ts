import { createHash, randomBytes } from 'node:crypto';
import { plainCode } from '@ballot-beacon/contract/typed-text';
import { localDay } from '../../platform/clock.ts';

/** Crockford's base 32: no letter that is read as a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const misread: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };
const codeLength = 16;

const dayMs = 24 * 60 * 60_000;

/** How long a letter's code signs in, unless its election ends first. */
export const letterCodeLifetimeMs = 180 * dayMs;

/**
 * The last day on all of which a letter's code works, for print: it ends at the hour at which it was made.
 *
 * @returns `YYYY-MM-DD` in the office's calendar
 */
export function lastDayOfLetterCode(expiresAt: Date, timeZone: string): string {
  return localDay(new Date(expiresAt.getTime() - dayMs), timeZone);
}

/**
 * Whether no letter's code can sign in for an election any more. One that is not active yet is being prepared.
 *
 * @param today `YYYY-MM-DD` in the office's calendar
 */
export function isOverForLetters(
  election: { readonly isActive: boolean; readonly electionDate: string },
  today: string,
): boolean {
  return !election.isActive && election.electionDate < today;
}

/** 80 random bits as four groups of four: `K7QD-93MX-2HPT-W4RN`. */
export function createLetterCode(): string {
  const letters = [...randomBytes(codeLength)].map((byte) => alphabet[byte % 32]).join('');
  return letters.replaceAll(/(.{4})(?!$)/g, '$1-');
}

/**
 * A code as somebody typed it from paper: case, spaces and dashes do not count, and O, I and L are digits.
 *
 * @returns without dashes; undefined for anything that no letter says
 */
export function readLetterCode(typed: string): string | undefined {
  const letters = [...plainCode(typed).toUpperCase()];
  const code = letters.map((letter) => misread[letter] ?? letter).join('');
  return letters.length === codeLength && [...code].every((letter) => alphabet.includes(letter))
    ? code
    : undefined;
}

/** @param code as {@link readLetterCode} returns it; random enough that a hash without a key reveals nothing */
export function hashLetterCode(code: string): Buffer {
  return createHash('sha256').update(`letter ${code}`).digest();
}
