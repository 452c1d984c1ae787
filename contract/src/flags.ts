import * as z from 'zod/mini';

/**
 * The one list of feature flags: what each does, and what holds when nothing else says so or the flag service is
 * down. An office changes one with `beacon flag set`.
 */
export const flagCatalogue = {
  voterOutage: {
    meaning: 'Shows a banner on the login page that apologises for high traffic.',
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

export type FlagKey = keyof typeof flagCatalogue;
export type Flags = Readonly<Record<FlagKey, boolean>>;

export const flagKeys = Object.keys(flagCatalogue) as readonly FlagKey[];

export function isFlagKey(value: unknown): value is FlagKey {
  return typeof value === 'string' && Object.hasOwn(flagCatalogue, value);
}

/** What every flag is when the service that tells is down. */
export const defaultFlags = Object.fromEntries(
  flagKeys.map((key) => [key, flagCatalogue[key].defaultValue]),
) as Flags;

/** Before login nobody is told apart. */
export const anonymousTargetingKey = 'anonymous';

/** Answer of GET /api/ldclient.php; null when flags come over OFREP from the app's own host. */
export const FlagClient = z.object({ client_id: z.nullable(z.string()) });
export type FlagClient = z.infer<typeof FlagClient>;
