import type { StopPlan } from '../../ballots/index.ts';

/** So few new stops at once are everyday, whatever the share. */
const everyday = 20;

/**
 * What a message says of a stopped envelope: what is known, and what its voter can do. "Wait" is no reason to write.
 *
 * @returns null when the voter can do nothing yet
 */
export function writeStop(plan: StopPlan): {
  readonly known: string;
  readonly steps: readonly { readonly text: string; readonly day: string | null }[];
} | null {
  const { advice, known, way, replacementUntil } = plan;
  const steps = [
    ...(advice === 'wait' ? [] : [{ text: way, day: null }]),
    ...(replacementUntil === null
      ? []
      : [{ text: 'stopped.do.replacement', day: replacementUntil }]),
  ];
  return steps.length === 0 ? null : { known, steps };
}

/** Whether so many stops at once are more likely a fault of the feed, or of USPS, than of single envelopes. */
export function isTooMany(stopped: number, inMail: number, limitPercent: number): boolean {
  return stopped > Math.max(everyday, (inMail * limitPercent) / 100);
}
