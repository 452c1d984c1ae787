import { randomBytes } from 'node:crypto';
import type { Trip } from './recorder.ts';

/** What a recorded request is replayed with at another moment. */
export interface ReplayOptions {
  /** Milliseconds between the recording and now. */
  readonly laterMs: number;
  /**
   * Whether keys are drawn anew, as for a request that stores them: of another network, another person and a new session. The same
   * key stays the same throughout the request.
   */
  readonly isFresh: boolean;
}

/** The statements of a recorded request as the product would send them now: moments move along. */
export function replayTrips(
  trips: readonly Trip[],
  { laterMs, isFresh }: ReplayOptions,
): readonly Trip[] {
  const keys = new Map<string, Buffer>();
  const drawKey = (recorded: Buffer): Buffer => {
    const known = recorded.toString('latin1');
    const key = keys.get(known) ?? randomBytes(recorded.length);
    keys.set(known, key);
    return key;
  };
  const renew = (value: unknown): unknown => {
    if (value instanceof Date) return new Date(value.getTime() + laterMs);
    if (Array.isArray(value)) return value.map(renew);
    return isFresh && Buffer.isBuffer(value) ? drawKey(value) : value;
  };
  return trips.map((trip) => trip.map(({ text, values }) => ({ text, values: values.map(renew) })));
}
