import type { ImportLimits } from '../kind.ts';

/** By which a voter file is judged. */
export interface RollSize {
  /** It was the first roll, and its rows went straight onto it. */
  readonly isLoaded: boolean;
  /** Null where no voter became inactive for being missing. */
  readonly loss: RollLoss | null;
}

/** Of a whole roll, how much it takes away. */
export interface RollLoss {
  readonly rows: number;
  /** Active voters before. */
  readonly active: number;
  /** Active voters who are missing from the file. */
  readonly missing: number;
}

/** Why a whole roll waits: too many active voters are missing, or it has far fewer rows; null where neither is so. */
export function explainLoss(
  { rows, active, missing }: RollLoss,
  { inactive_percent, shrink_percent }: ImportLimits,
): string | null {
  if (missing > (active * inactive_percent) / 100) {
    const share = Math.round((missing / active) * 100);
    const voters = missing === 1 ? 'voter' : 'voters';
    const are = missing === 1 ? 'is' : 'are';
    return `${group(missing)} active ${voters} (${share}%) ${are} missing from this file and would become inactive. Your limit is ${inactive_percent}%.`;
  }
  if (rows < active * (1 - shrink_percent / 100)) {
    return `It has ${group(rows)} rows; the roll has ${group(active)} active voters, and your limit is ${shrink_percent}% fewer.`;
  }
  return null;
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
