import { setTimeout as wait } from 'node:timers/promises';
import { connectClient } from './hosts.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
const lookMs = 30_000;
const lookPatienceMs = 10_000;

interface Listener {
  onNotification(payload: string): void;
  /** The connection is gone: what is announced until {@link Listening.isListening} again is lost. */
  onLost(): void;
}

export interface Listening {
  isListening(): boolean;
  close(): Promise<void>;
}

/**
 * Listens on a channel with one connection, and connects again when that is gone.
 *
 * @param url direct: a pooler would give the server connection to the next transaction
 * @param channel an identifier, not a visitor's text
 */
export function listen(url: string, channel: string, listener: Listener): Listening {
  const stopping = new AbortController();
  let isListening = false;
  const running = run();

  async function run(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!stopping.signal.aborted) {
      const hasListened = await listenOnce().catch(() => false);
      if (hasListened) pauseMs = firstPauseMs;
      await wait(pauseMs, undefined, { signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  /** @returns once the connection is gone, or nobody wants it any more */
  async function listenOnce(): Promise<boolean> {
    const client = await connectClient(url);
    const lost = new AbortController();
    const lose = () => lost.abort();
    client.on('error', lose).on('end', lose);
    client.on('notification', ({ payload = '' }) => listener.onNotification(payload));
    try {
      await client.query(`listen ${channel}`);
      isListening = true;
      const either = AbortSignal.any([lost.signal, stopping.signal]);
      // A server that vanished without a word says nothing either.
      while (!either.aborted) {
        await wait(lookMs, undefined, { signal: either }).catch(() => {});
        if (!either.aborted) await Promise.race([client.query('select 1'), refuseLater()]);
      }
      return true;
    } finally {
      isListening = false;
      client.removeAllListeners('notification');
      client.end().catch(() => {});
      if (!stopping.signal.aborted) listener.onLost();
    }
  }

  return {
    isListening: () => isListening,
    async close() {
      stopping.abort();
      await running;
    },
  };
}

async function refuseLater(): Promise<never> {
  await wait(lookPatienceMs, undefined, { ref: false });
  throw new Error('The database does not answer.');
}
