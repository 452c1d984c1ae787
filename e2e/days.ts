/** A day, counted from today by the clock of the office that a journey opens. */
export function inDays(count: number): { readonly iso: string; readonly words: string } {
  const day = new Date(Date.now() + count * 86_400_000);
  const timeZone = 'America/New_York';
  const style = { weekday: 'short', month: 'short', day: 'numeric', timeZone } as const;
  return {
    iso: day.toLocaleDateString('sv-SE', { timeZone }),
    words: day.toLocaleDateString('en-US', style),
  };
}
