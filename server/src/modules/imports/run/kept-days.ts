/** For so many days a waiting file can be approved, a rejects file read, and a wrong import put back. */
export const keptDays = 30;

/** What is older than this is deleted. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptDays * 86_400_000);
}
