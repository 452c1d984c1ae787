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
import {
  addNotice,
  addRequest,
  type ReachedLimit,
  readWaitingRequests,
  type WaitingRequest,
  withdrawRequests,
} from './limits-store.ts';
import { type AccountRules, addCatchUp, firstAllowed, rewriteWaiting } from './store.ts';

export interface PreferencesSave {
  readonly voterId: VoterId;
  /** Null before the first save. */
  readonly before: Contacts | null;
  readonly after: Contacts;
  /** What the office itself has of the voter. */
  readonly roll: {
    /** In lower case; empty for none. */
    readonly email: string;
    /** E.164; empty for none. */
    readonly phone: string;
    readonly language: string | null;
  };
}

export interface FollowedSave {
  /** Limits that were reached and not reported yet. */
  readonly reached: readonly ReachedLimit[];
  /** What the voter was asked and will read only later, because of the hours. */
  readonly waiting: readonly WaitingRequest[];
}

/**
 * Follows a save of contact preferences, in its transaction: records what was agreed to or withdrawn, with the requests
 * to confirm that still wait; asks an added number and a new mail address to prove themselves; and notifies each proven
 * address that gets no more news, and at the first sign-up the roll's own addresses.
 */
export async function followPreferences(
  tx: Db,
  rules: AccountRules,
  save: PreferencesSave,
  now: Date,
): Promise<FollowedSave> {
  const { voterId, before, after } = save;
  const { accountId } = rules;
  const language = after.language ?? save.roll.language ?? 'english';
  const source = 'preferences page';
  const cause = `save:${voterId}:${now.getTime()}`;
  const consent = (channel: Channel, address: string, action: ConsentAction): Promise<void> =>
    recordConsent(tx, { accountId, voterId, channel, address, action, source }, now);
  const reached: (ReachedLimit | undefined)[] = [];
  const ask = async (kind: 'welcome' | 'opt-in', channel: Channel, address: string) => {
    const limit = await addRequest(tx, rules, {
      accountId,
      voterId,
      kind,
      channel,
      address,
      language,
      cause: `${cause}:${kind}`,
      isAnswer: false,
      deliverAfter: firstAllowed(channel, after.channels[channel], rules, now),
    });
    reached.push(limit);
  };

  if (after.language !== (before ?? noContacts).language)
    await rewriteWaiting(tx, voterId, language);
  for (const channel of channels) {
    const [was, is] = [(before ?? noContacts).channels[channel], after.channels[channel]];
    const [old, used] = [usedAddress(was), usedAddress(is)];
    const isMoved = old !== used;
    if (isMoved && old !== '') {
      await consent(channel, old, 'withdrawn');
      await withdrawRequests(tx, { voterId, channel, address: old }, now);
    }
    const isAskedAnew = channel === 'sms' && is.status === 'unproven' && was.status !== 'unproven';
    const isNew = used !== '' && (isMoved || isAskedAnew);
    if (isNew) await consent(channel, used, 'asked');
    const { pendingAddress: pending } = is;
    if (pending !== '' && pending !== was.pendingAddress) await consent(channel, pending, 'asked');

    if (isNew && is.status === 'unproven') {
      if (channel === 'email') await ask('welcome', channel, used);
      if (channel === 'sms') await ask('opt-in', channel, used);
    }
    if (isReachable(was) && (isMoved || !isReachable(is)))
      await addNotice(tx, { accountId, voterId, channel, address: old, language, cause }, now);
    // What came while it was off; an address that is asked gets it with its proof.
    if (isReachable(is) && !isReachable(was)) await addCatchUp(tx, rules, voterId, channel, now);
  }
  reached.push(...(await notifyRoll(tx, rules, save, language, now)));
  const waiting = await readWaitingRequests(tx, voterId, now);
  return {
    reached: reached.filter((limit) => limit !== undefined),
    // The hours may have changed since it was made: they count again when it would leave.
    waiting: waiting.map(({ channel, deliverAfter }) => ({
      channel,
      deliverAfter: firstAllowed(channel, after.channels[channel], rules, deliverAfter),
    })),
  };
}

/**
 * Notifies the addresses that the office itself has of a voter's first sign-up at another address, so that a
 * stranger who signs in with details from a public roll cannot get the voter's news unnoticed. By phone it is a call, which reaches any
 * number, within the office's quiet hours.
 */
async function notifyRoll(
  tx: Db,
  rules: AccountRules,
  { voterId, before, after, roll }: PreferencesSave,
  language: string,
  now: Date,
): Promise<(ReachedLimit | undefined)[]> {
  const earlier = before ?? noContacts;
  const [was, given] = [givenAddresses(earlier), givenAddresses(after)];
  const numbers = answeringNumbers(after);
  const wanted = [...given, ...numbers];
  const isElsewhere = wanted.some((one) => one !== roll.email && one !== roll.phone);
  const asked = channels.map((channel) => usedAddress(after.channels[channel]));
  const isNewNumber = numbers.some((one) => !answeringNumbers(earlier).includes(one));
  // A save without an address says nothing of the sign-up that may follow it.
  const isSignUp = was.length === 0 && (given.length > 0 || isNewNumber);
  const reached: (ReachedLimit | undefined)[] = [];
  if (wanted.length === 0) return reached;
  for (const [channel, address] of [
    ['email', roll.email],
    ['voice', roll.phone],
  ] as const) {
    if (address === '' || !rules.channels.includes(channel)) continue;
    // Nor does an address that was given and has not confirmed: its request is withdrawn with it, and a number that is to
    // call gets none.
    const isUnaware = was.includes(address) && !isReachableAt(earlier, address);
    if (!(isSignUp || isUnaware) || (isElsewhere ? asked : given).includes(address)) continue;
    const limit = await addRequest(tx, rules, {
      accountId: rules.accountId,
      voterId,
      kind: 'registered',
      channel,
      address,
      language,
      cause: `registered:${voterId}`,
      isAnswer: false,
      deliverAfter: firstAllowed(channel, { start: null, end: null }, rules, now),
    });
    reached.push(limit);
  }
  return reached;
}

/** Where a voter wants news, proven or not. */
function givenAddresses({ channels: all }: Contacts): string[] {
  return channels.flatMap((channel) => {
    const { isOptedIn, address, pendingAddress } = all[channel];
    const given = isOptedIn ? [normalizeAddress(address), pendingAddress] : [];
    return given.filter((one) => one !== '');
  });
}

/** Numbers that a text of START or a call opts in, without another save. */
function answeringNumbers({ channels: { sms, voice } }: Contacts): string[] {
  return [sms.address, voice.pendingAddress].filter((one) => one !== '');
}

function isReachableAt({ channels: all }: Contacts, address: string): boolean {
  return channels.some(
    (channel) => isReachable(all[channel]) && normalizeAddress(all[channel].address) === address,
  );
}

/** The address that a channel was opted in for; empty for none. */
function usedAddress({ isOptedIn, address }: ContactChannel): string {
  return isOptedIn ? normalizeAddress(address) : '';
}
