/** For whom flags are asked: a voter's state and county, and nobody in particular (product spec §1). */
export type FlagContext = { readonly targetingKey: string } & Readonly<Record<string, string>>;

/** A service that reports the flags until it is stopped. */
export interface FlagSource {
  setContext(context: FlagContext): void;
  stop(): void;
}
