/**
 * The place of the tab that a key leads to, from the focused tab at `at`: arrows lead to the tab beside it, around the ends, Home and End
 * to the first and the last.
 *
 * @returns null where the key leads nowhere
 */
export function tabOfKey(
  key: string,
  { at, count, isRightToLeft }: { at: number; count: number; isRightToLeft: boolean },
): number | null {
  const ahead = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
  const back = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
  const to = new Map([
    [ahead, (at + 1) % count],
    [back, (at - 1 + count) % count],
    ['Home', 0],
    ['End', count - 1],
  ]).get(key);
  return at < 0 || to === undefined || to === at ? null : to;
}
