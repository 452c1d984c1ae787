/** Whom flags are evaluated for: the voters of a state and county, never a single voter (product spec §1). */
export type FlagContext = { readonly targetingKey: string } & Readonly<Record<string, string>>;

/** A service that reports the flags until it is stopped. */
export interface FlagSource {
  setContext(context: FlagContext): void;
  stop(): void;
}
