import { type Channel, type ConsentAction, channels } from '@ballot-beacon/contract/messages';
import type { VoterId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import {
  type ContactChannel,
  type Contacts,
  isReachable,
  noContacts,
  normalizeAddress,
  recordConsent,
} from '../../contacts/index.ts';
import { type AccountRules, addMessage, firstAllowed, type NewMessage } from './store.ts';

export interface PreferencesSave {
  readonly voterId: VoterId;
  /** Null before the first save. */
  readonly before: Contacts | null;
  readonly after: Contacts;
}

/**
 * Follows a save of contact preferences, in its transaction: records what was agreed to or withdrawn, asks an
 * added number and a new mail address to prove themselves, and notifies the address it replaces.
 */
export async function followPreferences(
  tx: Db,
  rules: AccountRules,
  { voterId, before, after }: PreferencesSave,
  now: Date,
): Promise<void> {
  const { accountId } = rules;
  const language = after.language ?? 'english';
  const source = 'preferences page';
  const consent = (channel: Channel, address: string, action: ConsentAction): Promise<void> =>
    recordConsent(tx, { accountId, voterId, channel, address, action, source }, now);
  const message = (kind: NewMessage['kind'], channel: Channel, address: string) =>
    addMessage(tx, {
      accountId,
      voterId,
      kind,
      channel,
      address,
      language,
      cause: `save:${voterId}:${now.getTime()}:${kind}`,
      isAnswer: false,
      deliverAfter: firstAllowed(channel, after.channels[channel], rules, now),
    });

  for (const channel of channels) {
    const [was, is] = [(before ?? noContacts).channels[channel], after.channels[channel]];
    const [old, used] = [usedAddress(was), usedAddress(is)];
    const isMoved = old !== used;
    if (isMoved && old !== '') await consent(channel, old, 'withdrawn');
    const isAskedAnew = channel === 'sms' && is.status === 'unproven' && was.status !== 'unproven';
    if (used !== '' && (isMoved || isAskedAnew)) await consent(channel, used, 'asked');
    const { pendingAddress: pending } = is;
    if (pending !== '' && pending !== was.pendingAddress) await consent(channel, pending, 'asked');

    if (used !== '' && (isMoved || isAskedAnew) && is.status === 'unproven') {
      if (channel === 'email') await message('welcome', channel, used);
      if (channel === 'sms') await message('opt-in', channel, used);
    }
    if (isMoved && used !== '' && isReachable(was)) await message('change', channel, old);
  }
}

/** The address that a channel was opted in for; empty for none. */
function usedAddress({ isOptedIn, address }: ContactChannel): string {
  return isOptedIn ? normalizeAddress(address) : '';
}
