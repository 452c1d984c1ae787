import { createRandom, type Random } from '../../demo/generator/random.ts';
import type { ContactHours, SenderLimits } from '../../server/src/modules/notifications/index.ts';

/** News of one office that wait for one sender and are alike. */
export interface Load {
  readonly messages: number;
  /** The share of messages of one part, two, three, … */
  readonly sizes: readonly number[];
  /** When they may leave (ms since the epoch). */
  readonly from: number;
  readonly hours: ContactHours | null;
}

export interface EveningSender {
  readonly key: string;
  readonly limits: SenderLimits;
  readonly loads: readonly Load[];
  /** Urgent messages in an hour, while the polls are open. */
  readonly urgentAnHour: number;
}

/** An election evening over many offices, all in one time zone. */
export interface Evening {
  readonly seed: string;
  readonly now: number;
  readonly timeZone: string;
  /** Of news over all senders, in messages a second. */
  readonly pace: number;
  readonly senders: readonly EveningSender[];
}

interface Kind {
  readonly name: string;
  readonly limits: SenderLimits;
  readonly count: number;
  /** The share of all messages that these senders have. */
  readonly share: number;
  readonly isMail?: true;
}

/** With limits as providers give them (docs/operations.md, Sender limits); what offices share out is worked out from the size. */
const kinds: readonly Kind[] = [
  { name: 'short code', limits: { perSecond: 100, perDay: null }, count: 14, share: 0.52 },
  { name: 'ten-digit', limits: { perSecond: 75, perDay: 200_000 }, count: 10, share: 0.11 },
  { name: 'toll-free', limits: { perSecond: 3, perDay: null }, count: 6, share: 0.006 },
  { name: 'calls', limits: { perSecond: 1, perDay: null }, count: 4, share: 0.001 },
  {
    ...{ name: 'relay', limits: { perSecond: 600, perDay: 12_000_000 }, count: 1, share: 0.363 },
    isMail: true,
  },
];

const hourMs = 3_600_000;
/** 3 PM in the offices' zone, on election day. */
const afternoon = Date.UTC(2026, 10, 3, 20);
const quiet: ContactHours = { start: '08:00', end: '20:00' };

/**
 * Draws an evening. Limits stay as they are at any size, except those of a day, which are for a full evening: a smaller one has them
 * smaller.
 */
export function drawEvening(seed: string, messages: number): Evening {
  const random = createRandom(`${seed} evening`);
  const scale = messages / 20_000_000;
  const senders = kinds.flatMap(({ name, limits, count, share, isMail }) => {
    const weights = Array.from({ length: count }, () => 0.4 + random.next());
    const total = weights.reduce((sum, one) => sum + one, 0);
    return weights.map((weight, index): EveningSender => {
      const own = Math.round((messages * share * weight) / total);
      const perDay = limits.perDay === null ? null : Math.ceil(limits.perDay * scale);
      return {
        key: `${name} ${index + 1}`,
        limits: { ...limits, perDay },
        loads: drawLoads(random, own, isMail === true, name === 'calls'),
        urgentAnHour: name === 'calls' ? 2 : Math.max(4, Math.round(40 * scale)),
      };
    });
  });
  return { seed, now: afternoon, timeZone: 'America/New_York', pace: 1_500, senders };
}

/** Most at once; of some offices a part in a later file, and a part for voters who chose the evening. */
function drawLoads(random: Random, messages: number, isMail: boolean, isCall: boolean): Load[] {
  const long = 0.05 + 0.3 * random.next();
  const sizes = isMail || isCall ? [1] : [1 - long, 0.8 * long, 0.2 * long];
  const hours = isMail ? null : quiet;
  const later = random.chance(0.5) ? Math.round(messages * 0.2 * random.next()) : 0;
  const chosen = random.chance(0.25) ? Math.round(messages * 0.1 * random.next()) : 0;
  const evening: ContactHours = { start: '17:00', end: '21:00' };
  return [
    { messages: messages - later - chosen, sizes, from: afternoon, hours },
    { messages: later, sizes, from: afternoon + Math.round(2 * hourMs * random.next()), hours },
    { messages: chosen, sizes, from: afternoon + 2 * hourMs, hours: evening },
  ];
}
