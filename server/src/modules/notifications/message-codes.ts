import { createHmac } from 'node:crypto';
import { plainCode } from '@ballot-beacon/contract/typed-text';
import type { AccountId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';

/**
 * The code at the end of each message. It is the message's number, encrypted with the account's number into 40 bits
 * (a Feistel network as in NIST SP 800-38G), so nothing is stored, the codes of neighbors have nothing in common, and
 * a made-up code is the number of a message that was sent about once in 2⁴⁰ ÷ messages tries.
 */

/** Crockford's base 32: no letter that is read as a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const codeLength = 8;
const halfBits = 20;
const half = 2 ** halfBits;
/** As in FF1. */
const rounds = 10;

/** @returns 8 letters and digits */
export function messageCode(secrets: Secrets, accountId: AccountId, messageId: number): string {
  if (messageId >= half * half) throw new Error(`Message ${messageId} is too high for a code.`);
  const [key] = keysOf(secrets);
  let [left, right] = [Math.floor(messageId / half), messageId % half];
  for (let round = 0; round < rounds; round += 1)
    [left, right] = [right, left ^ mix(key, accountId, round, right)];
  return write(left * half + right);
}

/**
 * The numbers that a code may stand for at this account: one for each current secret; none when it is no code.
 *
 * @param typed in any case, with any spaces and dashes; O is read as 0, I and L as 1
 */
export function readMessageCode(secrets: Secrets, accountId: AccountId, typed: string): number[] {
  const value = read(typed);
  if (value === undefined) return [];
  return keysOf(secrets).map((key) => {
    let [left, right] = [Math.floor(value / half), value % half];
    for (let round = rounds - 1; round >= 0; round -= 1)
      [left, right] = [right ^ mix(key, accountId, round, left), left];
    return left * half + right;
  });
}

/** In two parts, to be read. */
export function showCode(code: string): string {
  return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
}

/** Letter by letter, to be heard. */
export function spellCode(code: string): string {
  return [...code].join(', ');
}

const known = new WeakMap<Secrets, readonly [string, ...string[]]>();

function keysOf(secrets: Secrets): readonly [string, ...string[]] {
  const keys = known.get(secrets) ?? secrets.keys('message-code');
  known.set(secrets, keys);
  return keys;
}

/** 20 bits that only the key's owner can know. */
function mix(key: string, accountId: AccountId, round: number, of: number): number {
  const hash = createHmac('sha256', key).update(`${accountId}:${round}:${of}`).digest();
  return hash.readUInt32BE() % half;
}

function write(value: number): string {
  let rest = value;
  let code = '';
  for (let place = 0; place < codeLength; place += 1) {
    code = alphabet.charAt(rest % alphabet.length) + code;
    rest = Math.floor(rest / alphabet.length);
  }
  return code;
}

function read(typed: string): number | undefined {
  const code = plainCode(typed).toUpperCase().replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  if (code.length !== codeLength) return undefined;
  let value = 0;
  for (const letter of code) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return undefined;
    value = value * alphabet.length + digit;
  }
  return value;
}
