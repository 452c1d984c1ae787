import type { Server } from 'node:http';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres.ts';
import { recordAnswer } from './store.ts';

/** Longer than any voter waits for a page. */
const patienceMs = 10_000;

/**
 * Measures whether the site answers: asks this process over HTTP, as a load balancer does, whether it is ready, and
 * records the minute if it is. A minute in which no process answered stays out of the record.
 *
 * @param server listening
 * @returns to be called at least once a minute; resolves to whether it answered, and never rejects
 */
export function createAvailabilityMeter(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  server: Pick<Server, 'address'>,
): () => Promise<boolean> {
  return async () => {
    try {
      const answer = await fetch(`${originOf(server)}/readyz`, {
        signal: AbortSignal.timeout(patienceMs),
      });
      await answer.body?.cancel();
      if (answer.ok) await recordAnswer(database.unscoped, clock.now());
      return answer.ok;
    } catch {
      return false;
    }
  };
}

/** @returns where this machine reaches the server */
function originOf(server: Pick<Server, 'address'>): string {
  const listening = server.address();
  if (listening === null || typeof listening === 'string')
    throw new Error('The server has no port.');
  const { address, port, family } = listening;
  const host = address === '::' ? '::1' : address === '0.0.0.0' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' ? `[${host}]` : host}:${port}`;
}
