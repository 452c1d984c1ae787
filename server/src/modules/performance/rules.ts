import type { Channel } from '@ballot-beacon/contract/messages';
import type { PerformancePeriod } from '@ballot-beacon/contract/performance';

/** The periods that are shown, in days. */
export const periodsInDays = [7, 90] as const;

/** Fewer than this many messages are not shown: a small office's reader may know whose they are. */
const fewest = 10;
const hourMs = 60 * 60_000;
const minuteMs = 60_000;

/** An office's messages of one channel that were due in a period. */
export interface ChannelCounts {
  readonly channel: Channel;
  readonly messages: number;
  readonly prompt: number;
  readonly delivered: number;
  readonly failed: number;
  readonly corrections: number;
}

/**
 * A count that points to nobody: rounded down to tens, so that neither two days' counts nor the rest to a sum show a
 * single message.
 *
 * @returns null for 1 to 9
 */
function roundCount(count: number): number | null {
  return count > 0 && count < fewest ? null : Math.floor(count / 10) * 10;
}

/**
 * @returns percent, rounded down: whole below a thousand, whose exact number a tenth would show, and else to a tenth;
 * null for a part of fewer than ten
 */
function shareOf(part: number, whole: number): number | null {
  if (whole < fewest) return null;
  return whole < 1_000 ? Math.floor((part * 100) / whole) : Math.floor((part * 1_000) / whole) / 10;
}

/** What is shown of a period's messages. */
export function summarizeMessages(
  counts: readonly ChannelCounts[],
): Pick<PerformancePeriod, 'messages' | 'within_ten_seconds' | 'channels' | 'corrections'> {
  const sum = (pick: (one: ChannelCounts) => number) =>
    counts.reduce((total, one) => total + pick(one), 0);
  const messages = sum((one) => one.messages);
  return {
    messages: roundCount(messages),
    within_ten_seconds: shareOf(
      sum((one) => one.prompt),
      messages,
    ),
    channels: counts.map((one) => ({
      channel: one.channel,
      messages: roundCount(one.messages),
      delivered: shareOf(one.delivered, one.messages),
      failed: shareOf(one.failed, one.messages),
    })),
    corrections: roundCount(sum((one) => one.corrections)),
  };
}

/**
 * The longest time without a new file, as a reader of the page met it.
 *
 * @param imports when files came, oldest first: those of the period, and the last one before it
 * @returns whole hours; null when no file came before the period's end
 */
export function oldestDataHours(
  imports: readonly Date[],
  { from, to }: { readonly from: Date; readonly to: Date },
): number | null {
  const times = imports.map((at) => at.getTime()).filter((at) => at < to.getTime());
  const ages = times.map(
    (at, index) => Math.min(times[index + 1] ?? to.getTime(), to.getTime()) - at,
  );
  // A gap that ended before the period was met by nobody in it.
  const met = ages.filter((age, index) => (times[index] ?? 0) + age >= from.getTime());
  return met.length === 0 ? null : Math.floor(Math.max(...met) / hourMs);
}

/** The minutes of a period in which the site answered, out of those since it was first measured. */
export interface AnsweredMinutes {
  readonly answered: number;
  /** The very first measurement. */
  readonly since: Date | null;
}

/** @returns percent, rounded down to a hundredth; null when nothing was measured before the period's end */
export function availabilityOf(
  { answered, since }: AnsweredMinutes,
  { from, to }: { readonly from: Date; readonly to: Date },
): number | null {
  if (since === null || since >= to) return null;
  const start = Math.max(from.getTime(), since.getTime());
  const minutes = Math.round((to.getTime() - start) / minuteMs);
  return Math.min(100, Math.floor((answered * 10_000) / minutes) / 100);
}
