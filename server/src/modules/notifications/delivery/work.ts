import { setTimeout as wait } from 'node:timers/promises';
import { type Channel, channels, isChannel } from '@ballot-beacon/contract/messages';
import { type Runner, run, type TaskList } from 'graphile-worker';
import { codeOf, plainText, stackOf } from '../../../platform/log.ts';
import type { Database } from '../../../platform/postgres.ts';
import { wakeLane, wakeWorker } from '../enqueue/store.ts';
import {
  demoteProvider,
  findSlowProviders,
  recoverProviders,
  registerProviders,
} from '../failover/store.ts';
import { claimSending, maySend } from '../restored/store.ts';
import { discardOldMessages } from '../retention/store.ts';
import { deliverDue, resolveLost } from './deliver.ts';
import type { DeliveryParts } from './parts.ts';
import { silentLogger, tolerateLostConnections } from './queue-store.ts';
import { findNextDue } from './store.ts';

/** Lanes of a channel that may run at once, over all workers together. */
const maximumLanes = 4;
/** How long one job runs before it makes room for another channel's job. */
const jobMs = 5_000;
/** Lanes that stay while their senders are at a limit: one hands over while the other claims. */
const waitingLanes = 2;
/** How long a lane waits for its senders before it makes room for other work. */
const longestWaitMs = 500;
const limitedWakeMs = 5_000;
/** How often receipts are checked while messages go out. */
const watchMs = 10_000;

/** Scheduled work of other modules that runs in the same queue. */
export interface Chore {
  /** Its name in the queue. */
  readonly name: string;
  /** When, in UTC, as the five fields of a crontab. */
  readonly schedule: string;
  /** A run that was missed within so long is made up for, as in `1d`. */
  readonly catchUp?: string;
  work(): Promise<void>;
}

interface Lane {
  readonly channel: Channel;
  readonly lane: number;
}

/**
 * Starts taking messages to their providers until stopped.
 *
 * The queue's jobs are few: each is a lane of a channel that claims batch after batch. Making a message wakes lane 0
 * of its channel at commit; a lane that finds its batch full wakes the next. A job that was lost with its process
 * does not matter: the minute's sweep, and every wake, starts another.
 */
export async function startDelivery(
  database: Database,
  parts: DeliveryParts,
  chores: readonly Chore[] = [],
): Promise<{ stop(): Promise<void> }> {
  let isStopping = false;
  let runner: Runner | undefined;
  await claimSending(parts.db);
  for (const channel of channels)
    await registerProviders(
      parts.db,
      channel,
      parts.providers[channel].map(({ name }) => name),
      parts.clock.now(),
    );
  const tasks: TaskList = {
    'deliver-messages': async (payload) => {
      if (!isLane(payload)) return;
      await logged(parts, 'deliver-messages', () => runLane(parts, payload, () => isStopping));
    },
    'sweep-messages': async () => {
      await logged(parts, 'sweep-messages', async () => {
        for (const channel of channels) {
          await watchProviders(parts, channel);
          await wakeWorker(parts.db, channel);
        }
      });
    },
    'discard-old-messages': async () => {
      await logged(parts, 'discard-old-messages', async () => {
        const count = await discardOldMessages(parts.db, parts.clock.now(), () => isStopping);
        if (count > 0) parts.log.write('messages.discarded', { count });
      });
    },
  };
  for (const { name, work } of chores) tasks[name] = () => logged(parts, name, work);
  const { systemPool } = database;
  tolerateLostConnections(systemPool);
  const start = () =>
    run({
      pgPool: systemPool,
      taskList: tasks,
      concurrency: 6,
      pollInterval: 1_000,
      noHandleSignals: true,
      crontab: [
        '* * * * * sweep-messages ?jobKey=sweep-messages&max=1',
        // Once a night, also when the worker was down at the hour.
        '17 7 * * * discard-old-messages ?jobKey=discard-old-messages&max=1&fill=1d',
        ...chores.map(
          ({ name, schedule, catchUp }) =>
            `${schedule} ${name} ?jobKey=${name}&max=1${catchUp === undefined ? '' : `&fill=${catchUp}`}`,
        ),
      ].join('\n'),
      logger: silentLogger,
    });
  runner = await start();
  const ended = (async () => {
    // The queue gives up when the database is away for long; we do not.
    for (;;) {
      try {
        for (const channel of channels) await wakeWorker(parts.db, channel);
        await runner?.promise;
      } catch (error) {
        if (!isStopping) parts.log.write('job.failed', { job: 'queue', code: codeOf(error) });
      }
      if (isStopping) return;
      await wait(500);
      runner = await start().catch(() => undefined);
    }
  })();
  return {
    async stop() {
      isStopping = true;
      await runner?.stop().catch(() => {});
      await ended;
      for (const channel of channels)
        for (const provider of parts.providers[channel]) await provider.close?.();
    },
  };
}

async function runLane(
  parts: DeliveryParts,
  { channel, lane }: Lane,
  isStopping: () => boolean,
): Promise<void> {
  if (!(await maySend(parts.db))) {
    if (lane === 0) parts.log.write('sending.refused', { channel });
    return;
  }
  const until = performance.now() + jobMs;
  let hasWokenNext = false;
  let opensAt: number | null = null;
  if (lane === 0) while ((await resolveLost(parts, channel)).isFull && !isStopping());
  for (;;) {
    const turn = await deliverDue(parts, channel);
    if (isStopping()) return;
    if (turn.claimed === 0) {
      const waitMs = (turn.roomAt ?? Number.POSITIVE_INFINITY) - parts.clock.now().getTime();
      opensAt = turn.roomAt;
      if (lane >= waitingLanes || waitMs > longestWaitMs || performance.now() > until) break;
      await wait(Math.max(waitMs, 1));
      continue;
    }
    if (turn.isFull && !hasWokenNext && lane + 1 < maximumLanes) {
      hasWokenNext = true;
      await wakeLane(parts.db, channel, lane + 1);
    }
    if (lane === 0) await watchNowAndThen(parts, channel);
    if (performance.now() > until) return wakeLane(parts.db, channel, lane);
  }
  if (lane === 0) {
    const next = await findNextDue(parts.db, channel);
    if (next) {
      const now = parts.clock.now().getTime();
      // While a sender is at its limit, what becomes due of another is looked for now and then.
      const soonest = opensAt === null ? now + 250 : Math.min(opensAt, now + limitedWakeMs);
      await wakeWorker(parts.db, channel, new Date(Math.max(next.getTime(), soonest)));
    }
  }
}

const lastWatched = new Map<Channel, number>();

async function watchNowAndThen(parts: DeliveryParts, channel: Channel): Promise<void> {
  const now = performance.now();
  if (now - (lastWatched.get(channel) ?? 0) < watchMs) return;
  lastWatched.set(channel, now);
  await watchProviders(parts, channel);
}

/** Takes traffic from providers whose receipts are slow, and gives it back to those that were well for a while. */
export async function watchProviders(parts: DeliveryParts, channel: Channel): Promise<void> {
  const providers = parts.providers[channel];
  if (providers.length < 2) return;
  const now = parts.clock.now();
  const names = providers.map(({ name }) => name);
  const slow = await findSlowProviders(parts.db, channel, now);
  for (const provider of providers)
    if (provider.reportsReceipts && slow.includes(provider.name)) {
      parts.log.write('provider.demoted', { provider: plainText(provider.name) });
      await demoteProvider(parts.db, channel, provider.name, names, now);
    }
  await recoverProviders(parts.db, channel, now);
}

/** An error of a job is logged and does not end the worker; the next wake or sweep tries again, so nothing is lost. */
async function logged(parts: DeliveryParts, job: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    parts.log.write('job.failed', {
      job: plainText(job),
      code: codeOf(error),
      stack: stackOf(error),
    });
    await wait(1_000);
    for (const channel of channels) await wakeWorker(parts.db, channel).catch(() => {});
  }
}

function isLane(payload: unknown): payload is Lane {
  const { channel, lane } = payload as Partial<Lane>;
  return isChannel(channel) && Number.isInteger(lane);
}

/** The queue's own messages would be undeclared log lines. */
