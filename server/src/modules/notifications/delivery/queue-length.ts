import { channels } from '@ballot-beacon/contract/messages';
import type { Clock } from '../../../platform/clock.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Database } from '../../../platform/postgres.ts';
import type { Outcome } from '../channels/provider.ts';
import { lanes } from '../senders/limits.ts';
import { countSending, measureLane } from './queue-length-store.ts';

const outcomes: readonly Outcome['kind'][] = [
  'accepted',
  'throttled',
  'retryable',
  'permanent',
  'unknown',
];

/** Begins every count of outcomes at 0: a count that appears with its first failure shows no increase to an alert. */
export function beginCounts({ messages }: Metrics): void {
  for (const channel of channels)
    for (const outcome of outcomes) messages.inc({ channel, outcome }, 0);
}

/**
 * Updates the gauges of what is due and of what is with a provider. All workers measure the same queue: take the
 * highest of their figures, not the sum.
 */
export async function publishQueueLength(
  metrics: Metrics,
  { system: db }: Pick<Database, 'system'>,
  clock: Clock,
): Promise<void> {
  const now = clock.now();
  for (const channel of channels) {
    metrics.sendingMessages.set({ channel }, await countSending(db, channel));
    for (const lane of lanes) {
      const { due, oldestDueAt } = await measureLane(db, channel, lane, now);
      const age = oldestDueAt === null ? 0 : (now.getTime() - oldestDueAt.getTime()) / 1000;
      metrics.dueMessages.set({ channel, lane }, due);
      metrics.oldestDueMessage.set({ channel, lane }, age);
    }
  }
}
