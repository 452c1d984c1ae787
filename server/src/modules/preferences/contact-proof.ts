import type { Channel } from '@ballot-beacon/contract/messages';
import type { PreferencesPatch, VoterInformation } from '@ballot-beacon/contract/voter-information';
import type { Db } from '../../platform/postgres.ts';
import { type Account, offeredChannels } from '../accounts/index.ts';
import { type Contacts, isSuppressed, maskAddress, normalizeAddress } from '../contacts/index.ts';
import type { OwnView } from '../sessions/index.ts';
import type { Refusal } from './rules.ts';

/** Wrong codes after which the right one is refused too. */
export const mostTries = 5;

/** Whether the office hides addresses from this session, which has proven nothing. */
export function isUnproven({ site, hasContactProof }: OwnView): boolean {
  return site.account.settings.contact_proof === 'masked' && !hasContactProof;
}

/** The addresses of a voter that a code can go to, by what the voter and the office say. */
export function codeAddresses(
  { channels }: Contacts,
  settings: OwnView['site']['account']['settings'],
): ReadonlyMap<Channel, string> {
  const { email, sms, voice } = channels;
  const usable = [
    ['email', email.status === 'unusable' ? '' : email.address],
    ['sms', sms.status === 'stopped' ? '' : sms.address],
    ['voice', voice.status === 'stopped' ? '' : voice.address],
  ] as const;
  const offered = offeredChannels(settings);
  return new Map(
    usable.filter(([channel, address]) => address !== '' && offered.includes(channel)),
  );
}

/**
 * The same as messages write them, without those that get no message: a carrier may have said so of a number whose opt-in
 * stays.
 *
 * @param db bound to the account
 */
export async function findCodeAddresses(
  db: Db,
  { accountId, settings }: Pick<Account, 'accountId' | 'settings'>,
  contacts: Contacts,
): Promise<ReadonlyMap<Channel, string>> {
  const found = new Map<Channel, string>();
  for (const [channel, given] of codeAddresses(contacts, settings)) {
    const address = normalizeAddress(given);
    if (!(await isSuppressed(db, { accountId, channel, address }))) found.set(channel, address);
  }
  return found;
}

/** The voter with addresses that their owner recognizes and nobody else can use. Without any there is nothing to hide. */
export function hideContacts(
  voter: VoterInformation,
  codeChannels: readonly Channel[],
): VoterInformation {
  const { email, phone_sms, phone_voice, pending_voice } = voter;
  if (email + phone_sms + phone_voice + pending_voice === '') return voter;
  const mask = (channel: Channel, address: string) =>
    address === '' ? '' : maskAddress(channel, address);
  return {
    ...voter,
    email: mask('email', email),
    phone_sms: mask('sms', phone_sms),
    phone_voice: mask('voice', phone_voice),
    pending_voice: mask('voice', pending_voice),
    hidden_contacts: { code_channels: [...codeChannels] },
  };
}

/**
 * What a session without proof may not change of a voter who has an address: where messages go. Opting out is always
 * possible, and keeps the addresses, so that a code can still go to one of them.
 */
export function refuseUnproven(before: Contacts, patch: PreferencesPatch): readonly Refusal[] {
  const all = Object.values(before.channels);
  if (all.every(({ address, pendingAddress }) => address + pendingAddress === '')) return [];
  const { email, sms, voice } = before.channels;
  const isOptIn = {
    email_opt_in: patch.email_opt_in === true && !email.isOptedIn,
    sms_opt_in: patch.sms_opt_in === true && !sms.isOptedIn,
    voice_opt_in: patch.voice_opt_in === true && !voice.isOptedIn,
  };
  const wrong = [
    ...(['email', 'phone_sms', 'phone_voice'] as const).filter((name) => patch[name] !== undefined),
    ...(['email_opt_in', 'sms_opt_in', 'voice_opt_in'] as const).filter((name) => isOptIn[name]),
  ];
  return wrong.map((field) => ({ field, rule: 'proof', key: 'contactProof.needed' }));
}
