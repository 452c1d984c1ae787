/** Something about an installation that is not safe, in words for its operator. */
export interface Finding {
  /** Stable, for the audit: `dns.spf`. */
  readonly id: string;
  readonly problem: string;
  /** What to do about it. */
  readonly fix: string;
}
