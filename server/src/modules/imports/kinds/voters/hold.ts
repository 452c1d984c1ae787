import type { ImportLimits } from '../kind.ts';

/** By which a whole roll is held or not. */
export interface RollSize {
  readonly rows: number;
  /** Active voters before. */
  readonly active: number;
  /** Active voters whom the file lacks. */
  readonly missing: number;
}

/** Why a whole roll is held: it lacks more voters than one file may make inactive, or is far smaller than the roll. */
export function explainLoss(
  { rows, active, missing }: RollSize,
  { inactive_percent, shrink_percent }: ImportLimits,
): string | null {
  if (missing > (active * inactive_percent) / 100) {
    return `It lacks ${group(missing)} voters of the roll, more than the account's limit of ${inactive_percent} % that one file may make inactive.`;
  }
  if (rows < active * (1 - shrink_percent / 100)) {
    return `It has ${group(rows)} rows; the roll has ${group(active)} active voters, and the account's limit is ${shrink_percent} % fewer.`;
  }
  return null;
}

function group(number: number): string {
  return number.toLocaleString('en-US');
}
