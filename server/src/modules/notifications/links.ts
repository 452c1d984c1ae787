import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { normalizeAddress } from '../contacts/index.ts';

/**
 * Keys of the links in our mail. Each is an HMAC over its purpose, so nothing needs to be stored, none can be
 * guessed, and the key of one address reveals nothing about another.
 */

const codeLifetimeMs = 24 * 60 * 60_000;
/** By how much the clocks of two processes may differ. */
const clockPatienceMs = 60_000;
/** Seconds in base 36: enough until the year 4453. */
const timeLength = 7;

interface EmailOfVoter {
  readonly accountId: AccountId;
  readonly voterId: VoterId;
  readonly email: string;
  /**
   * The voter's newest consent for email that was asked for or withdrawn: each change of the address or the choice makes
   * another, and every earlier code is void.
   */
  readonly askedId: number;
}

interface EmailOfAccount {
  readonly accountId: AccountId;
  readonly email: string;
}

/** The code of a confirmation mail's link: only the reader of this address's mail knows it. */
export function confirmationCode(secrets: Secrets, of: EmailOfVoter, now: Date): string {
  const time = Math.floor(now.getTime() / 1000)
    .toString(36)
    .padStart(timeLength, '0');
  return time + secrets.sign('confirm-email', textOfCode(of, time)).toString('base64url');
}

/** Whether the code is that of this mail, for 24 hours. */
export function isConfirmationCode(
  secrets: Secrets,
  of: EmailOfVoter,
  code: string,
  now: Date,
): boolean {
  const time = code.slice(0, timeLength);
  const signature = Buffer.from(code.slice(timeLength), 'base64url');
  if (!secrets.verify('confirm-email', textOfCode(of, time), signature)) return false;
  const age = now.getTime() - Number.parseInt(time, 36) * 1000;
  return age >= -clockPatienceMs && age <= codeLifetimeMs;
}

/** Six digits that only the reader of this address learns; the row of `contact_codes` says how long they count. */
export function contactCode(
  secrets: Secrets,
  of: { readonly accountId: AccountId; readonly codeId: number; readonly address: string },
): string {
  const text = [of.accountId, of.codeId, of.address].join('\n');
  const number = secrets.sign('contact-code', text).readUIntBE(0, 6) % 1_000_000;
  return String(number).padStart(6, '0');
}

/** The key of an unsubscribe link: good for unsubscribing one address from one account, and nothing else. */
export function unsubscribeKey(secrets: Secrets, of: EmailOfAccount): string {
  return secrets.sign('unsubscribe', textOf(of)).toString('base64url');
}

export function isUnsubscribeKey(secrets: Secrets, of: EmailOfAccount, key: string): boolean {
  return secrets.verify('unsubscribe', textOf(of), Buffer.from(key, 'base64url'));
}

function textOfCode({ accountId, voterId, email, askedId }: EmailOfVoter, time: string): string {
  return [accountId, voterId, normalizeAddress(email), askedId, time].join('\n');
}

function textOf({ accountId, email }: EmailOfAccount): string {
  return [accountId, '', normalizeAddress(email)].join('\n');
}

/** Where the links of messages about an envelope to fix start; the message's code follows. */
export const fixLinkPath = '/f';
