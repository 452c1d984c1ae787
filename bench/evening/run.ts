import { createRandom, type Random } from '../../demo/generator/random.ts';
import {
  type AnnouncedFinish,
  admit,
  announceFinishes,
  type Backlog,
  bookPace,
  isWithinHours,
  nextPaceAt,
  nextRoomAt,
  nextWithinHours,
  type PacedSender,
  type PaceUse,
  paceRoomAt,
  type SizedMessage,
  unlimitedPerSecond,
  unusedPace,
  unusedSender,
} from '../../server/src/modules/notifications/index.ts';
import type { Evening, EveningSender, Load } from './draw.ts';

/** What one sender did in the evening. Times in milliseconds since the epoch. */
export interface SenderEvening {
  readonly key: string;
  readonly messages: number;
  readonly parts: number;
  readonly announced: AnnouncedFinish;
  readonly endedAt: number;
  /** How far the announced time was off, as a share of the real one; 0 between two announced times. */
  readonly error: number;
  readonly mostInSecond: number;
  readonly urgent: number;
  /** The longest that an urgent message waited, in milliseconds. */
  readonly urgentWaitMs: number;
}

/** Texts of a load that are measured before it is announced, as the product does. */
const measured = 1_000;
const hourMs = 3_600_000;
/** Polls close five hours after the evening begins; until then problems come in. */
const urgentMs = 5 * hourMs;
/** A worker's claim and hand-over take so long: it comes back late by up to so much. */
const longestTurnMs = 40;
const batch = 20;

/** When each sender's last message leaves, as the office reads it before the evening. */
function announce(evening: Evening): ReadonlyMap<string, AnnouncedFinish> {
  const random = createRandom(`${evening.seed} announced`);
  const backlogs: Backlog[] = [];
  const keys: string[] = [];
  for (const { key, limits, loads } of evening.senders) {
    const sender = { limits, use: unusedSender };
    for (const load of loads) {
      const sizes = Array.from({ length: measured }, () => drawSize(random, load));
      keys.push(key);
      backlogs.push({
        ...{ sender, lane: 'news', messages: load.messages, from: load.from, hours: load.hours },
        sizes,
        timeZone: evening.timeZone,
        expiresAt: null,
      });
    }
  }
  return announceFinishes(backlogs, (index) => keys[index], evening.pace, evening.now);
}

function drawSize(random: Random, { sizes }: Load): number {
  if (sizes.length === 1) return 1;
  return random.weigh(sizes.map((share, index) => [index + 1, share] as const));
}

/** A sender at work: what it sent, what waits, and when it looks again. */
class SimulatedSender {
  readonly #evening: Evening;
  readonly #sender: EveningSender;
  readonly #random: Random;
  readonly #left: number[];
  /** Size of the next message of each load: the same until it leaves. */
  readonly #next: (number | undefined)[];
  readonly #urgent: { at: number; parts: number }[];
  readonly #lastSecond: { at: number; parts: number }[] = [];
  #use = unusedSender;
  #typicalParts = 1;
  #messages = 0;
  #parts = 0;
  #endedAt: number;
  #mostInSecond = 0;
  #urgentSent = 0;
  #urgentWaitMs = 0;
  /** When it looks again; infinite once nothing waits. */
  wakesAt: number;

  constructor(evening: Evening, sender: EveningSender) {
    this.#evening = evening;
    this.#sender = sender;
    this.#random = createRandom(`${evening.seed} ${sender.key}`);
    this.#left = sender.loads.map(({ messages }) => messages);
    this.#next = sender.loads.map(() => undefined);
    this.#endedAt = evening.now;
    this.wakesAt = evening.now;
    const urgent = Math.round((sender.urgentAnHour * urgentMs) / hourMs);
    this.#urgent = Array.from({ length: urgent }, () => ({
      at: evening.now + Math.round(this.#random.next() * urgentMs),
      parts: this.#random.between(1, sender.loads[0]?.sizes.length ?? 1),
    })).sort((a, b) => a.at - b.at);
  }

  /** One turn of a worker: urgent messages, then the news that the limits and the pace allow. */
  turn(now: number, pace: PaceUse): PaceUse {
    const { limits, key } = this.#sender;
    const urgent = this.#urgent.filter(({ at }) => at <= now);
    const open = this.#openLoad(now);
    const weight = (limits.perSecond ?? unlimitedPerSecond) / this.#typicalParts;
    const paced: PacedSender = { key, weight };
    const paceRoom = paceRoomAt(this.#evening.pace, pace, paced, now);
    const news = open === undefined ? [] : this.#peek(open, Math.min(batch, paceRoom));
    const waiting: SizedMessage[] = [
      ...urgent.map(({ parts }) => ({ lane: 'urgent' as const, parts })),
      ...news.map((parts) => ({ lane: 'news' as const, parts })),
    ];
    const { count, use } = admit(limits, this.#use, waiting, now);
    this.#use = use;
    this.#record(waiting.slice(0, count), now);
    for (const { at } of this.#urgent.splice(0, Math.min(count, urgent.length))) {
      this.#urgentSent += 1;
      this.#urgentWaitMs = Math.max(this.#urgentWaitMs, now - at);
    }
    const newsSent = Math.max(0, count - urgent.length);
    if (open !== undefined && newsSent > 0) this.#take(open, news, newsSent, now);
    const used = newsSent > 0 ? bookPace(pace, paced, newsSent, now) : pace;

    const refused = waiting[count];
    const late = Math.round(this.#random.next() * longestTurnMs);
    let next = Number.POSITIVE_INFINITY;
    if (refused) next = nextRoomAt(limits, use, refused, now) + late;
    else if (this.#openLoad(now) !== undefined)
      next = Math.max(nextPaceAt(this.#evening.pace, used, paced, now), now) + late;
    else next = this.#nextOpening(now);
    const arrival = this.#urgent.find(({ at }) => at > now)?.at ?? Number.POSITIVE_INFINITY;
    this.wakesAt = Math.max(now + 1, Math.min(next, arrival + late));
    return used;
  }

  report(announced: AnnouncedFinish): SenderEvening {
    const real = this.#endedAt;
    const nearest = Math.min(Math.max(real, announced.earliestAt), announced.latestAt);
    return {
      ...{ key: this.#sender.key, messages: this.#messages, parts: this.#parts, announced },
      ...{ endedAt: real, error: (nearest - real) / (real - this.#evening.now) },
      ...{ mostInSecond: this.#mostInSecond, urgent: this.#urgentSent },
      urgentWaitMs: this.#urgentWaitMs,
    };
  }

  /** The load whose messages have waited longest, of those that may leave now. */
  #openLoad(now: number): number | undefined {
    const { timeZone } = this.#evening;
    const open = this.#sender.loads
      .map((load, index) => ({ ...load, index }))
      .filter(
        ({ from, hours, index }) =>
          (this.#left[index] ?? 0) > 0 && from <= now && isWithinHours(now, hours, timeZone),
      );
    return open.sort((a, b) => a.from - b.from)[0]?.index;
  }

  #nextOpening(now: number): number {
    const { timeZone } = this.#evening;
    const openings = this.#sender.loads.flatMap(({ from, hours }, index) =>
      this.#left[index] === 0 ? [] : nextWithinHours(Math.max(from, now), hours, timeZone),
    );
    return Math.min(...openings, Number.POSITIVE_INFINITY);
  }

  #peek(load: number, most: number): number[] {
    const drawn = this.#sender.loads[load];
    if (!drawn) return [];
    return Array.from({ length: Math.min(most, this.#left[load] ?? 0) }, (_, index) => {
      const kept = index === 0 ? this.#next[load] : undefined;
      return kept ?? drawSize(this.#random, drawn);
    });
  }

  #take(load: number, sizes: readonly number[], count: number, now: number): void {
    this.#left[load] = (this.#left[load] ?? 0) - count;
    this.#next[load] = sizes[count];
    this.#endedAt = now;
    const sent = sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
    this.#typicalParts = 0.9 * this.#typicalParts + (0.1 * sent) / count;
  }

  #record(sent: readonly SizedMessage[], now: number): void {
    const parts = sent.reduce((sum, one) => sum + one.parts, 0);
    if (parts === 0) return;
    this.#messages += sent.length;
    this.#parts += parts;
    this.#lastSecond.push({ at: now, parts });
    while ((this.#lastSecond[0]?.at ?? now) <= now - 1_000) this.#lastSecond.shift();
    const second = this.#lastSecond.reduce((sum, one) => sum + one.parts, 0);
    this.#mostInSecond = Math.max(this.#mostInSecond, second);
  }
}

/** Lets the evening happen, by the rules of the product and a clock that jumps from turn to turn. */
export function runEvening(evening: Evening): readonly SenderEvening[] {
  const announced = announce(evening);
  const senders = evening.senders.map((sender) => new SimulatedSender(evening, sender));
  let pace = unusedPace;
  for (;;) {
    const next = senders.reduce((first, one) => (one.wakesAt < first.wakesAt ? one : first));
    if (next.wakesAt === Number.POSITIVE_INFINITY) break;
    pace = next.turn(next.wakesAt, pace);
  }
  return senders.map((sender, index) => {
    const key = evening.senders[index]?.key ?? '';
    const finish = announced.get(key);
    if (!finish) throw new Error(`No finish of ${key} was announced.`);
    return sender.report(finish);
  });
}
