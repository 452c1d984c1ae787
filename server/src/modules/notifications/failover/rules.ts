/** How one provider stands, as all workers share it. */
export interface ProviderHealth {
  readonly provider: string;
  /** Share of the traffic, 0 to 100. */
  readonly weight: number;
  readonly pausedUntil: Date | null;
}

/**
 * How providers trade traffic, after GOV.UK Notify's rule: a fault takes points from a provider and gives them to the
 * others, quiet time gives them back. Faults may take points every {@link demotionGapMs}, so that a provider
 * that answers nothing but errors is drained within 15 seconds.
 */
export const demotionPoints = 20;
export const demotionGapMs = 2_000;
export const recoveryPoints = 10;
export const recoveryGapMs = 60_000;

/** Receipts are slow when this share of the last ten minutes' messages had none after four minutes. */
export const slowShare = 0.3;
export const slowAfterMs = 4 * 60_000;
export const slowWithinMs = 10 * 60_000;
/** Fewer messages than this say nothing of a provider. */
export const slowMinimum = 20;

/**
 * Picks the provider of the next batch by weight. Null when each asked us to pause. When none has any weight left,
 * the first is tried: a bad provider is better than none.
 *
 * @param random in [0, 1)
 */
export function chooseProvider(
  healths: readonly ProviderHealth[],
  now: Date,
  random = Math.random(),
): string | null {
  const open = healths.filter(({ pausedUntil }) => !pausedUntil || pausedUntil <= now);
  const total = open.reduce((sum, { weight }) => sum + weight, 0);
  let left = random * total;
  for (const { provider, weight } of open) {
    left -= weight;
    if (left < 0) return provider;
  }
  return open[0]?.provider ?? null;
}
