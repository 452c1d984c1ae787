import { defaultLanguage, isLanguage } from '@ballot-beacon/contract/languages';
import type { Channel } from '@ballot-beacon/contract/messages';
import type { Config } from '../../../platform/config.ts';
import type { AccountId, ImportId } from '../../../platform/ids.ts';
import type { Db } from '../../../platform/postgres.ts';
import { listAccounts } from '../../accounts/index.ts';
import { usefulMs } from '../delivery/rules.ts';
import { bindingHours, chosenHours } from '../hours.ts';
import { fixLinkPath } from '../links.ts';
import { type Office, readOffice } from '../office/store.ts';
import { renderMessage } from '../texts/render.ts';
import { countParts } from '../texts/segments.ts';
import { type AnnouncedFinish, announceFinishes, type Backlog } from './forecast.ts';
import { unusedSender } from './limits.ts';
import {
  type QueuedGroup,
  type QueuedSample,
  readQueuedGroups,
  readQueuedSample,
} from './queue-store.ts';
import { paceOf, type Sender, sendersOf } from './senders.ts';
import { readUses } from './store.ts';

/** What waits for a sender. */
export interface SenderQueue {
  readonly channel: Channel;
  /** A short code, a number, or `relay` for all mail of the site. */
  readonly sender: string;
  /** The offices that send from it. */
  readonly accounts: readonly AccountId[];
  readonly messages: number;
  /** Rounded: texts are measured by a sample. */
  readonly parts: number;
  readonly finish: AnnouncedFinish;
}

/** What waits to leave, over all offices. */
export interface Queue {
  readonly senders: readonly SenderQueue[];
  /** Of the import that was asked for; undefined when none of its messages wait. */
  readonly asked: AnnouncedFinish | undefined;
}

interface Measured {
  readonly group: QueuedGroup;
  readonly sender: Sender;
  readonly backlog: Backlog;
}

/**
 * Reads what waits to leave and says when the last of it does, by sender and for one import.
 * @param db of all offices; within an import's transaction, its messages count
 * @param importId its messages count also while they wait for approval
 */
export async function readQueue(
  db: Db,
  config: Config,
  importId: ImportId | null,
  now: Date,
): Promise<Queue> {
  const groups = await readQueuedGroups(db, importId);
  if (groups.length === 0) return { senders: [], asked: undefined };
  const senders = sendersOf(await listAccounts(db), config.siteLimits);
  const { bySender } = await readUses(
    db,
    senders.map(({ key }) => key),
  );
  const states = new Map(
    senders.map(({ key, limits }) => [key, { limits, use: bySender.get(key) ?? unusedSender }]),
  );
  const sizesOf = createMeasure(db, config);
  const measured: Measured[] = [];
  for (const group of groups) {
    const sender = senders.find(
      ({ channel, accounts }) =>
        channel === group.channel &&
        accounts.some(({ accountId }) => accountId === group.account_id),
    );
    const account = sender?.accounts.find(({ accountId }) => accountId === group.account_id);
    const state = sender && states.get(sender.key);
    if (!sender || !account || !state) continue;
    const own = chosenHours(group.kind, { start: group.hours_start, end: group.hours_end });
    const bindsHours = group.lane !== 'answers';
    const backlog: Backlog = {
      ...{ sender: state, lane: group.lane, messages: group.count },
      sizes: await sizesOf(group),
      from: group.from_at.getTime(),
      expiresAt: expiryOf(group),
      hours: bindsHours ? bindingHours(group.channel, own, account.settings.quiet_hours) : null,
      timeZone: account.timeZone,
    };
    measured.push({ group, sender, backlog });
  }
  const backlogs = measured.map(({ backlog }) => backlog);
  const pace = paceOf(config.siteLimits);
  const at = now.getTime();
  const finishes = announceFinishes(backlogs, (index) => measured[index]?.sender, pace, at);
  const asked = announceFinishes(
    backlogs,
    (index) => (measured[index]?.group.is_asked ? importId : undefined),
    pace,
    at,
  );
  return {
    asked: importId === null ? undefined : asked.get(importId),
    senders: [...finishes].map(([sender, finish]) => {
      const own = measured.filter((one) => one.sender === sender);
      return {
        ...{ channel: sender.channel, sender: sender.name, finish },
        accounts: sender.accounts.map(({ accountId }) => accountId),
        messages: own.reduce((sum, { group }) => sum + group.count, 0),
        parts: Math.round(own.reduce((sum, one) => sum + partsOf(one.backlog), 0)),
      };
    }),
  };
}

function partsOf({ messages, sizes }: Backlog): number {
  return (messages * sizes.reduce((sum, size) => sum + size, 0)) / sizes.length;
}

/** Questions wait for their answer, and an envelope can be fixed until its deadline. */
function expiryOf({ kind, status, created_at: createdAt }: QueuedGroup): number | null {
  const isLasting = kind === 'welcome' || kind === 'opt-in' || status === 'rejected-curable';
  return isLasting ? null : createdAt.getTime() + usefulMs;
}

/** Measures the texts of a group by some of them; those of the same office, kind and language once. */
function createMeasure(db: Db, config: Config): (group: QueuedGroup) => Promise<number[]> {
  const offices = new Map<number, Promise<Office>>();
  const known = new Map<string, Promise<number[]>>();
  const measure = async (group: QueuedGroup): Promise<number[]> => {
    const office = offices.get(group.account_id) ?? readOffice(db, config, group.account_id);
    offices.set(group.account_id, office);
    const read = await office;
    const sizes = (await readQueuedSample(db, group)).map((one) => measureText(read, group, one));
    return sizes.length > 0 ? sizes : [1];
  };
  return (group) => {
    const { channel, account_id: accountId, kind, status, language } = group;
    if (channel !== 'sms') return Promise.resolve([1]);
    const key = JSON.stringify([accountId, kind, status, language]);
    const sizes = known.get(key) ?? measure(group);
    known.set(key, sizes);
    return sizes;
  };
}

const exampleCode = '00000000';

/** As its provider counts it; without a deadline, which few texts have. */
function measureText(office: Office, group: QueuedGroup, sample: QueuedSample): number {
  const { kind, status, language: wish } = group;
  const { t, language } = office.translate(isLanguage(wish) ? wish : defaultLanguage);
  const facts = {
    about: kind === 'catch-up' ? ('status' as const) : kind,
    status,
    name: sample.name,
    election: sample.election,
    electionDate: sample.election_date,
    date: null,
    actionUrl: null,
    unsubscribeUrl: null,
    code: exampleCode,
    fixUrl: status === 'rejected-curable' ? `${office.origin}${fixLinkPath}/${exampleCode}` : null,
    isCountingReported: office.account.settings.reports_counted,
  };
  return countParts(renderMessage('sms', facts, office.words, t, language).body);
}
