/** Clerks correct days one by one, or a batch and the few that were wrong in it: so many ways from one day to another. */
const fewWays = 5;
/** So many rows at any office, or this share of those listed. */
const few = 10;
const usualShare = 1 / 200;

/** Whether known days change as in a column that was sorted or moved without the others. @param ways in how many ways they change */
export function areScattered(changed: number, ways: number, listed: number): boolean {
  return ways > fewWays && changed > Math.max(few, listed * usualShare);
}
