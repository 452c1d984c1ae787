/**
 * The list of feature flags: what each does, and its default value, which also applies when the flag service is
 * down. An office changes a flag with `beacon flag set`.
 */
export const flagCatalog = {
  voterOutage: {
    meaning: 'Shows a banner on the login page that apologizes for high traffic.',
    defaultValue: false,
  },
  voterUiEstimatedDeliveryDate: {
    meaning: 'Shows the range of days in which a ballot is expected to arrive.',
    defaultValue: true,
  },
  tabbedBallots: {
    meaning: 'Puts current and previous ballots into two tabs instead of one below the other.',
    defaultValue: false,
  },
} as const satisfies Record<string, { meaning: string; defaultValue: boolean }>;

export type FlagKey = keyof typeof flagCatalog;
export type Flags = Readonly<Record<FlagKey, boolean>>;

export const flagKeys = Object.keys(flagCatalog) as readonly FlagKey[];

export function isFlagKey(value: unknown): value is FlagKey {
  return typeof value === 'string' && Object.hasOwn(flagCatalog, value);
}

/** The value of every flag when the flag service is down. */
export const defaultFlags = Object.fromEntries(
  flagKeys.map((key) => [key, flagCatalog[key].defaultValue]),
) as Flags;

/** Before login all visitors are the same. */
export const anonymousTargetingKey = 'anonymous';
