import * as z from 'zod/mini';

/* Apart from flags.ts, which the first load of the page has: this one brings zod along. */

/** Answer of GET /api/ldclient.php; null when flags come over OFREP from the app's own host. */
export const FlagClient = z.object({ client_id: z.nullable(z.string()) });
export type FlagClient = z.infer<typeof FlagClient>;
