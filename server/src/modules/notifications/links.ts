import type { AccountId, VoterId } from '../../platform/ids.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { normalizeAddress } from '../contacts/index.ts';

/**
 * Keys of the links in our mail. Each is an HMAC over its purpose, so nothing needs to be stored, none can be
 * guessed, and the key of one address reveals nothing about another.
 */

interface EmailOfVoter {
  readonly accountId: AccountId;
  readonly voterId: VoterId;
  readonly email: string;
}

interface EmailOfAccount {
  readonly accountId: AccountId;
  readonly email: string;
}

/** The code of a confirmation mail's link: only the reader of this address's mail knows it. */
export function confirmationCode(secrets: Secrets, of: EmailOfVoter): string {
  return secrets.sign('confirm-email', textOf(of)).toString('base64url');
}

export function isConfirmationCode(secrets: Secrets, of: EmailOfVoter, code: string): boolean {
  return secrets.verify('confirm-email', textOf(of), Buffer.from(code, 'base64url'));
}

/** The key of an unsubscribe link: good for unsubscribing one address from one account, and nothing else. */
export function unsubscribeKey(secrets: Secrets, of: EmailOfAccount): string {
  return secrets.sign('unsubscribe', textOf(of)).toString('base64url');
}

export function isUnsubscribeKey(secrets: Secrets, of: EmailOfAccount, key: string): boolean {
  return secrets.verify('unsubscribe', textOf(of), Buffer.from(key, 'base64url'));
}

function textOf(of: EmailOfAccount | EmailOfVoter): string {
  const voter = 'voterId' in of ? of.voterId : '';
  return [of.accountId, voter, normalizeAddress(of.email)].join('\n');
}
