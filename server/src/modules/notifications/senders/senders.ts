import { type Channel, channels } from '@ballot-beacon/contract/messages';
import type { AccountId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import type { SiteLimits } from '../../../platform/site-limits.ts';
import { type Account, listAccounts, textNumberKinds } from '../../accounts/index.ts';
import { type SenderLimits, strictest } from './limits.ts';

/** What messages come from, as their provider counts them. */
export interface Sender {
  /** Of what it used: `sms 41575`. */
  readonly key: string;
  readonly channel: Channel;
  /** A short code, a number, or `relay`: all mail of the site. */
  readonly name: string;
  readonly limits: SenderLimits;
  /** The offices that send from it. */
  readonly accounts: readonly Account[];
}

/** Voters who open the page soon after news of their ballot: one of so many messages, at the busiest time. */
const messagesPerVisit = 3;

/** The pace of news over all channels and offices, in messages a second; null: any number. */
export function paceOf({ visitsPerSecond }: SiteLimits): number | null {
  return visitsPerSecond === 0 ? null : visitsPerSecond * messagesPerVisit;
}

/** Every sender of the site. */
export function sendersOf(accounts: readonly Account[], site: SiteLimits): Sender[] {
  return channels.flatMap((channel) =>
    [...Map.groupBy(accounts, (account) => nameOf(channel, account))].map(([name, sharing]) => ({
      key: `${channel} ${name}`,
      channel,
      name,
      limits: strictest(sharing.map((account) => limitsOf(channel, account, site))),
      accounts: sharing,
    })),
  );
}

function nameOf(channel: Channel, { settings }: Account): string {
  if (channel === 'email') return 'relay';
  return channel === 'sms' ? settings.short_code : (settings.from_voice ?? '');
}

function limitsOf(channel: Channel, { settings }: Account, site: SiteLimits): SenderLimits {
  const { sms, voice } = settings.sending_limits;
  switch (channel) {
    case 'email':
      return { perSecond: site.emailPerSecond, perDay: site.emailPerDay };
    case 'sms': {
      const { perSecond, perDay } = textNumberKinds[sms.kind];
      return { perSecond: sms.per_second ?? perSecond, perDay: sms.per_day ?? perDay };
    }
    case 'voice':
      return { perSecond: voice.per_second, perDay: voice.per_day };
  }
}

/** What this process learned of a sender, so that it does not claim what cannot leave. */
export interface SenderNotes {
  /** Of its messages lately, on average. */
  typicalParts: number;
  /** An urgent message is too long for what is left: until then nothing is claimed, so that it finds room (ms since the epoch). */
  closedUntil: number;
  /** The same of news, and for them alone. */
  newsClosedUntil: number;
}

/** Who sends for whom, and how much. */
export interface Senders {
  /** Of news, in messages a second; null: any number. */
  readonly pace: number | null;
  notesOn(sender: Sender): SenderNotes;
  /** @param accountId read anew when it is not known yet */
  of(channel: Channel, accountId: AccountId): Promise<Sender>;
}

/** Caches the senders for a while: every batch asks for them. */
export function createSenders(db: Db, site: SiteLimits, maximumAgeMs = 5_000): Senders {
  let known: { byKey: Promise<Map<string, Sender>>; at: number } | undefined;
  const keyOf = (channel: Channel, accountId: AccountId): string => `${channel} ${accountId}`;
  const read = async (): Promise<Map<string, Sender>> => {
    const byKey = new Map<string, Sender>();
    for (const sender of sendersOf(await listAccounts(db), site))
      for (const { accountId } of sender.accounts)
        byKey.set(keyOf(sender.channel, accountId), sender);
    return byKey;
  };
  const renew = (): Promise<Map<string, Sender>> => {
    const byKey = read();
    known = { byKey, at: Date.now() };
    byKey.catch(() => {
      known = undefined;
    });
    return byKey;
  };
  const notes = new Map<string, SenderNotes>();
  return {
    pace: paceOf(site),
    notesOn({ key }) {
      const known = notes.get(key) ?? { typicalParts: 1, closedUntil: 0, newsClosedUntil: 0 };
      notes.set(key, known);
      return known;
    },
    async of(channel, accountId) {
      const isFresh = known !== undefined && Date.now() - known.at < maximumAgeMs;
      const key = keyOf(channel, accountId);
      const sender =
        (await (isFresh ? known?.byKey : renew()))?.get(key) ?? (await renew()).get(key);
      if (!sender) throw new Error(`There is no account ${accountId}.`);
      return sender;
    },
  };
}
