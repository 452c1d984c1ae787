import type { Db } from '../../platform/postgres.ts';
import { type Sign, type Throttle, throttlesOfCodes, waitOf } from './throttle-rules.ts';
import { countAttempt, forgiveAttempt } from './throttle-store.ts';

/** A code that was counted before it was looked for. */
export interface CountedCode {
  readonly throttles: readonly Throttle[];
  /** Until when this network must wait; undefined when the code may be looked for. */
  readonly until: Date | undefined;
}

/** Counts a code that a visitor typed as if it were not ours. */
export async function countCode(
  db: Db,
  sign: Sign,
  { address, now }: { readonly address: string; readonly now: Date },
): Promise<CountedCode> {
  const throttles = throttlesOfCodes(sign, address);
  return { throttles, until: waitOf(await countAttempt(db, throttles, now)) };
}

/** Takes the count back: the code is ours. */
export async function allowCode(db: Db, { throttles }: CountedCode): Promise<void> {
  await forgiveAttempt(db, throttles);
}
